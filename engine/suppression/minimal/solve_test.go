package minimal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// drawProblem draws a small problem; some have missing values from the start.
func drawProblem(t *rapid.T, maxRecords, maxVariables int) *Problem {
	q := rapid.IntRange(1, maxVariables).Draw(t, "variables")
	levels := rapid.SliceOfN(rapid.IntRange(1, 4), q, q).Draw(t, "levels")
	lowest := rapid.SampledFrom([]uint32{0, 1, 1}).Draw(t, "lowest code")
	p := &Problem{Levels: levels, Codes: make([][]uint32, q)}
	p.K = rapid.IntRange(2, 4).Draw(t, "k")
	p.Price = rapid.SliceOfN(rapid.IntRange(1, rapid.SampledFrom([]int{1, 5}).Draw(t, "dearest")), q, q).Draw(t, "prices")
	p.TieOrder = rapid.Permutation(upTo(q)).Draw(t, "order")
	p.Rule = rapid.SampledFrom([]Rule{Conservative, OwnCategory, Default, CategorySize}).Draw(t, "rule")
	p.Alpha = rapid.SampledFrom([]float64{0, 0.5, 0.7, 1}).Draw(t, "alpha")
	records := rapid.IntRange(p.K, maxRecords).Draw(t, "records")
	seen := map[string]int{}
	for range records {
		row := make([]uint32, q)
		for v := range row {
			row[v] = rapid.Uint32Range(min(lowest, uint32(levels[v])), uint32(levels[v])).Draw(t, "code")
		}
		p.addRecord(seen, row)
	}
	return p
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// addRecord adds a record; seen maps keys to their index.
func (p *Problem) addRecord(seen map[string]int, row []uint32) {
	text := fmt.Sprint(row)
	at, known := seen[text]
	if !known {
		at = len(p.Count)
		seen[text] = at
		p.Count = append(p.Count, 0)
		for v, code := range row {
			p.Codes[v] = append(p.Codes[v], code)
		}
	}
	p.Count[at]++
}

func solve(tb rapid.TB, p *Problem) *Solution {
	tb.Helper()
	s, err := Solve(context.Background(), p, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// checkSolution checks that s leaves no violator and no cell that can be restored.
func checkSolution(t rapid.TB, p *Problem, s *Solution) {
	t.Helper()
	file, suppressed := apply(p, s)
	for _, rule := range rulesImplied(p.Rule) {
		if n := file.violators(p.K, rule, p.Alpha); n > 0 {
			t.Fatalf("%d violators under rule %d", n, rule)
		}
	}
	if i, v, found := file.restorable(expand(p), suppressed, p.K, p.Rule, p.Alpha); found {
		t.Fatalf("the cell of record %d on variable %d can be given back", i, v)
	}
}

// rulesImplied returns the rules under which a solution for rule must have no violator.
func rulesImplied(rule Rule) []Rule {
	switch rule {
	case OwnCategory:
		return []Rule{OwnCategory, Conservative, Default, CategorySize}
	case Conservative:
		return []Rule{Conservative, Default, CategorySize}
	}
	return []Rule{rule}
}

func TestSolveLeavesNoViolatorAndNoCellToGiveBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 24, 5)
		checkSolution(t, p, solve(t, p))
	})
}

func TestSolutionCountsSuppressions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 24, 5)
		s := solve(t, p)
		_, suppressed := apply(p, s)
		want := Solution{Parts: s.Parts, Bound: s.Bound}
		for _, row := range suppressed {
			for v, suppressed := range row {
				if suppressed {
					want.Price += int64(p.Price[v])
				}
			}
		}
		if diff := cmp.Diff(&want, s); diff != "" {
			t.Fatalf("counted (-) and reported (+) differ:\n%s", diff)
		}
	})
}

func TestBoundFollowsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 24, 5)
		p.Rule = rapid.SampledFrom([]Rule{Conservative, OwnCategory}).Draw(t, "bounded")
		s, want := solve(t, p), naiveBound(p)
		if s.Bound != want && (s.Bound < want || s.Bound != s.Price) { // unless it is solved exactly
			t.Fatalf("bound %d, by definition %d; price %d", s.Bound, want, s.Price)
		}
	})
}

func TestOptimumLiesBetweenBoundAndSolution(t *testing.T) {
	var reached, tried, excess, sum int64
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 6, 3)
		if p.Rule == CategorySize || p.Rule == Default {
			p.Rule = Conservative
		}
		s, best := solve(t, p), optimum(p)
		if s.Bound > best || best > s.Price {
			t.Fatalf("bound %d, optimum %d, solution %d", s.Bound, best, s.Price)
		}
		tried++
		sum += best
		excess += s.Price - best
		if s.Price == best {
			reached++
		}
	})
	t.Logf("optimum reached in %d of %d; price %.2f %% above it in all", reached, tried,
		100*float64(excess)/float64(max(1, sum)))
}

// randomProblem returns a problem with independent variables, for sizes at which drawing each code with rapid is
// too slow.
func randomProblem(seed uint64, records int, levels []int) *Problem {
	random := rand.New(rand.NewPCG(seed, 1))
	p := &Problem{K: 3, Levels: levels, Codes: make([][]uint32, len(levels)), TieOrder: upTo(len(levels))}
	seen := map[string]int{}
	for range records {
		row := make([]uint32, len(levels))
		for v := range row {
			row[v] = uint32(random.IntN(1+random.IntN(levels[v])) + 1)
		}
		p.addRecord(seen, row)
	}
	for range levels {
		p.Price = append(p.Price, 1)
	}
	return p
}

func TestSolveGivesEqualResultsOnAnyNumberOfProcessors(t *testing.T) {
	records := 800
	if !longtests.Wanted() {
		records = 300
	}
	for i, rule := range []Rule{Conservative, OwnCategory, Default, CategorySize, Conservative} {
		p := randomProblem(3, records, []int{2, 3, 8, 5, 40})
		if i == 4 {
			p = independent(records/5, 32)
		}
		p.Rule, p.Alpha = rule, 0.7
		before := runtime.GOMAXPROCS(1)
		one := solve(t, p)
		runtime.GOMAXPROCS(2)
		two := solve(t, p)
		runtime.GOMAXPROCS(before)
		if diff := cmp.Diff(one, two); diff != "" {
			t.Errorf("rule %d: results differ:\n%s", rule, diff)
		}
	}
}

func TestSolveDoesNotChangeTheProblem(t *testing.T) {
	p, q := randomProblem(4, 300, []int{2, 8, 20}), randomProblem(4, 300, []int{2, 8, 20})
	solve(t, p)
	if diff := cmp.Diff(p, q); diff != "" {
		t.Error(diff)
	}
}

func TestSolveObeysCancellation(t *testing.T) {
	for _, rule := range []Rule{Conservative, OwnCategory, Default, CategorySize} {
		p := randomProblem(5, 3000, []int{2, 3, 8, 5, 40})
		p.Rule = rule
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := Solve(ctx, p, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("rule %d: %v", rule, err)
		}
	}
}

func TestSolveCanBeCancelledAtAnyCheck(t *testing.T) {
	p := randomProblem(6, 2000, []int{2, 3, 8, 5, 40})
	p.Rule, p.Alpha = Default, 1
	for checks := int64(1); ; checks *= 2 {
		ctx := &countdown{Context: context.Background()}
		ctx.left.Store(checks)
		_, err := Solve(ctx, p, nil)
		if err == nil {
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
}

func TestSolveReportsProgressUpwards(t *testing.T) {
	p := randomProblem(7, 2000, []int{2, 3, 8, 5, 40})
	calls, last := 0, -1.0
	_, err := Solve(context.Background(), p, func(done, total int64) {
		calls++
		share := float64(done) / float64(total)
		if share < last || share > 1 {
			t.Errorf("progress went from %g to %g", last, share)
		}
		last = share
	})
	if err != nil || calls == 0 || last != 1 {
		t.Errorf("%d calls, the last at %g, error %v", calls, last, err)
	}
}

func TestSolveTrivial(t *testing.T) {
	p := randomProblem(8, 10, []int{3, 30})
	for _, k := range []int{-1, 0, 1} {
		p.K = k
		if s := solve(t, p); s.Price != 0 || len(s.Parts) != 0 || s.Bound != 0 {
			t.Errorf("k = %d: %+v", k, s)
		}
	}
	empty := &Problem{Codes: [][]uint32{{}}, Levels: []int{2}, Price: []int{1}, TieOrder: []int{0}, K: 3}
	if s := solve(t, empty); s.Price != 0 || len(s.Parts) != 0 {
		t.Errorf("no records: %+v", s)
	}
}

func TestSolveErrors(t *testing.T) {
	p := randomProblem(9, 4, []int{3, 30})
	p.K = 5
	for _, rule := range []Rule{Conservative, OwnCategory, Default, CategorySize} {
		p.Rule = rule
		if _, err := Solve(context.Background(), p, nil); !errors.Is(err, ErrUnreachable) {
			t.Errorf("4 records, k = 5, rule %d: %v", rule, err)
		}
	}
}

// countdown is a context that is cancelled after a number of checks.
type countdown struct {
	context.Context
	left atomic.Int64
}

// Err implements context.Context.
func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}
