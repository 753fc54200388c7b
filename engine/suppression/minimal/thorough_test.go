package minimal

import (
	"context"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// searched returns a thorough search after a number of iterations, made in pieces of the given sizes, the last of
// which repeats.
func searched(t rapid.TB, p *Problem, iterations int, pieces ...int) *Thorough {
	t.Helper()
	search, err := NewThorough(context.Background(), p, nil)
	for made, i := 0, 0; err == nil && made < iterations; i++ {
		piece := min(pieces[min(i, len(pieces)-1)], iterations-made)
		err = search.Continue(context.Background(), piece)
		made += piece
	}
	if err != nil {
		t.Fatal(err)
	}
	return search
}

// solutionAfter returns the solution of a thorough search.
func solutionAfter(t rapid.TB, search *Thorough) *Solution {
	t.Helper()
	s, err := search.Solution(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestThoroughLeavesNoViolatorAndNoCellToGiveBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 20, 4)
		s := solutionAfter(t, searched(t, p, 2, 2))
		checkSolution(t, p, s)
		if minimal := solve(t, p); s.Price > minimal.Price || s.Bound < minimal.Bound {
			t.Fatalf("price %d, bound %d; minimal has %d and %d", s.Price, s.Bound, minimal.Price, minimal.Bound)
		}
	})
}

// TestThoroughSolvesSmallFilesExactly has files with so few records that the optimum is found and proven before
// the first iteration.
func TestThoroughSolvesSmallFilesExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawBounded(t, 6, 3)
		best, search := optimum(p), searched(t, p, 0, 1)
		s := solutionAfter(t, search)
		if s.Price != best || s.Bound != best || !search.Done() {
			t.Fatalf("price %d, bound %d, optimum %d, done %t", s.Price, s.Bound, best, search.Done())
		}
		checkSolution(t, p, s)
	})
}

func TestThoroughDoesNotDependOnPiecesAndProcessors(t *testing.T) {
	iterations := 3*blockIterations + 5
	for i, rule := range []Rule{Conservative, OwnCategory, Default} {
		if !longtests.Wanted() && i == 1 {
			continue
		}
		records := 1200
		if !longtests.Wanted() {
			records, iterations = 120, blockIterations+2
		}
		p := randomProblem(uint64(7+i), records, []int{2, 3, 8, 5, 40})
		p.Rule, p.Alpha = rule, 1
		before := runtime.GOMAXPROCS(1)
		one := searched(t, p, iterations, iterations)
		runtime.GOMAXPROCS(2)
		for _, pieces := range [][]int{{1, 40, 7}, {blockIterations}} {
			other := searched(t, p, iterations, pieces...)
			if diff := cmp.Diff(solutionAfter(t, one), solutionAfter(t, other)); diff != "" ||
				one.Iterations() != other.Iterations() {
				t.Errorf("rule %d, pieces %v: %d and %d iterations, solutions differ:\n%s", rule, pieces, one.Iterations(),
					other.Iterations(), diff)
			}
		}
		runtime.GOMAXPROCS(before)
	}
}

func TestThoroughGoesOnAfterItIsCancelled(t *testing.T) {
	p := randomProblem(9, 200, []int{2, 3, 8, 5, 40})
	one := searched(t, p, blockIterations+3, blockIterations+3)
	other := searched(t, p, 0, 1)
	for other.Iterations() < one.Iterations() {
		before := other.Iterations()
		ctx := &countdown{Context: context.Background()}
		ctx.left.Store(int64(9 + 5*before))
		_ = other.Continue(ctx, one.Iterations()-before)
		if other.Iterations() == before {
			_ = other.Continue(context.Background(), 1)
		}
	}
	if diff := cmp.Diff(solutionAfter(t, one), solutionAfter(t, other)); diff != "" {
		t.Error(diff)
	}
}

// goldenThorough is the number of cells that 300 iterations suppress in the eight larger reference cases. It must
// not increase.
const goldenThorough = 19427

// TestGoldenThorough checks the targets for the reference cases: no price may be more than 0.1 % above the best
// known one, and no bound more than 0.7 % below it.
func TestGoldenThorough(t *testing.T) {
	longtests.Needed(t)
	cells, price := goldenCases(t)
	var sum int64
	for i, c := range append(cells, price...) {
		s := solutionAfter(t, searched(t, c.problem, 300, 300))
		t.Logf("%s %d, k = %d: bound %d, price %d, best known %d", c.Data, c.Kanon, c.K, s.Bound, s.Price, c.Best)
		if float64(s.Price) > 1.001*float64(c.Best) || float64(s.Bound) < 0.993*float64(c.Best) {
			t.Errorf("%s %d, k = %d: price %d, bound %d, best known %d", c.Data, c.Kanon, c.K, s.Price, s.Bound, c.Best)
		}
		if d, n, _ := countPatterns(c.problem, s).violators(); d != 0 || n != 0 {
			t.Errorf("%s %d, k = %d: violators left: %d under the default rule, %d under the conservative", c.Data, c.Kanon, c.K,
				d, n)
		}
		if i < len(cells) && c.Data != "francdat" {
			sum += s.Price
		}
	}
	if sum > goldenThorough {
		t.Errorf("%d cells over the eight, should be at most %d", sum, goldenThorough)
	}
}

// adultCases returns the problems of the Adult census extract with all nine columns as keys, and the targets.
func adultCases(tb testing.TB) []goldenCase {
	header, rows := readTable(tb, filepath.Join(sharedFolder, "data", "adult.csv"), ';')
	var cases []goldenCase
	for _, c := range []struct {
		k           int
		rule        Rule
		bound, most int64
	}{{5, OwnCategory, 31458, 35800}, {3, Conservative, 25450, 25509}, {5, Conservative, 32650, 32794}} {
		p := problemOf(tb, header, rows, header, c.k)
		p.Rule = c.rule
		cases = append(cases, goldenCase{Data: "adult", K: c.k, Bound: c.bound, Best: c.most, problem: p})
	}
	return cases
}

// TestAdultThorough checks the targets for the Adult census extract.
func TestAdultThorough(t *testing.T) {
	longtests.Needed(t)
	for _, c := range adultCases(t) {
		iterations := 250
		if c.problem.Rule == OwnCategory {
			iterations = 10
		}
		s := solutionAfter(t, searched(t, c.problem, iterations, iterations))
		t.Logf("k = %d, rule %d: bound %d, %d cells", c.K, c.problem.Rule, s.Bound, s.Price)
		if s.Price > c.Best || s.Bound < c.Bound {
			t.Errorf("k = %d, rule %d: %d cells, should be at most %d; bound %d, should be at least %d", c.K, c.problem.Rule,
				s.Price, c.Best, s.Bound, c.Bound)
		}
	}
}

// BenchmarkThorough measures an iteration, including bounds.
func BenchmarkThorough(b *testing.B) {
	cells, _ := goldenCases(b)
	for _, c := range append(cells[5:8:8], adultCases(b)...) {
		b.Run(c.Data, func(b *testing.B) {
			search := searched(b, c.problem, 0, 1)
			for b.Loop() {
				if err := search.Continue(b.Context(), 10); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(solutionAfter(b, search).Price), "price")
		})
	}
}
