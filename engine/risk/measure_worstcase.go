package risk

import (
	"context"
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// WorstCase counts records by single figures: those whose key pattern is estimated to be unique in the population,
// and those above a risk or a quantile of the risks.
type WorstCase struct {
	OnKeys
	Risk     float64 // threshold of the individual risk
	Quantile float64 // quantile of the individual risks used as a threshold
}

var _ measure.Measure = (*WorstCase)(nil)

// WorstCaseSpec describes worstcase for the catalog.
func WorstCaseSpec() measure.Spec {
	return measure.Spec{
		Name:   "worstcase",
		Groups: true,
		Title:  "worst-case risk",
		Help: "The worst-case risk of a record is 1/F, where F is the estimated population frequency of its key " +
			"pattern. It would be the individual risk if F were known: each of the F population units is equally likely to " +
			"be the respondent. The measure counts the records with F = 1, and those whose individual risk " +
			"exceeds a limit or a quantile of all risks.",
		Cite:    measure.SourceGuide,
		Columns: []measure.Column{{Name: "worst_case_risk", Title: "worst-case risk 1/F", Unit: measure.Probability}},
		Page: measure.Page{Worst: "worst_case_risk", Meaning: measure.Telling("An intruder who knows that a person is in the file, and targets the record with the highest risk, is right "+
			"with probability %s.", "highest")},
		New: func() measure.Measure { return &WorstCase{Risk: 0.05, Quantile: 0.75} },
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *WorstCase) Params() []method.Param {
	return []method.Param{
		m.OnKeys.Param(),
		method.Number(&m.Risk, "risk", "limit of the individual risk").Between(0, 1).By(0.01),
		method.Number(&m.Quantile, "quantile", "quantile of the individual risks").Between(0,
			1).By(0.05),
	}
}

// Compute counts the records in the version of the data.
func (m *WorstCase) Compute(ctx context.Context, in measure.Input, _ *progress.Meter) (measure.Values, error) {
	a, err := Of(ctx, m.OnKeys.Of(in.Current))
	if err != nil {
		return measure.Values{}, err
	}
	limit := a.RiskQuantile(m.Quantile)
	highest, ones := 0.0, 0
	for key, count := range a.table.Counts() {
		if worst := a.worstCase(key); worst > highest {
			highest = worst
		}
		if a.populationOf(key) <= 1 {
			ones += int(count)
		}
	}
	count := func(name, title string, number int) measure.Value {
		return measure.Value{Name: name, Title: title, Number: float64(number), Unit: measure.Count, Better: measure.Lower,
			Of: a.Records}
	}
	return measure.Values{Result: a,
		Numbers: []measure.Value{
			{Name: "highest", Title: "highest worst-case risk", Number: highest, Unit: measure.Probability,
				Better: measure.Lower},
			count("population_uniques", "records with F = 1", ones),
			count("above_risk", "records with a risk above "+method.FormatNumber(m.Risk), a.recordsAbove(m.Risk)),
			count("above_quantile", "records above the quantile "+method.FormatNumber(m.Quantile), a.recordsAbove(limit)),
			{Name: "quantile", Title: "the quantile " + method.FormatNumber(m.Quantile) + " of the individual risks",
				Labels: measure.Labels{ShortRow: "quantile " + method.FormatNumber(m.Quantile) + " of the risks"},
				Number: limit, Unit: measure.Probability, Better: measure.Lower},
		},
		Records: []func(int) float64{OfRecords(a.table, a.worstCase)},
		Explain: func(e *measure.Explanation, what *measure.FigureKey) { m.explain(a, e, what) },
	}, ctx.Err()
}

// populationOf returns F of a key pattern, raised to f if it is lower.
func (a *Assessment) populationOf(key int) float64 {
	return math.Max(a.frequencies.Population[key], a.frequencies.Sample[key])
}

func (a *Assessment) worstCase(key int) float64 { return 1 / a.populationOf(key) }

// riskDust is the relative difference by which equal risks may differ because of rounding in sums.
const riskDust = 1e-9

// recordsAbove returns the number of records whose individual risk is above a limit.
func (a *Assessment) recordsAbove(limit float64) int {
	records, _ := a.Distribution().Above(limit * (1 + riskDust))
	return records
}

// RiskQuantile returns a quantile (type 7) of the individual risks over all records, or NaN without records.
func (a *Assessment) RiskQuantile(p float64) float64 {
	r := a.ranking()
	place := p * float64(a.Records-1)
	low := math.Floor(place)
	x, y := r.at(int(low)), r.at(min(int(low)+1, a.Records-1))
	return x + float64((y-x)*(place-low))
}

// explain explains a figure with F and the risks.
func (m *WorstCase) explain(a *Assessment, e *measure.Explanation, what *measure.FigureKey) {
	if what.Column != "" {
		f, F := a.Frequency(what.Record)
		worst := math.Max(f, F)
		e.Name, e.Value, e.Formula = "Worst-case risk of "+nameOf(what.Record), fmt.Sprintf("%.6f", 1/worst), "1/F"
		e.Values = []string{fmt.Sprintf("F = %s, f = %s", wording.Frequency(F), wording.Frequency(f)),
			fmt.Sprintf("1/%s = %s", method.FormatNumber(worst), e.Value)}
		return
	}
	e.Formula = map[string]string{"highest": "highest 1/F", "population_uniques": "number of records with F = 1",
		"above_risk":     "number of records with r > " + method.FormatNumber(m.Risk),
		"above_quantile": "number of records with r above the quantile",
		"quantile":       "quantile of r over all records, interpolated between neighbours"}[what.Value.Name]
	e.Values = []string{wording.Counted(a.Records, "record"), "highest individual risk " +
		wording.Probability(a.HighestRisk()),
		"quantile " + method.FormatNumber(m.Quantile) + " of the individual risks " +
			wording.Probability(a.RiskQuantile(m.Quantile))}
}
