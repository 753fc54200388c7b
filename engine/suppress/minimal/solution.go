package minimal

import "math/bits"

// Solution says which cells are blanked. Keys, Sets and Counts run in parallel: of the key Keys[i], Counts[i] records
// have the variables of Sets[i] (bit v for variable v) newly blanked. Keys ascend; the sets of one key go from fewer to
// more variables. Records of a key that do not appear stay as they are.
type Solution struct {
	Keys   []uint32
	Sets   []uint64
	Counts []uint32

	Cells   []int64 // newly blanked cells per variable
	Total   int64   // newly blanked cells
	Price   int64   // their price
	Touched int64   // records with newly blanked cells

	// Bound is a lower bound on the price of any solution under the conservative or, where that is the rule, the
	// own-category rule: the sum over records of the price of the cheapest set for which at least k records of the file
	// have all their missing values inside the set and agree outside it. With so many variables that not all sets can
	// be gone through, and so many keys that not every one can be compared with every other, it is lower than that.
	Bound int64
}

// solutionOf counts what the choices blank.
func solutionOf(p *Problem, missing []uint64, choices []choice) *Solution {
	s := &Solution{Cells: make([]int64, p.variables())}
	for _, c := range choices {
		blanked := c.set &^ missing[c.key]
		if blanked == 0 {
			continue
		}
		s.Keys = append(s.Keys, c.key)
		s.Sets = append(s.Sets, blanked)
		s.Counts = append(s.Counts, uint32(c.count))
		s.Touched += c.count
		s.Price += p.price(blanked) * c.count
		for rest := blanked; rest != 0; rest &= rest - 1 {
			s.Cells[bits.TrailingZeros64(rest)] += c.count
		}
	}
	for _, n := range s.Cells {
		s.Total += n
	}
	return s
}

// bounded returns the solution with the given bound.
func (s *Solution) bounded(bound int64) *Solution {
	out := *s
	out.Bound = bound
	return &out
}
