package shuffle

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// proposedPredictors is the proposed number of predictors.
const proposedPredictors = 2

// propose selects the numeric keys as responses, or else the first numeric variable without a role, and as
// predictors other variables that are numeric or have few categories.
func (m *Shuffle) propose(in method.Input) string {
	var numbers, others []string
	for _, column := range in.Data.Columns() {
		switch name := column.Name(); {
		case in.Scenario.Weight == name || in.Scenario.Household == name || slices.Contains(in.Scenario.Remove, name):
		case column.Numeric():
			numbers = append(numbers, name)
		default:
			others = append(others, name)
		}
	}
	if len(m.Responses) == 0 {
		m.Responses = method.Proposed(numbers, in.Scenario, "")
	}
	if len(m.Predictors) == 0 {
		all := slices.Concat(others, numbers)
		all = slices.DeleteFunc(all, func(name string) bool { return slices.Contains(m.Responses, name) })
		m.Predictors = slices.Clone(all[:min(proposedPredictors, len(all))])
	}
	if len(m.Responses) == 0 || len(m.Predictors) == 0 {
		return "Choose numeric variables to shuffle, and variables that predict them."
	}
	return ""
}
