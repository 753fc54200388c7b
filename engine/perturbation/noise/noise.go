// Package noise adds random noise to numeric variables: independent noise, or noise that preserves means and
// covariances.
//
//	m := noise.New()
//	m.Variables, m.Method = []string{"income", "savings"}, noise.Restricted
//	out, err := m.Apply(ctx, method.Input{Data: data, Scenario: &scenario, Seed: seed}, nil)
package noise

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// StepName is the name of the method in scripts.
const StepName = "noise"

// Kinds of noise.
const (
	Additive       = "additive"
	Uniform        = "uniform"
	AdditiveZero   = "additive0"
	Multiplicative = "multiplicative"
	Correlated     = "correlated"
	Robust         = "robust"
	Kim            = "correlated2"
	Brand          = "brand"
	Restricted     = "restricted"
	ROMM           = "romm"
	Outliers       = "outliers"
)

// Noise adds random noise to the values of numeric variables. A record with a missing value in one of them is left
// as it is. Each stratum has its own means, standard deviations and covariances. A constant variable stays as it
// is. Under correlated noise, a variable that is a linear combination of others remains one.
type Noise struct {
	Variables  []string
	Method     string
	Percent    float64 // c = Percent/100
	Delta      float64 // for Kim
	P          float64 // for ROMM
	Strata     []string
	Households bool // draw noise for one record per household and give all members its result

	numeric.Treatment
}

var _ method.Applier = (*Noise)(nil)

// New returns the method with its defaults: additive noise of 150 percent. The
// variables must be set.
func New() *Noise {
	return &Noise{Method: Additive, Percent: 150, Delta: 0.1, P: 0.001, Treatment: numeric.DefaultTreatment()}
}

// Spec describes noise for the catalog.
func Spec() method.Spec {
	return method.Spec{
		Name:  StepName,
		Title: "Noise",
		Help: "Adds random numbers to the values. Noise can also be added to weights, provided that none becomes 0 or " +
			"negative. c is percent / " +
			"100, sd the standard deviation of a variable, V the covariance matrix of the complete records.\n" +
			"- additive: x + N(0, (c sd)²).\n" +
			"- uniform: x + U(-√3 c sd, √3 c sd).\n" +
			"- additive0: like additive, but zeros stay zero.\n" +
			"- multiplicative: x (1 + e), e ~ N(0, c²), not below -1.\n" +
			"- correlated: x + N(0, c V), which keeps correlations; the covariance grows to (1 + c) V.\n" +
			"- robust: like correlated, with V estimated by MCD so that a few large values do not dominate the noise.\n" +
			"- correlated2 (Kim): x √(1-d²) + d z, with d = delta and z normal with covariance V and mean " +
			"(1-√(1-d²))/d times the mean of x.\n" +
			"- brand: k (x + N(0, c V)) + (1-k) mean, k = √((n-1) / (n (1+c) - 1)). Like correlated2, it preserves the " +
			"expected mean and covariance.\n" +
			"- restricted: x + N(0, c V), rotated and scaled so that mean and covariance are kept exactly.\n" +
			"- romm: a random orthogonal transformation of the records, close to the identity for small p; it keeps " +
			"mean and covariance exactly.\n" +
			"- outliers: additive, only for records above the 99 % quantile of a variable or with a robust distance " +
			"above the 0.975 quantile for normally distributed data.",
		Cite: "Kim (1986), Proceedings of the Survey Research Methods Section, American Statistical Association, 370-374; " +
			"Brand (2002), Inference Control in Statistical Databases, 97-116; Ting, Fienberg and Trottini (2008), Journal " +
			"of Privacy and Confidentiality; Hundepool et al. (2012), section 3.4; Templ (2017), section 4.3.2",
		Sample:  `{"variables":["income","expend"]}`,
		New:     func() method.Method { return New() },
		Version: 4,
		Former:  numeric.FormerDefaults(4),
		Draws:   method.Always,
		Sampled: true,
		Grades:  method.Of((*Noise).grades),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Noise) Params() []method.Param {
	return append([]method.Param{
		method.Variables(&m.Variables, "variables",
			"numeric variables to add noise to").Needed().Among(method.NumericVariables).Masked(),
		method.Choice(&m.Method, "method", "the kind of noise",
			Additive, Uniform, AdditiveZero, Multiplicative, Correlated, Robust, Kim, Brand, Restricted, ROMM, Outliers),
		method.Number(&m.Percent, "percent", "amount of noise, 100 c; not for correlated2 and romm").Between(0,
			10_000).By(10).CountsIf(func() bool { return m.Method != Kim && m.Method != ROMM }),
		method.Number(&m.Delta, "delta", "correlated2: share d of the noise").Between(0,
			1).By(0.05).CountsIf(func() bool { return m.Method == Kim }),
		method.Number(&m.P, "p", "romm: amount of perturbation; 0: no change").Between(0,
			1000).By(0.001).CountsIf(func() bool { return m.Method == ROMM }),
		method.Variables(&m.Strata, "strata",
			"stratum variables: the method is applied separately to each combination of their categories"),
		numeric.HouseholdsParam(&m.Households),
	}, m.Treatment.Params("10 records")...)
}

// strength returns the parameter for the amount of noise of the selected kind, and its value.
func (m *Noise) strength() (param string, amount float64) {
	switch m.Method {
	case Kim:
		return "delta", m.Delta
	case ROMM:
		return "p", m.P
	}
	return "percent", m.Percent
}

// grades returns grades of the amount of noise.
func (m *Noise) grades() method.Grades {
	param, now := m.strength()
	return method.NewGrades(param, now, map[string][]float64{
		"delta":   {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9},
		"p":       {0.0001, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10},
		"percent": {1, 5, 10, 20, 30, 50, 75, 100, 150, 200},
	}[param]...)
}

// Narrate states what the step did.
func (m *Noise) Narrate(*method.Report) string {
	return fmt.Sprintf("Random noise was added to values of %s.", strings.Join(m.Variables, ", "))
}

func (m *Noise) title() string {
	param, amount := m.strength()
	text := fmt.Sprintf("noise %s: %s, %s %v", strings.Join(m.Variables, ", "), m.Method, param, amount)
	if param == "percent" {
		text = fmt.Sprintf("noise %s: %s, %v %%", strings.Join(m.Variables, ", "), m.Method, amount)
	}
	return method.ByStrata(text, m.Strata)
}

// Apply adds the noise. An error that wraps method.ErrInput reports that a stratum has fewer than two complete
// records, or three if mean and covariance are preserved, or that there is no robust covariance. Time and memory
// are O(n) for n records.
func (m *Noise) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (method.Output, error) {
	if !m.Households {
		return m.apply(ctx, in, meter)
	}
	return numeric.OncePerHousehold(ctx, in, m.Variables, m.Strata, (*microdata.Column).PerturbedWith, meter, m.apply)
}

// apply adds noise to the given records.
func (m *Noise) apply(ctx context.Context, in method.Input, meter *progress.Meter) (none method.Output, _ error) {
	table, err := numeric.New(ctx, in, numeric.Request{Param: "variables", Variables: m.Variables, Strata: m.Strata,
		Treatment: m.Treatment})
	if err != nil {
		return none, err
	}
	defer table.Free()
	for _, stratum := range table.Strata {
		if err := m.enough(stratum); err != nil {
			return none, err
		}
	}
	meter.Start(int64(len(table.Rows)))
	masked, warnings, err := m.add(ctx, table, table.Seed(in), meter)
	if err != nil {
		return none, err
	}
	out, err := table.Output(ctx, in, m.title(), masked, (*microdata.Column).PerturbedWith)
	if err != nil {
		return none, err
	}
	sums, err := positiveWeights(in, table, masked)
	if err != nil {
		return none, err
	}
	err = table.AddDeviations(ctx, &out.Report, masked)
	out.Report.Warnings = slices.Concat(sums, warnings, out.Report.Warnings)
	return out, err
}

// enough reports a stratum with too few complete records. Two records have only one set of values with given mean
// and covariance.
func (m *Noise) enough(stratum numeric.Stratum) error {
	n := len(stratum.Records)
	has := stratum.Where() + " has " + wording.Counted(n, "record") + " without a missing value"
	switch {
	case n < 2:
		return fmt.Errorf("%w: %s, and nothing varies there", method.ErrInput, has)
	case n < 3 && (m.Method == Restricted || m.Method == ROMM):
		return fmt.Errorf("%w: %s; keeping mean and covariance needs at least 3; use fewer strata, or another kind of noise", method.ErrInput, has)
	}
	return nil
}

// positiveWeights reports weights made non-positive by noise, which would make estimation impossible, and warns of
// a change in the population total.
func positiveWeights(in method.Input, table *numeric.Table, masked [][]float64) (sums []string, _ error) {
	for j, column := range table.Columns {
		if column.Name() != in.Scenario.Weight {
			continue
		}
		before, after, low := 0.0, 0.0, 0
		for i, w := range masked[j] {
			before += table.Values[j][i]
			after += w
			if w <= 0 {
				low++
			}
		}
		if low > 0 {
			return nil,
				fmt.Errorf("%w: %s of %q would be 0 or negative and useless for estimates; use less noise, such as multiplicative with "+
					"10 percent",
					method.ErrInput, wording.Counted(low, "weight"), column.Name())
		}
		sums = append(sums, fmt.Sprintf("the sum of the weights is %s, before %s", wording.Amount(after),
			wording.Amount(before)))
	}
	return sums, nil
}

// add returns the values with noise, by variable, and the first warning of a stratum.
func (m *Noise) add(ctx context.Context, table *numeric.Table, seed uint64,
	meter *progress.Meter) (masked [][]float64, warnings []string, _ error) {
	draws, err := table.Draws(ctx, seed, purpose, m.draw())
	if err != nil {
		return nil, nil, err
	}
	masked, err = table.Each(ctx, meter, func(stratum numeric.Stratum, values [][]float64) ([][]float64, error) {
		out, warning, err := m.masked(ctx, values, stratum.Picked(draws))
		if warning != "" && warnings == nil {
			warnings = []string{warning}
		}
		return out, err
	})
	return masked, warnings, err
}
