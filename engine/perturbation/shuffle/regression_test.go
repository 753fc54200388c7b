package shuffle

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// General additive data perturbation preserves means and covariances, including those with the predictors, and
// changes the values.
func TestAdditiveKeepsMomentsExactly(t *testing.T) {
	d := joint(t, 400)
	out, err := golden.Apply(of(Additive), d, 5)
	if err != nil {
		t.Fatal(err)
	}
	moments := func(d *microdata.Dataset) (stat.Matrix, []float64) {
		all := [][]float64{cells(d, "a"), cells(d, "b"), cells(d, "p"), cells(d, "g")}
		return stat.Covariance(all), stat.Means(all)
	}
	was, means := moments(d)
	is, now := moments(out.Data)
	for i := range was {
		if math.Abs(means[i]-now[i]) > 1e-9*(1+math.Abs(means[i])) {
			t.Errorf("mean %d was %v, is %v", i, means[i], now[i])
		}
		for j := range was {
			if math.Abs(was[i][j]-is[i][j]) > 1e-9*(1+math.Abs(was[i][j])) {
				t.Errorf("covariance %d, %d was %v, is %v", i, j, was[i][j], is[i][j])
			}
		}
	}
	if before, after := cells(d, "a"), cells(out.Data, "a"); stat.Correlation([][]float64{before, after})[0][1] > 0.9 ||
		after[0] == before[0] {
		t.Errorf("%v became %v", before[0], after[0])
	}
}

// All estimators preserve the dependence of normal data; robust ones do so even if every tenth record is an
// outlier.
func TestEstimates(t *testing.T) {
	for _, contradicted := range []bool{false, true} {
		draw := rand.New(rand.NewPCG(8, 9))
		text := make([][]string, 3)
		for i := range many / 2 {
			p := draw.NormFloat64()
			a := 0.8*p + 0.6*draw.NormFloat64()
			b := 0.6*p + 0.8*draw.NormFloat64()
			if contradicted && i%10 == 0 {
				p, a, b = 4, -8, -8
			}
			for j, x := range []float64{a, b, p} {
				text[j] = append(text[j], number(x))
			}
		}
		d := dataset(t, text, "a", "b", "p")
		for i, how := range []Estimates{{Pearson, LeastSquares, false}, {Spearman, LeastSquares, false}, {MCD, LeastSquares, false},
			{Default, MM, false}, {MCD, MM, false}} {
			for j, what := range []string{DataShuffling, Normal} {
				// The estimators that are sensitive to outliers are tested with outliers, the others without.
				if !longtests.Some(i+j, 2) || !longtests.Wanted() && contradicted != (i == 1 || i == 2 || i == 4) {
					continue
				}
				m := New()
				m.Decimals = numeric.Computed
				m.Responses, m.Predictors, m.Method, m.Estimates = []string{"a", "b"}, []string{"p"}, what, how
				out, err := golden.Apply(m, d, 7)
				if err != nil {
					t.Fatal(how, err)
				}
				// Within records with equal predictors, the values are shuffled as well.
				a, p := cells(out.Data, "a"), cells(d, "p")
				var x, y []float64
				for i := range a {
					if math.Abs(p[i]) < 3.5 && a[i] > -5 {
						x, y = append(x, a[i]), append(y, p[i])
					}
				}
				r := stat.Correlation([][]float64{stat.Ranks(x), stat.Ranks(y)})[0][1]
				want, robust := 6/math.Pi*math.Asin(0.8/2), how.Correlation == MCD
				switch {
				case !contradicted && math.Abs(r-want) > tolerance:
					t.Errorf("%s by %+v: the correlation is %v, want %v", what, how, r, want)
				case contradicted && robust && r < 0.5:
					t.Errorf("%s by %+v: with outliers the correlation is %v", what, how, r)
				case contradicted && !robust && what == Normal && r > 0.4:
					t.Errorf("%s by %+v: outliers have no part in %v", what, how, r)
				}
			}
		}
	}
}

// Records count by their weights if that is asked for.
func TestWeightedEstimates(t *testing.T) {
	draw := rand.New(rand.NewPCG(2, 3))
	text := make([][]string, 3)
	for i := range 4000 {
		p, sign, weight := draw.NormFloat64(), -1.0, "1"
		if i%2 == 0 {
			sign, weight = 1, "50"
		}
		for j, cell := range []string{number(sign*p + 0.3*draw.NormFloat64()), number(p), weight} {
			text[j] = append(text[j], cell)
		}
	}
	d := dataset(t, text, "a", "p", "w")
	scenario := microdata.NewScenario()
	scenario.Weight = "w"
	for _, regression := range []string{LeastSquares, MM} {
		for _, what := range []string{DataShuffling, Linear, Additive} {
			m := New()
			m.Decimals = numeric.Computed
			m.Responses, m.Predictors, m.Method = []string{"a"}, []string{"p"}, what
			m.Weighted, m.Regression = true, regression
			out, err := m.Apply(t.Context(), method.Input{Data: d, Scenario: &scenario, Seed: 3}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if r := stat.Correlation([][]float64{cells(out.Data, "a"), cells(d, "p")})[0][1]; r < 0.6 {
				t.Errorf("%s, %s: the correlation is %v", what, regression, r)
			}
			if !strings.Contains(out.Report.Title, "weighted") {
				t.Error(out.Report.Title)
			}
		}
	}
	m := New()
	m.Decimals = numeric.Computed
	m.Responses, m.Predictors, m.Weighted = []string{"a"}, []string{"p"}, true
	if _, err := golden.Apply(m, d, 1); !errors.Is(err, method.ErrParam) || !strings.Contains(err.Error(), "no weight") {
		t.Error(err)
	}
	// Most of the records have one value: the error of the robust estimators says what can be done.
	for i := range text[0] {
		if i%5 > 0 {
			text[0][i] = "0"
		}
	}
	m.Weighted, m.Correlation = false, MCD
	m.Method = Linear
	if _, err := golden.Apply(m, dataset(t, text, "a", "p", "w"), 1); !errors.Is(err, method.ErrInput) {
		t.Error(err)
	}
}
