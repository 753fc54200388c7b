package method

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// strataParam is the name of the parameter of the strata that a method works within.
const strataParam = "strata"

// openStrata returns the strata of a method that are not chosen, where that does not mean those of the scenario.
func openStrata(params []Param) *Param {
	for i := range params {
		if p := &params[i]; p.Name == strataParam && p.empty == "" {
			if list, ok := p.Value.(*words); ok && *list == nil {
				return p
			}
		}
	}
	return nil
}

// warnOfStrata warns that a step of a script does not go by the strata of the scenario.
func warnOfStrata(m Method, in Input, report *Report) {
	if in.Scenario == nil || len(in.Scenario.Strata) == 0 || openStrata(m.Params()) == nil {
		return
	}
	report.Warnings = append(report.Warnings, fmt.Sprintf("values move between the strata of the scenario (%s): name them in "+
		"\"strata\" to keep values within strata, or give [] to say that they may move",
		wording.Beginning(in.Scenario.Strata, 3)))
}
