package minimal

import (
	"context"
	"testing"

	"pgregory.net/rapid"
)

func TestExactFindsTheOptimum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawBounded(t, 6, 3)
		e, missing := enumerated(t, p)
		best := optimum(p)
		for _, upper := range []int64{unlimited, best + 1, best} {
			choices, proven, err := exact(context.Background(), p, e, upper, 1<<12)
			if err != nil || !proven {
				t.Fatalf("below %d: proven %t, %v", upper, proven, err)
			}
			if upper == best {
				if choices != nil {
					t.Fatalf("%v is cheaper than %d", choices, best)
				}
				continue
			}
			s := solutionOf(p, missing, choices)
			if s.Price != best {
				t.Fatalf("below %d: price %d, optimum %d", upper, s.Price, best)
			}
			file, _ := apply(p, s)
			if n := file.violators(p.K, p.Rule, p.Alpha); n > 0 {
				t.Fatalf("%d violators", n)
			}
		}
	})
}

func TestExactProvesSmallProblems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawBounded(t, 12, 5)
		e, missing := enumerated(t, p)
		s := solve(t, p)
		choices, proven, err := exact(context.Background(), p, e, s.Price+1, 1<<12)
		if err != nil || !proven {
			t.Fatalf("proven %t, %v", proven, err)
		}
		best := solutionOf(p, missing, choices)
		if best.Price > s.Price || choices == nil {
			t.Fatalf("price %d, found before %d", best.Price, s.Price)
		}
		file, _ := apply(p, best)
		if n := file.violators(p.K, p.Rule, p.Alpha); n > 0 {
			t.Fatalf("%d violators", n)
		}
	})
}

// TestExactProvesNothingWrong compares with what a search finds where naive figures cannot be had.
func TestExactProvesNothingWrong(t *testing.T) {
	var proofs, better, tried int
	rapid.Check(t, func(t *rapid.T) {
		p := drawBounded(t, 80, 5)
		e, missing := enumerated(t, p)
		s := solve(t, p)
		nodes := rapid.Int64Range(1, 400).Draw(t, "nodes")
		choices, proven, err := exact(context.Background(), p, e, s.Price+1, nodes)
		if err != nil || proven && choices == nil {
			t.Fatalf("price %d known, proven %t, %v", s.Price, proven, err)
		}
		if tried++; proven {
			proofs++
		}
		if choices == nil {
			return
		}
		found := solutionOf(p, missing, choices)
		if found.Price < s.Price {
			better++
		}
		file, _ := apply(p, found)
		if n := file.violators(p.K, p.Rule, p.Alpha); n > 0 || found.Price > s.Price {
			t.Fatalf("price %d, known before %d; %d violators", found.Price, s.Price, n)
		}
	})
	t.Logf("%d of %d proven, %d better than minimal", proofs, tried, better)
}

// TestGoldenExact proves the best known prices of the reference cases where that takes little, or finds better ones.
func TestGoldenExact(t *testing.T) {
	cells, price := goldenCases(t)
	var number int
	for _, c := range append(cells, price...) {
		if testing.Short() && c.Data == "survey" {
			continue
		}
		e, missing := enumerated(t, c.problem)
		choices, proven, err := exact(t.Context(), c.problem, e, c.Best, 300)
		if err != nil {
			t.Fatal(err)
		}
		found := c.Best
		if choices != nil {
			s := solutionOf(c.problem, missing, choices)
			found = s.Price
			if _, n, _ := countPatterns(c.problem, s).violators(); n != 0 || found >= c.Best {
				t.Errorf("%s %d, k = %d: price %d, %d violators", c.Data, c.Kanon, c.K, found, n)
			}
		}
		t.Logf("%s %d, k = %d: best known %d, price %d, proven %t", c.Data, c.Kanon, c.K, c.Best, found, proven)
		if proven {
			number++
		}
	}
	if number < 9 {
		t.Errorf("%d cases are proven", number)
	}
}
