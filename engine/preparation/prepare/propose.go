package prepare

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Each method here says what its dialog begins with.
var (
	_ method.Proposer = (*SetMissing)(nil)
	_ method.Proposer = (*MakeStratum)(nil)
	_ method.Proposer = (*NewIdentifiers)(nil)
	_ method.Proposer = (*Sample)(nil)
)

// Propose leaves the codes to the user: which ones stand for missing no file says.
func (m *SetMissing) Propose(method.Input) string {
	if len(m.Levels) > 0 || m.Condition.String() != "" || len(m.Records) > 0 {
		return ""
	}
	return "Choose the codes of " + m.Variable +
		" that stand for missing, or type a condition or the numbers of records."
}

// Propose joins the strata of the scenario, else its first two key variables.
func (m *MakeStratum) Propose(in method.Input) string {
	if len(m.Variables) > 0 {
		return ""
	}
	names := in.Scenario.Strata
	if len(names) < 2 {
		names = in.Scenario.Keys[:min(2, len(in.Scenario.Keys))]
	}
	if len(names) < 2 {
		return "Choose the variables whose combinations are to be the strata."
	}
	m.Variables = slices.Clone(names)
	return ""
}

// Propose takes the household identifier.
func (m *NewIdentifiers) Propose(in method.Input) string {
	if household := in.Scenario.Household; len(m.Variables) == 0 && household != "" {
		m.Variables = []string{household}
	}
	if len(m.Variables) == 0 {
		return "Choose the identifiers that are to get new numbers."
	}
	return ""
}
