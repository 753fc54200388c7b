package prepare

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// propose leaves the codes to the user, because no file declares which codes mean missing.
func (m *SetMissing) propose(method.Input) string {
	if len(m.Levels) > 0 || m.Condition.String() != "" || len(m.Records) > 0 {
		return ""
	}
	return "Choose the codes of " + m.Variable +
		" that mean missing, or enter a condition or record numbers."
}

// propose combines the strata variables of the scenario, or else its first two key variables.
func (m *MakeStratum) propose(in method.Input) string {
	if len(m.Variables) > 0 {
		return ""
	}
	names := in.Scenario.Strata
	if len(names) < 2 {
		names = in.Scenario.Keys[:min(2, len(in.Scenario.Keys))]
	}
	if len(names) < 2 {
		return "Choose the variables whose combinations form the strata."
	}
	m.Variables = slices.Clone(names)
	return ""
}

// propose selects the household ID.
func (m *NewIdentifiers) propose(in method.Input) string {
	if household := in.Scenario.Household; len(m.Variables) == 0 && household != "" {
		m.Variables = []string{household}
	}
	if len(m.Variables) == 0 {
		return "Choose the ID variables to replace."
	}
	return ""
}
