package recode

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

var (
	_ method.Inapplicable = (*Intervals)(nil)
	_ method.Inapplicable = (*Group)(nil)
	_ method.Inapplicable = (*Rename)(nil)
	_ method.Inapplicable = (*TopBottom)(nil)
	_ method.Inapplicable = (*Hierarchy)(nil)
	_ method.Inapplicable = (*Round)(nil)
	_ method.Inapplicable = (*Split)(nil)
	_ method.Inapplicable = (*Order)(nil)
)

// Inapplicable says why the weight and the household identifier are not
// recoded; see method.Inapplicable.
func (m *Intervals) Inapplicable(s *microdata.Scenario) string { return roleForbids(m.Variable, s) }

// Inapplicable says why the weight and the household identifier are not
// grouped; see method.Inapplicable.
func (m *Group) Inapplicable(s *microdata.Scenario) string { return roleForbids(m.Variable, s) }

// Inapplicable says why a weight is not renamed; the name of a household may
// be. See method.Inapplicable.
func (m *Rename) Inapplicable(s *microdata.Scenario) string {
	if s.Has(m.Variable, microdata.RoleHousehold) {
		return ""
	}
	return roleForbids(m.Variable, s)
}

// Inapplicable says why the household identifier is not top coded; extreme
// weights may be. See method.Inapplicable.
func (m *TopBottom) Inapplicable(s *microdata.Scenario) string {
	if s.Has(m.Variable, microdata.RoleWeight) {
		return ""
	}
	return roleForbids(m.Variable, s)
}

// Inapplicable says why the weight and the household identifier are not made
// coarser; see method.Inapplicable.
func (m *Hierarchy) Inapplicable(s *microdata.Scenario) string { return roleForbids(m.Variable, s) }

// Inapplicable says why the household identifier is not rounded; weights may
// be. See method.Inapplicable.
func (m *Round) Inapplicable(s *microdata.Scenario) string {
	if s.Has(m.Variable, microdata.RoleWeight) {
		return ""
	}
	return roleForbids(m.Variable, s)
}

// Inapplicable says why a weight is not split; the name of a household that
// was changed may be given back. See method.Inapplicable.
func (m *Split) Inapplicable(s *microdata.Scenario) string {
	if s.Has(m.Variable, microdata.RoleHousehold) {
		return ""
	}
	return roleForbids(m.Variable, s)
}

// Inapplicable says why weights, households and numeric key variables are not
// ordered by hand; see method.Inapplicable.
func (m *Order) Inapplicable(s *microdata.Scenario) string {
	if s.Has(m.Variable, microdata.RoleNumericKey) {
		return fmt.Sprintf("%q is a numeric key variable, and numbers have their own order; order another variable, or take it out of the numeric key variables", m.Variable)
	}
	return roleForbids(m.Variable, s)
}

// roleForbids returns why a variable is not recoded; "" where it can be.
func roleForbids(variable string, s *microdata.Scenario) string {
	switch {
	case s.Has(variable, microdata.RoleWeight):
		return fmt.Sprintf("%q is the weight, and weights are numbers, not categories; recode another variable, or take the weight out of the scenario", variable)
	case s.Has(variable, microdata.RoleHousehold):
		return fmt.Sprintf("%q identifies households, and recoding it would make one household of several; recode another variable, or remove it from the protected file", variable)
	default:
		return ""
	}
}
