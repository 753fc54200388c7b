package minimal

// Part is a number of records of one key pattern that lose the same variables. Bit v of Set is variable v.
type Part struct {
	Key   uint32
	Set   uint64
	Count int
}

// Solution lists the suppressed cells. Its parts are in ascending order of key; the sets of one key are in
// ascending order of size. Records that are in no part stay as they are.
type Solution struct {
	Parts []Part

	Price int64 // of all newly suppressed cells

	// Bound is a lower bound on the price of any solution under the rule. If missing values do not count for other
	// records, it is the sum over records of the price of the cheapest set for which at least k records of the
	// file have all their missing values inside the set and agree outside it, unless the file was solved exactly.
	// It is lower than that, or 0, if there are too many variables to enumerate all sets.
	Bound int64
}

// solutionOf counts the cells that the choices suppress.
func solutionOf(p *Problem, missing []uint64, choices []choice) *Solution {
	s := &Solution{}
	for _, c := range choices {
		suppressed := c.set &^ missing[c.key]
		if suppressed == 0 {
			continue
		}
		s.Parts = append(s.Parts, Part{c.key, suppressed, int(c.count)})
		s.Price += p.price(suppressed) * c.count
	}
	return s
}
