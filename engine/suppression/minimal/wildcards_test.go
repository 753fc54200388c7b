package minimal

import (
	"testing"

	"pgregory.net/rapid"
)

// drawWildcards draws a small problem under a rule that counts wildcards.
func drawWildcards(t *rapid.T) *Problem {
	p := drawProblem(t, 6, 3)
	p.Rule = rapid.SampledFrom([]Rule{Default, CategorySize}).Draw(t, "wildcards")
	return p
}

// TestWildcardBoundsHold compares with the optimum over all suppressions; with alpha 1 the solution is the
// optimum.
func TestWildcardBoundsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawWildcards(t)
		s, best := solve(t, p), optimum(p)
		if s.Bound > best || s.Price < best {
			t.Fatalf("bound %d, optimum %d, price %d", s.Bound, best, s.Price)
		}
		if p.Rule == Default && p.Alpha == 1 && (s.Price != best || s.Bound != best) {
			t.Fatalf("alpha 1: bound %d, optimum %d, price %d", s.Bound, best, s.Price)
		}
		checkSolution(t, p, s)
		if e := newEnumeration(p); !e.nothingToDo() && e.wildcardBound() > best {
			t.Fatalf("bound of the dual %d, optimum %d", e.wildcardBound(), best)
		}
	})
}
