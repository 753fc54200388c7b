package rankswap

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

func share(x float64) *float64 { return &x }

// A range of one rank includes the next rank, and a share of n includes exactly that many, however the product is
// rounded.
func TestWidthOfTheRange(t *testing.T) {
	m := New()
	m.Variables, m.Top, m.Bottom, m.P = []string{"x"}, 0, 0, share(0.1)
	out, err := golden.Apply(m, golden.Lettered('x', []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := golden.Values(out.Data)[0]; !slices.Equal(got, []float64{2, 1, 4, 3, 6, 5, 8, 7, 10, 9}) {
		t.Errorf("by one rank %v", got)
	}
	for p, want := range map[float64]int{0.29: 29, 0.57: 57, 0.295: 29, 1: 100} {
		m.P = &p
		if got := m.ranks(make([]float64, 100), 0, 1); got != want {
			t.Errorf("%v of 100 records are %d ranks, want %d", p, got, want)
		}
	}
}

// Every value stays in the file and moves by at most P n ranks, and two swapped records have each other's value.
func TestSwapsArePairsWithinTheRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 80).Draw(t, "n")
		x := make([]float64, n)
		for i, at := range rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 1)).Perm(n) {
			x[i] = float64(at)
		}
		m := New()
		m.Variables, m.Top, m.Bottom = []string{"x"}, 0, 0
		m.P = share(rapid.Float64Range(0, 1).Draw(t, "p"))
		out, err := golden.Apply(m, golden.Lettered('x', x), rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		after := golden.Values(out.Data, "x")[0]
		for i := range x { // values equal their ranks
			if math.Abs(after[i]-x[i]) > math.Floor(*m.P*float64(n)) {
				t.Fatalf("%v became %v: farther than %v of %d ranks", x[i], after[i], *m.P, n)
			}
			if partner := slices.Index(x, after[i]); after[partner] != x[i] {
				t.Fatalf("%v became %v, which became %v", x[i], after[i], after[partner])
			}
		}
		if *m.P == 1 && n%2 == 0 && out.Report.Changed != n {
			t.Fatalf("%d of %d changed, though all have a partner", out.Report.Changed, n)
		}
	})
}

func TestTopAndBottom(t *testing.T) {
	x := make([]float64, 100)
	for i := range x {
		x[i] = float64((i*37)%100) * 10
	}
	m := New()
	m.Variables, m.Top, m.Bottom, m.P = []string{"x"}, 2, 4, share(0)
	out, err := golden.Apply(m, golden.Lettered('x', x), 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range golden.Values(out.Data, "x")[0] {
		want := x[i]
		switch {
		case want >= 980:
			want = 985
		case want <= 30:
			want = 15
		}
		if got != want {
			t.Errorf("%v became %v, want %v", x[i], got, want)
		}
	}
}

// The range follows the formulas, for the numbers from 0 to 999: variance 83,416.67, mean 499.5.
func TestRange(t *testing.T) {
	x := make([]float64, 1000)
	for i := range x {
		x[i] = float64(i)
	}
	for _, test := range []struct {
		m    RankSwap
		want int
	}{
		{RankSwap{P: share(0.05)}, 50},
		{RankSwap{R0: share(0.9)}, 129}, // √(2·83,416.67·0.1)/999 = 0.12929
		{RankSwap{}, 91},                // r0 0.95: 0.09142
		{RankSwap{K0: share(0.1)}, 81},  // √(8/3)·0.1·499.5/999 = 0.08165
		{RankSwap{K0: share(100)}, 1000},
	} {
		if got := test.m.ranks(x, 0, 999); got != test.want {
			t.Errorf("%+v: %d ranks, want %d", test.m, got, test.want)
		}
	}
}

// The correlation is not below the requested one, partners are distributed evenly over the range, and the result
// depends only on the seed.
func TestDraws(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	stream := rand.New(rand.NewPCG(5, 5))
	x, y := make([]float64, 20_000), make([]float64, 20_000)
	for i := range x {
		x[i], y[i] = stream.Float64(), stream.NormFloat64()
	}
	m := New()
	m.Variables, m.Top, m.Bottom, m.R0 = []string{"x", "y"}, 0, 0, share(0.8)
	d := golden.Lettered('x', x, y)
	runtime.GOMAXPROCS(1)
	one, err := golden.Apply(m, d, 3)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GOMAXPROCS(4)
	two, _ := golden.Apply(m, d, 3)
	other, _ := golden.Apply(m, d, 4)
	if one.Data.Hash() != two.Data.Hash() || one.Data.Hash() == other.Data.Hash() {
		t.Error("the seed does not decide alone")
	}
	r := stat.Correlation([][]float64{x, golden.Values(one.Data, "x")[0], y, golden.Values(one.Data, "y")[0]})
	if r[0][1] < 0.8 || r[0][1] > 0.98 || r[2][3] < 0.8 || math.Abs(r[1][3]-r[0][2]) > 0.03 {
		t.Errorf("correlations %v", r)
	}
	if again, _ := golden.Apply(m, one.Data, 3); again.Data.Hash() == d.Hash() {
		t.Error("the same seed undoes the step")
	}
	if one.Data.Origins()["x"] != microdata.Perturbed {
		t.Error("not marked as perturbed")
	}
}

// What the help says about r0: the correlation of evenly distributed values is at least r0 and comes out at 1 - (1
// - r0) / 3.
func TestCorrelationOfR0(t *testing.T) {
	x := make([]float64, 20_000)
	for i := range x {
		x[i] = float64(i)
	}
	for _, r0 := range []float64{0.95, 0.9, 0.8, 0.7} {
		m := New()
		m.Variables, m.Top, m.Bottom, m.R0 = []string{"x"}, 0, 0, &r0
		out, err := golden.Apply(m, golden.Lettered('x', x), 3)
		if err != nil {
			t.Fatal(err)
		}
		r := stat.Correlation([][]float64{x, golden.Values(out.Data)[0]})[0][1]
		if want := 1 - (1-r0)/3; math.Abs(r-want) > 0.15*(1-want) {
			t.Errorf("r0 %v: correlation %v, want about %v", r0, r, want)
		}
	}
}

func TestEdges(t *testing.T) {
	m := New()
	m.Variables, m.P = []string{"x"}, share(0.5)
	if _, err := golden.Apply(m, golden.Lettered('x', []float64{1}), 1); !errors.Is(err, method.ErrInput) ||
		!strings.Contains(err.Error(), "nothing to swap") {
		t.Errorf("one record: %v", err)
	}
	if out, err := golden.Apply(m, golden.Lettered('x', []float64{4, 4, 4}), 1); err != nil ||
		!out.Report.ChangesNothing() {
		t.Errorf("a constant: %+v, %v", out.Report, err)
	}
	m.R0 = share(0.5)
	if _, err := golden.Apply(m, golden.Lettered('x', []float64{1, 2}), 1); !errors.Is(err, method.ErrParam) {
		t.Errorf("two ranges: %v", err)
	}
	m.R0, m.P, m.Top, m.Bottom = nil, share(1), 0, 0
	d, err := golden.Lettered('x', []float64{1, 2, 30, 40, math.NaN()}).Append(golden.Column(t, "s",
		[]string{"a", "a", "b", "b", "b"}))
	if err != nil {
		t.Fatal(err)
	}
	m.Strata = []string{"s"}
	out, err := golden.Apply(m, d, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := golden.Values(out.Data, "x")[0]; !slices.Equal(got[:4], []float64{2, 1, 40, 30}) || !math.IsNaN(got[4]) {
		t.Errorf("within strata: %v", got)
	}
}

// A swapped value keeps its spelling.
func TestSpellingMoves(t *testing.T) {
	for _, test := range []struct {
		top          float64
		cells, after []string
	}{
		{0, []string{"2.50", "3.00"}, []string{"3.00", "2.50"}},
		{60, []string{"7.0", "8.0", "9.0", "6", "2"}, []string{"8", "8", "8", "2", "6"}}, // the spellings of a mean are the same
	} {
		d, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "x", test.cells)})
		if err != nil {
			t.Fatal(err)
		}
		m := New()
		m.Variables, m.P, m.Top, m.Bottom = []string{"x"}, share(1), test.top, 0
		out, err := golden.Apply(m, d, 1)
		if err != nil {
			t.Fatal(err)
		}
		for row, want := range test.after {
			if got := out.Data.Columns()[0].Text(row); got != want {
				t.Errorf("%v: %s became %s, want %s", test.cells, test.cells[row], got, want)
			}
		}
	}
}

func BenchmarkRankSwap(b *testing.B) {
	stream := rand.New(rand.NewPCG(5, 5))
	x := make([]float64, 1_000_000)
	for i := range x {
		x[i] = stream.NormFloat64()
	}
	m := New()
	m.Variables = []string{"x"}
	d := golden.Lettered('x', x)
	for b.Loop() {
		if _, err := golden.Apply(m, d, 1); err != nil {
			b.Fatal(err)
		}
	}
}
