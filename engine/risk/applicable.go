package risk

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// drawnKeys begins the reason when key variables were perturbed.
const drawnKeys = "PRAM has been applied to "

// NotApplicable returns why k-anonymity and the risk of categorical key variables are meaningless, or "" if they
// are not: the values of some key variables were perturbed or synthesised, so sharing a key pattern says nothing
// about who can be identified. Changes to other variables are ignored.
func NotApplicable(scenario *microdata.Scenario, origins microdata.Origins) string {
	for _, means := range []struct {
		mark microdata.Origin
		text string
	}{
		{microdata.Drawn, drawnKeys},
		{microdata.Perturbed, "masking has changed the values of "},
		{microdata.Synthetic, "a model has made the values of "},
	} {
		if names := origins.Having(means.mark, scenario.Keys); len(names) > 0 {
			return means.text + wording.Joined(names, ", ", wording.Excerpt)
		}
	}
	return ""
}

// ExplainNotApplicable explains a reason returned by NotApplicable.
func ExplainNotApplicable(reason string) measure.Explanation {
	e := measure.Explanation{Name: "k-anonymity and risk", Value: "not applicable: " + reason}
	if strings.HasPrefix(reason, drawnKeys) {
		e.Definition = "k-anonymity and the individual risk count records with the same values. PRAM randomises values, so " +
			"two records can agree or differ by chance, and an intruder cannot be sure of any value. A record that is unique " +
			"now may have been common, and vice versa. The probability that a value was changed protects the records: see " +
			"the matrix in the PRAM tab."
		e.Formula, e.Source = "none: see the diagonal of the transition matrix", measure.SourcePRAM
		return e
	}
	e.Definition = "k-anonymity and the individual risk count records with the same values. If values are perturbed, two " +
		"records can agree or differ by chance, and a record that is unique now may have been common, and vice versa."
	e.Source = measure.SourceGuide
	return e
}
