package risk

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Target is the global risk that a threshold is told for.
const Target = 0.01

// OutstandingSpec describes which risks stand out.
func OutstandingSpec() measure.Spec {
	return assessed{outstandingValues, explainOutstanding}.spec(measure.Spec{
		Name:  "outstanding",
		Title: "records that stand out",
		Help: "Counts the records whose individual risk lies above the main part of the risks, and finds the threshold for a global risk of 1 %: the " +
			"highest of the file's own risks such that lowering every risk above it to it would be enough.",
		Cite:    measure.SourceTempl + ", section 3.3; " + measure.SourceGuide,
		Section: "Risk",
		Shown:   measure.Screen,
	})
}

func outstandingValues(a *Assessment) measure.Values {
	threshold, needed := a.Threshold(Target)
	if !needed {
		threshold = math.NaN()
	}
	return measure.Values{Numbers: []measure.Value{
		{Name: "above_main", Title: "records above the main part", Labels: measure.Labels{ShortRow: "above main part"}, Number: float64(a.AboveMain()),
			Unit: measure.Count, Better: measure.Lower, Of: a.Records, Late: true},
		{Name: "risk_threshold", Title: "threshold for 1 % global risk", Labels: measure.Labels{ShortRow: "threshold for 1 %"}, Number: threshold,
			Unit: measure.Probability, None: "below", Late: true},
	}}
}

func explainOutstanding(a *Assessment, what *measure.What) measure.Explanation {
	if what.Value.Name == "above_main" {
		return measure.Explanation{Name: "Records above the main part", Value: what.Value.Text(),
			Definition: "Records whose individual risk stands out from that of the others and is above 0.1.",
			Formula:    "r_i > median(r) + 2 MAD(r) and r_i > 0.1, with MAD = 1.4826 median |r_i - median(r)|",
			Source:     measure.SourceTempl + ", section 3.3"}
	}
	return measure.Explanation{Name: "Threshold for a global risk of 1 %", Value: what.Value.Text(),
		Definition: "The highest of the file's own risks t such that lowering every risk above t to t brings the sum of all risks below one percent of the records. " +
			"It says which records to protect first.",
		Formula: "highest t with sum of min(r_i, t) < 0.01 n",
		Values:  []string{"sum of r_i " + wording.Amount(a.Expected), "0.01 n = " + wording.Amount(Target*float64(a.Records))},
		Source:  measure.SourceGuide}
}
