// Package tradeoff summarises masked numeric data in a few figures: how many records can still be identified, and
// how far the values deviate. Each figure is that of a measure of the catalog with the same name. Together they
// are fast enough to be updated while a parameter is changed.
//
//	figures, err := tradeoff.Of(ctx, data.Source(), data, []string{"income"}, false, nil)
//	fmt.Println(figures.Linkage(), figures.Loss())
package tradeoff

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
	"github.com/sdcdesk/sdcdesk/engine/risk/linkage"
	"github.com/sdcdesk/sdcdesk/engine/risk/numericrisk"
	"github.com/sdcdesk/sdcdesk/engine/utility/loss"
)

// IntervalK is the half-width of the interval of the interval risk, in standard deviations of the masked variable.
const IntervalK = 0.05

// Figures has the risk and loss of masked numeric data.
type Figures struct {
	// Set has the values under the measures to which they belong, as shown in what-ifs: the interval risk and the
	// distance-based linkage; IL1s per cell, the mean variation of means and covariances, and the mean absolute
	// error of correlations, which does not exist for one variable.
	measure.Set
	Records    int // records compared
	Incomplete int // records omitted because a value is missing or infinite
	Sample     int // number of records in the sample used; 0: all
}

// Interval returns the share of records for which every original value lies within IntervalK standard deviations
// of the masked one, or NaN without records.
func (f *Figures) Interval() float64 { return f.number(numericrisk.Name, "interval_risk") }

// Linkage returns the share of masked records whose nearest original record is their own, or NaN without records.
func (f *Figures) Linkage() float64 { return f.number(linkage.Name, "linkage") }

// Loss returns IL1s per cell: the mean deviation of a cell in standard deviations, divided by the root of 2, or
// NaN if all variables are constant.
func (f *Figures) Loss() float64 { return f.number(loss.Name, "il1s_per_cell") }

func (f *Figures) number(name, value string) float64 {
	if v := f.Value(name, value, 0); v != nil {
		return v.Number
	}
	return math.NaN()
}

// Numeric returns the variables that are numeric in both versions of the data.
func Numeric(original, masked *microdata.Dataset, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return numeric.Unpaired(original, masked, []string{name}) != ""
	})
}

// Of compares the variables of two versions of the same records, in O(n log n) time for few variables. If sampled
// is set and there are more than method.SampleAbove records, it uses those of method.Sampled. Linkage is higher
// among fewer records, so figures of a sample are comparable only with those of the same sample. It returns nil if
// no variable is numeric. The meter reports the progress of linkage.
func Of(ctx context.Context, original, masked *microdata.Dataset, names []string, sampled bool,
	meter *progress.Meter) (*Figures, error) {
	if names = Numeric(original, masked, names); len(names) == 0 {
		return nil, nil
	}
	f := &Figures{}
	if n := masked.Len(); sampled && n > method.SampleAbove {
		rows := method.Sampled(n)
		original, masked, f.Sample = original.Select(rows), masked.Select(rows), len(rows)
	}
	pairs, err := numeric.NewPairs(ctx, original, masked, names)
	if err != nil {
		return nil, err
	}
	f.Records, f.Incomplete = len(pairs.Rows), pairs.Incomplete
	meter.Start(int64(len(pairs.Rows)))
	linked, err := linkage.ByDistance(ctx, pairs, meter)
	if err != nil {
		return nil, err
	}
	lost := &loss.Numeric{Variables: names}
	f.Set = measure.Set{
		entry(numericrisk.Spec(), numericrisk.New(), named(numericrisk.IntervalRisk(pairs, IntervalK),
			fmt.Sprintf("interval risk (k = %v)", IntervalK), "interval risk")),
		entry(linkage.Spec(), linkage.New(), named(linked, "distance-based linkage", "linkage")),
		entry(loss.Spec(), lost, lostOf(pairs)...),
	}
	return f, ctx.Err()
}

// lostOf selects the loss figures from the values of the measure for pairs.
func lostOf(pairs *numeric.Pairs) (lost []measure.Value) {
	of := measure.Set{{Values: measure.Values{Numbers: loss.OfPairs(pairs)}}}
	for _, figure := range []struct {
		measure.Value
		what, short string
	}{
		{Value: measure.Value{Name: "il1s_per_cell"}},
		{measure.Value{Name: "mean_variation", Part: "means", Unit: measure.Mean}, "dev. means", "dev. means"},
		{measure.Value{Name: "mean_variation", Part: "covariances", Unit: measure.Mean}, "dev. covariances", "dev. cov."},
		{measure.Value{Name: "mean_absolute_error", Part: "correlations"}, "dev. correlations", "dev. corr."},
	} {
		v := *of.Like("", &figure.Value)
		if figure.Part == "correlations" && len(pairs.Names) == 1 {
			continue
		}
		v.Unit = figure.Unit
		lost = append(lost, named(v, cmp.Or(figure.what, v.Title), cmp.Or(figure.short, v.Title)))
	}
	return lost
}

func named(v measure.Value, name, short string) measure.Value {
	v.Labels.WhatIf, v.Labels.ShortWhatIf = name, short
	return v
}

// entry returns the values of a measure in the form used by what-ifs.
func entry(spec measure.Spec, m measure.Measure, numbers ...measure.Value) measure.Entry {
	spec.Shown = measure.WhatIf
	return measure.Entry{Spec: spec, Measure: m, Values: measure.Values{Numbers: numbers}}
}
