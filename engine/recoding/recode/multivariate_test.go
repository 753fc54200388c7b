package recode_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

func multivariate(names ...string) *recode.Multivariate {
	m := recode.MultivariateSpec().New().(*recode.Multivariate)
	m.Decimals = numeric.Computed
	m.Variables = names
	return m
}

// normals returns two correlated variables; every fiftieth record is far from their line without an extreme value
// in either.
func normals(n int) *microdata.Dataset {
	stream := rand.New(rand.NewPCG(8, 9))
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		a := stream.NormFloat64()
		x[i], y[i] = 100+10*a, 50+5*a+0.3*stream.NormFloat64()
		if i%50 == 0 {
			y[i] = 50 - 5*a + 6
		}
	}
	return golden.Lettered('x', x, y)
}

// Records within the limit stay, and those outside are moved to it in their direction; for normal data about the
// given share is within.
func TestRecordsMoveToTheBorder(t *testing.T) {
	d := normals(4000)
	m := multivariate("x", "y")
	out, err := golden.Apply(m, d, 0)
	if err != nil {
		t.Fatal(err)
	}
	before, after := golden.Values(d), golden.Values(out.Data)
	robust, err := stat.NewMCD(t.Context(), before)
	if err != nil {
		t.Fatal(err)
	}
	border, outside := math.Sqrt(7.377758908), 0 // the 0.975 quantile of χ² with 2 degrees of freedom
	v := robust.Covariance
	for i := range before[0] {
		var was, is [2]float64
		for j := range was {
			was[j], is[j] = before[j][i]-robust.Center[j], after[j][i]-robust.Center[j]
		}
		det := v[0][0]*v[1][1] - v[0][1]*v[0][1]
		distance := func(u [2]float64) float64 {
			return math.Sqrt((u[0]*u[0]*v[1][1] - 2*u[0]*u[1]*v[0][1] + u[1]*u[1]*v[0][0]) / det)
		}
		if d := distance(was); d <= border {
			if was != is {
				t.Fatalf("record %d at distance %v moved", i, d)
			}
			continue
		}
		outside++
		if got := distance(is); math.Abs(got-border) > 1e-6 || math.Abs(was[0]*is[1]-was[1]*is[0]) > 1e-6 ||
			was[0]*is[0]+was[1]*is[1] <= 0 {
			t.Fatalf("record %d went to distance %v, or in another direction", i, got)
		}
	}
	// 80 records are outliers; of the others 0.025 are outside, plus or minus five standard deviations.
	if outside < 80+98-50 || outside > 80+98+50 {
		t.Errorf("%d of 4,000 records are outside", outside)
	}
	if !strings.HasSuffix(out.Report.Effect, " of 4,000 records moved to the border") ||
		out.Data.Origins()["x"] != microdata.Perturbed {
		t.Errorf("report %+v, origins %v", out.Report, out.Data.Origins())
	}
}

func TestSameOnAnyNumberOfProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	d := normals(3000)
	runtime.GOMAXPROCS(1)
	one, err := golden.Apply(multivariate("x", "y"), d, 0)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GOMAXPROCS(4)
	if two, _ := golden.Apply(multivariate("x", "y"), d, 0); two.Data.Hash() != one.Data.Hash() {
		t.Error("depends on the number of processors")
	}
}

func TestEdges(t *testing.T) {
	constant := []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, math.NaN()}
	varying := []float64{1, 2, 3, 4, 5, 6, 7, 8, 1000, 1e9}
	d, err := golden.Lettered('x', varying, constant).Append(golden.Column(t, "s", strings.Fields("a a a a a a a a a b")))
	if err != nil {
		t.Fatal(err)
	}
	m := multivariate("x", "y")
	out, err := golden.Apply(m, d, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := golden.Values(out.Data)
	if got[0][8] >= 100 || got[0][8] <= 8 || got[0][0] != 1 || got[0][9] != 1e9 || got[1][0] != 0.1 ||
		!math.IsNaN(got[1][9]) {
		t.Errorf("%v", got)
	}
	if out, err := golden.Apply(multivariate("y"), d, 0); err != nil || !out.Report.ChangesNothing() {
		t.Errorf("a constant: %+v, %v", out.Report, err)
	}
	if out, err := golden.Apply(multivariate("x"), d.Select([]uint32{3}), 0); err != nil || !out.Report.ChangesNothing() {
		t.Errorf("one record: %+v, %v", out.Report, err)
	}
	for what, d := range map[string]*microdata.Dataset{
		"mostly equal": golden.Lettered('x', []float64{0, 0, 0, 0, 0, 0, 5, 9}),
		"line":         golden.Lettered('x', []float64{1, 2, 3, 4, 5, 6, 9, 8}, []float64{2, 4, 6, 8, 10, 12, 18, 16}),
		"infinite":     golden.Lettered('x', []float64{1, 2, math.Inf(1), 4}),
		"two":          golden.Lettered('x', []float64{1, 2}),
	} {
		m := multivariate("x")
		if len(d.Columns()) > 1 {
			m = multivariate("x", "y")
		}
		if _, err := golden.Apply(m, d, 0); !errors.Is(err, method.ErrInput) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func BenchmarkMultivariate(b *testing.B) {
	d := generated.Survey(b, 100_000, 7, "income", "expend")
	scenario := microdata.NewScenario()
	for b.Loop() {
		if _, err := multivariate("income", "expend").Apply(b.Context(), method.Input{Data: d, Scenario: &scenario},
			nil); err != nil {
			b.Fatal(err)
		}
	}
}
