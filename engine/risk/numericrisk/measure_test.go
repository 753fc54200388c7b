package numericrisk_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
	"github.com/sdcdesk/sdcdesk/engine/risk/numericrisk"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

func compute(tb interface {
	Helper()
	Fatal(args ...any)
	Context() context.Context
}, r *numericrisk.Risk, was, now *microdata.Dataset) measure.Entry {
	tb.Helper()
	scenario := microdata.NewScenario()
	in := measure.Input{Original: measure.NewVersion(was, &scenario, nil),
		Current: measure.NewVersion(now, &scenario, nil)}
	entry, err := numericrisk.Spec().Compute(tb.Context(), in, r, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return entry
}

func part(tb testing.TB, e *measure.Entry, name, part string) float64 {
	tb.Helper()
	v := measure.Set{*e}.Like("numericrisk", &measure.Value{Name: name, Part: part})
	if v == nil {
		tb.Fatalf("there is no %s %s", name, part)
		return 0
	}
	return v.Number
}

// The shares are those of sdcMicro for every microaggregation in the reference file.
func TestReference(t *testing.T) {
	number := -1
	golden.NumericCases(t, func(t *testing.T, was *microdata.Dataset, variables []string, c golden.NumericCase) {
		if number++; !longtests.Some(number, 4) {
			t.Skip("one case of four: runs where SDCDESK_LONG_TESTS is set")
		}
		m := microaggregation.New()
		m.Variables, m.Method, m.Size, m.Decimals = variables, c.Method, c.Size, numeric.Computed
		scenario := microdata.NewScenario()
		out, err := method.Apply(t.Context(), m, method.Input{Data: was, Scenario: &scenario}, nil)
		if err != nil {
			t.Fatal(err)
		}
		r := numericrisk.New()
		r.Variables = variables
		entry := compute(t, r, was, out.Data)
		for k, share := range c.Interval {
			if got := part(t, &entry, "interval_risk", k); math.Abs(got-share) > 1e-9 {
				t.Errorf("interval risk %s is %v, want %v", k, got, share)
			}
		}
	})
}

// Computed by hand: masked values 10, 20, 30, 40, 50 have the standard deviation 15.81; the distances to the
// original ones are 2, 0, 20, 1 and 0.
func TestByHand(t *testing.T) {
	was, now := golden.Numbers(t, [][]float64{{12, 20, 50, 41, 50}}), golden.Numbers(t, [][]float64{{10, 20, 30, 40, 50}})
	r := numericrisk.New()
	r.Variables, r.K, r.RankPercent, r.Outlier = []string{"a"}, []float64{0, 0.1, 2}, []float64{0, 20, 40}, 75
	entry := compute(t, r, was, now)
	for _, want := range []struct {
		name, part string
		number     float64
	}{{"interval_risk", "k0", 0.4}, {"interval_risk", "k0.1", 0.6}, {"interval_risk", "k2", 1},
		// 12 is between the 1st and 2nd masked value, 50 is two ranks above 30, 41 one above 40
		{"rank_interval", "p0", 0.4}, {"rank_interval", "p20", 0.8}, {"rank_interval", "p40", 1},
		// the 75th percentile of the original values is 50, and no value is above
		{"outliers", "", 0}, {"outliers_original", "", 0}, {"records", "", 5}} {
		if got := part(t, &entry, want.name, want.part); math.Abs(got-want.number) > 1e-12 {
			t.Errorf("%s %s is %v, want %v", want.name, want.part, got, want.number)
		}
	}
	r.Outlier = 50 // 41: records 3 and 5 were above, record 5 still is
	entry = compute(t, r, was, now)
	if a, b, c := part(t, &entry, "outliers_original", ""), part(t, &entry, "outliers", ""), part(t, &entry,
		"outliers_kept", ""); a != 2 || b != 1 || c != 1 {
		t.Errorf("outliers %v, %v, %v", a, b, c)
	}
	if got := entry.Values.Record(1)(2); got != 40 {
		t.Errorf("the ranks reach record 3 from %v percent", got)
	}
}

// Comparing every record with every other one gives the same result.
func TestNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, n := rapid.IntRange(1, 3).Draw(t, "p"), rapid.IntRange(8, 24).Draw(t, "n")
		x, y := make([][]float64, p), make([][]float64, p)
		for j := range p {
			x[j] = rapid.SliceOfN(rapid.Float64Range(-9, 9), n, n).Draw(t, "x")
			y[j] = make([]float64, n)
			for i := range n {
				y[j][i] = math.Round(x[j][i]*3)/3 + float64(rapid.IntRange(-1, 1).Draw(t, "e"))/10
			}
		}
		r := numericrisk.New()
		r.Variables, r.RMDK, r.RMDK2 = []string{"a", "b", "c"}[:p], 0.5, 0.2
		entry := compute(t, r, golden.Numbers(t, x), golden.Numbers(t, y))
		for i := range n {
			if got, want := entry.Values.Record(1)(i), naiveRanks(x, y, i); math.Abs(got-want) > 1e-9 {
				t.Fatalf("ranks reach record %d from %v percent, want %v", i, got, want)
			}
		}
		checkRobust(t, &entry, x, y, r)
		z := stat.Standardised(y)
		for i := range n {
			if entry.Values.Record(3)(i) != 1 {
				continue
			}
			want := 1.0
			for other := range n {
				d := 0.0
				for j := range p {
					d += (z[j][i] - z[j][other]) * (z[j][i] - z[j][other])
				}
				if other != i && d <= 0.2*0.2 {
					want = 0
				}
			}
			if got := entry.Values.Record(4)(i); got != want {
				t.Fatalf("RMDID2 of record %d is %v, want %v", i, got, want)
			}
		}
	})
}

// checkRobust recomputes RMDID1, its weighted form and the robust distances.
func checkRobust(t *rapid.T, entry *measure.Entry, x, y [][]float64, r *numericrisk.Risk) {
	was, now, n := stat.Standardised(x), stat.Standardised(y), len(x[0])
	mcd, err := stat.NewMCD(t.Context(), was)
	if err != nil {
		return
	}
	// the mean of standardised values is 0
	squares, err := stat.Mahalanobis(was, make([]float64, len(was)), mcd.Covariance)
	if err != nil {
		t.Fatal(err)
	}
	inside, sum, alone, sumAlone := 0.0, 0.0, 0.0, 0.0
	for i, square := range squares {
		d := 0.05 * math.Sqrt(square)
		if got := entry.Values.Record(2)(i); math.Abs(20*d-got) > 1e-6*math.Max(1, got) {
			t.Fatalf("the robust distance of record %d is %v, want %v", i, got, 20*d)
		}
		near := false
		for j := range was {
			near = near || math.Abs(was[j][i]-now[j][i]) < r.RMDK*d
		}
		if near {
			inside, sum = inside+1, sum+d
			alone += entry.Values.Record(4)(i)
			sumAlone += entry.Values.Record(4)(i) * d
		}
	}
	for name, want := range map[string]float64{"rmdid1": inside / float64(n), "rmdid1w": inside / float64(n) * sum,
		"rmdid2": alone / float64(n), "rmdid2w": alone / float64(n) * sumAlone} {
		if got := entry.Value(name, 0).Number; math.Abs(got-want) > 1e-6*math.Max(1, want) {
			t.Fatalf("%s is %v, want %v", name, got, want)
		}
	}
}

// naiveRanks extends the interval of ranks one by one.
func naiveRanks(x, y [][]float64, i int) float64 {
	most := 0
	for j := range x {
		sorted := slices.Sorted(slices.Values(y[j]))
		first := slices.Index(sorted, y[j][i])
		last := first
		for last+1 < len(sorted) && sorted[last+1] == sorted[first] {
			last++
		}
		for m := 0; ; m++ {
			below := first-m <= 0 || sorted[first-m] <= x[j][i]
			above := last+m >= len(sorted)-1 || x[j][i] <= sorted[last+m]
			if below && above {
				most = max(most, m)
				break
			}
		}
	}
	return 100 * float64(most) / float64(len(x[0]))
}

// Missing, infinite and constant values, and files of very few records, have well-defined results.
func TestPlainAnswers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	r := numericrisk.New()
	r.Variables = []string{"a", "b"}
	was, now := golden.Numbers(t, [][]float64{{1, nan, 3, 4}, {5, 5, inf, 5}}), golden.Numbers(t,
		[][]float64{{1, 2, 3, 4}, {5, 5, 5, 5}})
	entry := compute(t, r, was, now)
	if got := part(t, &entry, "records", ""); got != 2 || !math.IsNaN(entry.Values.Record(0)(1)) {
		t.Errorf("%v records, of the incomplete one %v", got, entry.Values.Record(0)(1))
	}
	if v := entry.Value("rmdid1", 0); v.Text() != "half of the records lie on a plane" {
		t.Errorf("RMDID1 of constant values is %q", v.Text())
	}
	for _, values := range [][]float64{{}, {1}} {
		few := golden.Numbers(t, [][]float64{values, values})
		entry := compute(t, r, few, few)
		if got := entry.Value("rmdid1", 0); !math.IsNaN(got.Number) || got.Text() != "too few records" {
			t.Errorf("RMDID1 of %d records is %v", len(values), got.Text())
		}
	}
	if none := compute(t, &numericrisk.Risk{Variables: []string{"c"}}, was,
		now); none.NotApplicable != "the file has no variable c" {
		t.Errorf("of a variable that is not there: %q", none.NotApplicable)
	}
}

// 100,000 records need no matrix of records: at most 500 MB in total.
func BenchmarkNumericRisk(b *testing.B) {
	was, now := golden.Masked(b, 100_000)
	r := numericrisk.New()
	r.Variables = []string{"a", "b", "c"}
	b.ReportAllocs()
	for b.Loop() {
		compute(b, r, was, now)
	}
}
