package minimal

import (
	"cmp"
	"slices"
)

// similarity compares keys variable by variable.
type similarity struct {
	p     *Problem
	keys  *packing
	order []int // variables, those with few categories first
}

func newSimilarity(p *Problem, keys *packing) *similarity {
	s := &similarity{p: p, keys: keys}
	for v := range p.variables() {
		s.order = append(s.order, v)
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return p.Levels[b] - p.Levels[a] })
	slices.Reverse(s.order)
	return s
}

// compare orders keys by their codes, variables with few categories first, so that neighbours agree on many
// variables.
func (s *similarity) compare(a, b uint32) int {
	for _, v := range s.order {
		if x, y := s.p.Codes[v][a], s.p.Codes[v][b]; x != y {
			return cmp.Compare(x, y)
		}
	}
	return 0
}

// differing returns the set of variables on which two keys differ.
func (s *similarity) differing(a, b uint32) uint64 {
	x, y := s.keys.key(a), s.keys.key(b)
	var set uint64
	for v, field := range s.keys.field {
		if w := s.keys.word[v]; (x[w]^y[w])&field != 0 {
			set |= 1 << v
		}
	}
	return set
}
