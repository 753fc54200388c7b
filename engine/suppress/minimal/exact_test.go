package minimal

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// solvedExactly returns the dual of p after its small parts have been solved, with the solution that was known and what
// was found.
func solvedExactly(t rapid.TB, p *Problem) (*dual, *search, *exactParts) {
	t.Helper()
	e := newEnumeration(p)
	known, err := e.search(context.Background(), newProgress(nil))
	if err != nil {
		t.Fatal(err)
	}
	d, err := newDual(context.Background(), e)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := d.solveParts(context.Background(), known.group)
	if err != nil {
		t.Fatal(err)
	}
	return d, known, exact
}

// TestSmallPartsAreSolvedExactly has files that are small parts altogether.
func TestSmallPartsAreSolvedExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawBounded(t, 6, 3)
		best := optimum(p)
		d, known, exact := solvedExactly(t, p)
		if slices.Contains(d.optimum, unlimited) || d.bound() != best {
			t.Fatalf("bound %d, optimum %d, of the parts %v", d.bound(), best, d.optimum)
		}
		choices := slices.DeleteFunc(choicesOf(d.e.in, known.group), func(c choice) bool { return exact.keys[c.key] })
		s := solutionOf(p, p.missing(), gather(append(choices, exact.choices...)))
		if s.Price != best {
			t.Fatalf("price %d, optimum %d", s.Price, best)
		}
		if file, _ := apply(p, s); file.violators(p.K, p.Rule, p.Alpha) > 0 {
			t.Fatalf("violators are left")
		}
	})
}

// TestExactSearchImprovesBadSolutions starts from a solution in which no record shares a group with others.
func TestExactSearchImprovesBadSolutions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawBounded(t, 6, 3)
		d := newDualOf(t, p)
		dear := d.e.in.add(p.full(), unlimited, true, nil)
		group := slices.Repeat([]uint32{dear}, len(d.e.in.bundles))
		exact, err := d.solveParts(t.Context(), group)
		if err != nil {
			t.Fatal(err)
		}
		if s := solutionOf(p, p.missing(), exact.choices); s.Price != optimum(p) || s.Price != exact.price-d.missing {
			t.Fatalf("price %d, said to be %d, optimum %d", s.Price, exact.price-d.missing, optimum(p))
		}
	})
}
