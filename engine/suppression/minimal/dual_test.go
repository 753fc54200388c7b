package minimal

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// enumerated returns a finished enumeration of p, as in a search.
func enumerated(t rapid.TB, p *Problem) *enumeration {
	t.Helper()
	e := newEnumeration(p)
	ctx := context.Background()
	for _, err := range []error{
		e.run(ctx, newProgress(nil)),
		newClustering(e).run(ctx, newProgress(nil)),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// newDualOf returns a dual that has made no steps.
func newDualOf(t rapid.TB, p *Problem) *dual {
	t.Helper()
	d, err := newDual(context.Background(), enumerated(t, p))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// steps makes n steps without a known price.
func (d *dual) steps(n int) {
	for range n {
		d.ascent.step(infinite)
	}
}

// dualOf returns a dual after the given number of steps.
func dualOf(t rapid.TB, p *Problem, steps int) *dual {
	t.Helper()
	d := newDualOf(t, p)
	d.steps(steps)
	return d
}

// drawBounded draws a problem under a rule for which a dual has a bound.
func drawBounded(t *rapid.T, maxRecords, maxVariables int) *Problem {
	p := drawProblem(t, maxRecords, maxVariables)
	if p.Rule.countsWildcards() {
		p.Rule = Conservative
	}
	return p
}

func TestDualStaysBelowTheOptimum(t *testing.T) {
	var reached, floors, tried int
	rapid.Check(t, func(t *rapid.T) {
		p := drawBounded(t, 6, 3)
		best, d := optimum(p), newDualOf(t, p)
		floor := d.bound()
		for range 8 {
			before := d.bound()
			d.steps(15)
			if d.bound() < before || d.bound() > best {
				t.Fatalf("bound %d, before %d, optimum %d", d.bound(), before, best)
			}
		}
		tried++
		if floor == best {
			floors++
		}
		if d.bound() == best {
			reached++
		}
	})
	t.Logf("optimum reached in %d of %d, by the enumeration's bound in %d", reached, tried, floors)
}

// naiveValue computes the value of multipliers by definition.
func naiveValue(c *cover, multiplier []int64) int64 {
	var value int64
	for i, n := range c.records {
		value += n * multiplier[i]
	}
	for g, price := range c.price {
		var gain int64
		var losses []int64 // one per record
		for _, i := range c.groups.of(uint32(g)) {
			for range c.records[i] {
				losses = append(losses, price*multiplierParts-multiplier[i])
			}
		}
		slices.Sort(losses)
		for i, loss := range losses {
			if int64(i) < c.k || loss < 0 {
				gain += loss
			}
		}
		value += min(0, gain)
	}
	return value
}

func TestDualStaysBelowSolutions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawBounded(t, 40, 5)
		s, d := solve(t, p), newDualOf(t, p)
		for range 5 {
			d.steps(250)
			if d.bound() < d.e.total() || d.bound() > s.Price {
				t.Fatalf("bound %d, the enumeration's %d, price %d", d.bound(), d.e.total(), s.Price)
			}
			if want := naiveValue(d.cover, d.ascent.best); want != d.ascent.value {
				t.Fatalf("value %d, should be %d", d.ascent.value, want)
			}
		}
	})
}

func TestDualGoesOnWhereItWas(t *testing.T) {
	p := randomProblem(3, 1500, []int{2, 3, 8, 5, 40})
	before := runtime.GOMAXPROCS(1)
	one := dualOf(t, p, 150)
	runtime.GOMAXPROCS(2)
	two := dualOf(t, p, 60)
	for range 9 {
		two.steps(10)
	}
	runtime.GOMAXPROCS(before)
	if floor := one.e.total(); one.bound() <= floor {
		t.Errorf("bound %d, the enumeration's %d", one.bound(), floor)
	}
	if diff := cmp.Diff(one.ascent.best, two.ascent.best); diff != "" || one.ascent.value != two.ascent.value {
		t.Errorf("values %d and %d:\n%s", one.ascent.value, two.ascent.value, diff)
	}
}

func TestDualObeysCancellation(t *testing.T) {
	e := enumerated(t, randomProblem(5, 1500, []int{2, 3, 8, 5, 40}))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := newDual(ctx, e); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestDualEndsWhereSetsAreTooMany stops gathering at sets that are cheaper than known bounds.
func TestDualEndsWhereSetsAreTooMany(t *testing.T) {
	p := independent(80, 40)
	p.Whole = 1 << 14 // leaves little work
	d := dualOf(t, p, 20)
	if s := solve(t, p); d.bound() < s.Bound || d.bound() > s.Price {
		t.Errorf("bound %d, the enumeration's %d, price %d", d.bound(), s.Bound, s.Price)
	}
}

// TestGoldenDuals checks the bounds that a dual reaches for the reference cases.
func TestGoldenDuals(t *testing.T) {
	cells, price := goldenCases(t)
	for _, c := range append(cells, price...) {
		if !longtests.Wanted() && c.Data == "survey" {
			continue
		}
		e := enumerated(t, c.problem)
		began := time.Now()
		d, err := newDual(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		d.steps(600)
		t.Logf("%s %d, k = %d: bound %d, the enumeration's %d, best known %d, %v; %d clients, %d groups, %d members",
			c.Data, c.Kanon, c.K, d.bound(), d.e.total(), c.Best, time.Since(began), len(d.clients.key), len(d.cover.price),
			len(d.cover.groups.items))
		if want := naiveValue(d.cover, d.ascent.best); want != d.ascent.value {
			t.Errorf("%s %d, k = %d: value %d, should be %d", c.Data, c.Kanon, c.K, d.ascent.value, want)
		}
		if d.bound() > c.Best || c.Data != "francdat" && 1.015*float64(d.bound()) < float64(c.Best) {
			t.Errorf("%s %d, k = %d: bound %d, best known %d", c.Data, c.Kanon, c.K, d.bound(), c.Best)
		}
	}
}

// TestAdultDual checks the bound for the Adult census extract with all nine columns as keys under the own-category
// rule. TestAdultThorough checks those under the conservative rule.
func TestAdultDual(t *testing.T) {
	longtests.Needed(t)
	header, rows := readTable(t, filepath.Join(sharedFolder, "data", "adult.csv"), ';')
	p := problemOf(t, header, rows, header, 3)
	p.Rule = OwnCategory
	if d := dualOf(t, p, 120); d.bound() < 26500 {
		t.Errorf("bound %d, the enumeration's %d", d.bound(), d.e.total())
	}
}
