package inference_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/risk/inference"
)

// incomes returns a total of three parts minus a fourth, rounded to cents, and unrelated variables.
func incomes(n int) (values map[string][]float64, names []string) {
	r := rand.New(rand.NewPCG(3, 4))
	values = map[string][]float64{}
	names = []string{"wage", "rent", "other", "pension", "taxes", "free", "total"}
	for range n {
		sum := 0.0
		for j, name := range names[:6] {
			x := math.Round(100*math.Exp(6+r.NormFloat64())) / 100
			if r.IntN(3) == 0 && j > 0 {
				x = 0
			}
			values[name] = append(values[name], x)
			switch {
			case name == "taxes":
				sum -= x
			case j < 4:
				sum += x
			}
		}
		values["total"] = append(values["total"], math.Round(100*sum)/100)
	}
	return values, names
}

// masked returns the data with a numeric variable changed.
func masked(tb testing.TB, data *microdata.Dataset, name string, change func(record int, x float64) float64) *microdata.Dataset {
	tb.Helper()
	column, _ := data.Column(name)
	values := make([]float64, data.Len())
	for i := range values {
		values[i] = change(i, column.Float(i))
	}
	changed, _ := golden.Named(map[string][]float64{name: values}, name).Column(name)
	return data.With(changed)
}

// A sum reveals masked and suppressed values, even if it does not hold for some records.
func TestSums(t *testing.T) {
	values, names := incomes(1000)
	for i := 7; i < 1000; i += 200 {
		values["total"][i] += 1234 // the sum does not hold for five records
	}
	was := golden.Named(values, names...)
	s := microdata.NewScenario()
	s.Numeric = []string{"total"}
	is := masked(t, was, "total", func(i int, x float64) float64 {
		switch {
		case i%10 == 0:
			return math.NaN()
		case i%2 == 0:
			return x * 1.1
		}
		return x
	})
	found := find(t, was, is, &s)
	if len(found.Sums) != 1 {
		t.Fatalf("%+v", found.Sums)
	}
	got := found.Sums[0]
	if got.Formula() != "wage + rent + other + pension - taxes" || got.Cells != 500 ||
		got.Inferred != (inference.Claims{True: 500}) || got.Holds != 0.995 || got.Base > 0.1 {
		t.Errorf("%s: %+v", got.Formula(), got)
	}
	// without the original only missing values can be inferred
	alone := find(t, nil, masked(t, was, "total", func(i int, x float64) float64 {
		if i%10 == 0 {
			return math.NaN()
		}
		return x
	}), &s)
	if len(alone.Sums) != 1 || !alone.Sums[0].Estimated || alone.Sums[0].Cells != 100 || alone.Sums[0].Inferred.All() != 100 ||
		alone.Sums[0].Inferred.False != 1 {
		t.Errorf("without the original: %+v", alone.Sums)
	}
	// with more exceptions than 1 % nothing can be inferred
	for i := 8; i < 1000; i += 80 {
		values["total"][i] += 1234
	}
	if found := find(t, golden.Named(values, names...), is, &s); len(found.Sums) != 0 {
		t.Errorf("with exceptions: %+v", found.Sums)
	}
	// if a part is not released nothing can be inferred
	s.Remove = []string{"rent"}
	if found := find(t, was, is, &s); len(found.Sums) != 0 {
		t.Errorf("without a part: %+v", found.Sums)
	}
}

// Sums of rounded numbers hold within rounding; cells that differ by no more are unchanged.
func TestSumsOfRoundedNumbers(t *testing.T) {
	for n := 1000; n < 1800; n += 100 {
		values, names := incomes(n)
		for _, name := range names {
			for i, x := range values[name] {
				values[name][i] = math.Round(x)
			}
		}
		was := golden.Named(values, names...)
		s := microdata.NewScenario()
		s.Numeric = []string{"total"}
		found := find(t, was, masked(t, was, "total", func(i int, x float64) float64 {
			return x + []float64{0.25, 300, -400, 500}[i%4]
		}), &s)
		if len(found.Sums) != 1 || found.Sums[0].Cells != n*3/4 || found.Sums[0].Inferred != (inference.Claims{True: n * 3 / 4}) {
			t.Errorf("%d records: %+v", n, found.Sums)
		}
	}
}

// Values rounded to hundreds are in the order that a correlated variable reveals.
func TestOrders(t *testing.T) {
	values, names := incomes(2000)
	r := rand.New(rand.NewPCG(5, 6))
	for i, x := range values["total"] {
		values["taxes"][i] = -x * (0.3 + r.Float64()/1e6)
		values["free"][i] = r.Float64()
	}
	was := golden.Named(values, names...)
	s := microdata.NewScenario()
	s.Numeric = []string{"total"}
	is := masked(t, was, "total", func(_ int, x float64) float64 { return 100 * math.Round(x/100) })
	found := find(t, was, is, &s)
	if len(found.Orders) != 1 {
		t.Fatalf("%+v", found.Orders)
	}
	got := found.Orders[0]
	if got.By != "taxes" || !got.Reversed || got.Pairs < 900 || got.Right < got.Pairs*99/100 ||
		got.Base < 0.5 || got.Base > 0.95 {
		t.Errorf("%+v", got)
	}
	// what the released values reveal themselves, or little more than half of the pairs, is not reported
	monotone := masked(t, was, "total", func(_ int, x float64) float64 { return x + 5 + x/10 })
	if found := find(t, was, monotone, &s); len(found.Orders) > 0 {
		t.Errorf("the order was not masked: %+v", found.Orders)
	}
	for i, x := range values["total"] {
		values["taxes"][i] = -x * (0.5 + r.Float64())
	}
	was = golden.Named(values, names...)
	if found := find(t, was, masked(t, was, "total", func(_ int, x float64) float64 { return 1000 * math.Round(x/1000) }), &s); len(found.Orders) > 0 {
		t.Errorf("correlated: %+v", found.Orders)
	}
	if found := find(t, was, was, &s); len(found.Orders)+len(found.Sums) > 0 {
		t.Errorf("nothing was masked: %+v", found)
	}
}
