package risk

import (
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// OutstandingSpec describes records with exceptionally high risks.
func OutstandingSpec() measure.Spec {
	return assessmentMeasure(outstandingValues).spec(measure.Spec{
		Name:   "outstanding",
		Groups: true,
		Title:  "outlying risks",
		Help: "Counts the records whose risk is far above that of most records, and finds a risk threshold: the target " +
			"global risk of the scenario (default 1 %) is reached if all higher risks are reduced to the threshold.",
		Cite:    measure.SourceTempl + ", section 3.3; " + measure.SourceGuide,
		Section: "Risk",
		Page:    measure.Page{Meaning: measure.Telling("%s records have an outlying risk above 0.1: protect them first.", "above_main")},
		Shown:   measure.Screen,
		Summary: []measure.SummaryNumber{{Name: "risk_threshold"}},
	})
}

func outstandingValues(a *Assessment) measure.Values {
	threshold, needed := a.Threshold(a.options.Target)
	if !needed {
		threshold = math.NaN()
	}
	return measure.Values{Numbers: []measure.Value{
		{Name: "above_main", Title: "records with outlying risk", Labels: measure.Labels{ShortRow: "outlying risks"},
			Number: float64(a.AboveMain()),
			Unit:   measure.Count, Better: measure.Lower, Of: a.Records, Late: true},
		{Name: "risk_threshold", Title: "threshold for " + a.target() + " global risk",
			Labels: measure.Labels{ShortRow: "threshold for " + a.target()}, Number: threshold,
			Unit: measure.Probability, None: "none", Late: true},
	}, Explain: a.explainOutstanding}
}

// explainOutstanding explains the number of records above a limit.
func (a *Assessment) explainOutstanding(e *measure.Explanation, what *measure.FigureKey) {
	if what.Value.Name == "above_main" {
		e.Name, e.Source = "Records with outlying risk", measure.SourceTempl+", section 3.3"
		e.Definition = "Records whose individual risk is an outlier and above 0.1."
		e.Formula = "r_i > median(r) + 2 MAD(r) and r_i > 0.1, with MAD = 1.4826 median |r_i - median(r)|"
		e.Steps = func() []string { return a.mainSteps(e.Value) }
		return
	}
	e.Name, e.Source = "Threshold for a global risk of "+a.target(), measure.SourceGuide
	e.Definition = "The highest risk t in the file for which lowering every higher risk to t brings the sum of all risks below " + a.target() + " of the records. Records above it need protection first. No threshold is needed if the sum is already below " +
		"the target."
	e.Formula = "highest t with sum of min(r_i, t) < " + wording.Amount(a.options.Target) + " n"
	e.Steps = func() []string { return a.thresholdSteps(what.Value.Number) }
}

// mainSteps shows the calculation of the limit of the main part.
func (a *Assessment) mainSteps(above string) []string {
	r := a.ranking()
	median := r.median()
	distance := r.deviations(median).median()
	limit := median + 2*consistency*distance
	return []string{"median(r) = " + wording.Precise(median), "median |r_i - median(r)| = " + wording.Precise(distance),
		fmt.Sprintf("median + 2 MAD = %s + 2 × 1.4826 × %s = %s", wording.Precise(median), wording.Precise(distance),
			wording.Precise(limit)),
		fmt.Sprintf("limit = max(%s, 0.1) = %s", wording.Precise(limit), wording.Precise(max(limit, 0.1))),
		"records above: " + above}
}

// thresholdSteps shows the sum of the risks with those above the threshold replaced by it.
func (a *Assessment) thresholdSteps(t float64) []string {
	target := a.options.Target * float64(a.Records)
	limit := fmt.Sprintf("%s × %s = %s", wording.Precise(a.options.Target), wording.Number(a.Records),
		wording.Precise(target))
	if t != t {
		return []string{limit, "sum of r_i = " + wording.Precise(a.Expected) + ", which is already below it"}
	}
	r := a.ranking()
	sum, above := 0.0, 0
	for i, x := range r.risks {
		sum += min(x, t) * float64(r.records[i])
		if x > t {
			above += r.records[i]
		}
	}
	return []string{"t = " + wording.Precise(t), "records with a higher risk: " + wording.Number(above),
		"sum of r_i = " + wording.Precise(a.Expected),
		"sum of min(r_i, t) = " + wording.Precise(sum) + ", which is below", limit}
}

// target formats the target global risk: "1 %".
func (a *Assessment) target() string {
	return wording.Limit(a.options.Target)
}
