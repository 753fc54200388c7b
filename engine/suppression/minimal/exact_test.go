package minimal

import (
	"testing"

	"pgregory.net/rapid"
)

// TestSmallFilesAreSolvedExactly starts from expensive solutions.
func TestSmallFilesAreSolvedExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawBounded(t, 6, 3)
		best, d := optimum(p), newDualOf(t, p)
		choices, ok := d.optimum(unlimited)
		s := solutionOf(p, p.missing(), choices)
		if s.Price != best || !ok {
			t.Fatalf("price %d, optimum %d, all tried: %t", s.Price, best, ok)
		}
		if file, _ := apply(p, s); file.violators(p.K, p.Rule, p.Alpha) > 0 {
			t.Fatalf("violators are left")
		}
		if none, ok := d.optimum(best); none != nil || !ok {
			t.Fatalf("cheaper than the optimum %d: %v, all tried: %t", best, none, ok)
		}
	})
}
