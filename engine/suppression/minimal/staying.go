package minimal

import (
	"cmp"
	"slices"
)

// staying holds the complete keys of at least k records, which stay as they are.
type staying struct {
	keys    []uint32
	without []differing // for variables with many categories, fewest keys first
}

// differing holds one of all keys each that differ in one variable only.
type differing struct {
	variable uint64 // its bit
	keys     []uint32
}

// newStaying prepares to look for keys that agree outside sets.
func newStaying(p *Problem, packed *packing, all []uint32) *staying {
	s := &staying{keys: all}
	order := make([]int, p.variables())
	for v := range order {
		order[v] = v
	}
	slices.SortStableFunc(order, func(a, b int) int { return p.Levels[b] - p.Levels[a] })
	table := groupTable{keys: packed}
	for _, v := range order {
		table.reset(1<<v, len(all))
		for _, key := range all {
			table.enter(key)
		}
		if 2*len(table.first) > len(all) {
			break // those with fewer categories help less
		}
		s.without = append(s.without, differing{1 << v, slices.Clone(table.first)})
	}
	slices.SortStableFunc(s.without, func(a, b differing) int { return cmp.Compare(len(a.keys), len(b.keys)) })
	return s
}

// outside returns keys with the values of all staying keys outside a set: all of them, or those that differ there.
func (s *staying) outside(set uint64) []uint32 {
	for i := range s.without {
		if s.without[i].variable&set != 0 {
			return s.without[i].keys
		}
	}
	return s.keys
}
