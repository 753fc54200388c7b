package minimal

import (
	"cmp"
	"slices"
)

// similarity compares keys variable by variable.
type similarity struct {
	order []int    // variables, those with most categories first
	bit   []uint64 // of the variables in that order
	rows  []uint32 // codes of a key side by side, in that order
	price [8][256]int64
}

// newSimilarity lays out the codes of p.
func newSimilarity(p *Problem) *similarity {
	q := p.variables()
	s := &similarity{rows: make([]uint32, q*p.keys())}
	for v := range q {
		s.order = append(s.order, v)
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return p.Levels[b] - p.Levels[a] })
	for i, v := range s.order {
		s.bit = append(s.bit, 1<<v)
		for key, code := range p.Codes[v] {
			s.rows[key*q+i] = code
		}
	}
	for block := range s.price {
		for set := range s.price[block] {
			s.price[block][set] = p.price(uint64(set) << (8 * block) & p.full())
		}
	}
	return s
}

// row returns the codes of a key.
func (s *similarity) row(key uint32) []uint32 {
	q := len(s.order)
	return s.rows[int(key)*q : int(key)*q+q]
}

// compare orders keys by their codes, variables with few categories first: neighbours then agree on many variables.
func (s *similarity) compare(a, b uint32) int {
	x, y := s.row(a), s.row(b)
	for i := len(x) - 1; i >= 0; i-- {
		if x[i] != y[i] {
			return cmp.Compare(x[i], y[i])
		}
	}
	return 0
}

// differing returns the set of variables on which two keys differ.
func (s *similarity) differing(a, b uint32) uint64 {
	x, y := s.row(a), s.row(b)
	var set uint64
	for i, code := range x {
		if code != y[i] {
			set |= s.bit[i]
		}
	}
	return set
}

// priceOf returns the price of a set.
func (s *similarity) priceOf(set uint64) int64 {
	var sum int64
	for block := 0; set != 0; block, set = block+1, set>>8 {
		sum += s.price[block][set&255]
	}
	return sum
}
