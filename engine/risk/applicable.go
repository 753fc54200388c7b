package risk

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// NotApplicable says why k-anonymity and the risk of categorical keys mean
// nothing: the values of these key variables do not come from the file, so that
// who shares a key with whom says nothing about who can be found. "" where they
// all do. What was done to other variables does not matter.
func NotApplicable(scenario *microdata.Scenario, origins microdata.Origins) string {
	for _, means := range []struct {
		mark microdata.Origin
		text string
	}{
		{microdata.Drawn, "PRAM has been applied to "},
		{microdata.Perturbed, "random amounts have been added to "},
		{microdata.Synthetic, "a model has made the values of "},
	} {
		if names := origins.Having(means.mark, scenario.Keys); len(names) > 0 {
			return means.text + strings.Join(names, ", ")
		}
	}
	return ""
}
