package minimal

// Part is a number of records of one distinct key that lose the same variables, bit v of Set for variable v.
type Part struct {
	Key   uint32
	Set   uint64
	Count int
}

// Solution says which cells are blanked. The keys of its parts ascend; the sets of one key go from fewer to more
// variables. Records of a key that do not appear stay as they are.
type Solution struct {
	Parts []Part

	Price int64 // of all newly blanked cells

	// Bound is a lower bound on the price of any solution under the rule. Where missing values count for nobody else it
	// is the sum over records of the price of the cheapest set for which at least k records of the file have all their
	// missing values inside the set and agree outside it, unless the file was solved exactly. With so many variables
	// that not all sets can be gone through it is lower than that, or 0.
	Bound int64
}

// solutionOf counts what the choices blank.
func solutionOf(p *Problem, missing []uint64, choices []choice) *Solution {
	s := &Solution{}
	for _, c := range choices {
		blanked := c.set &^ missing[c.key]
		if blanked == 0 {
			continue
		}
		s.Parts = append(s.Parts, Part{c.key, blanked, int(c.count)})
		s.Price += p.price(blanked) * c.count
	}
	return s
}
