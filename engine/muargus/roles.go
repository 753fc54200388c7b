package muargus

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// Roles returns the roles that a description gives its variables, in their
// order: the weight, the household identifier, variables that all members
// share, key variables (recodable, with an identification level above 0), and
// the variables that are suppressed with one of them. A variable that is both
// a key and the same for the household has both roles. Nobody sets a role but
// the user.
func (d *Description) Roles() []microdata.Suggestion {
	var roles []microdata.Suggestion
	give := func(v *Variable, role microdata.Role, reason string) {
		roles = append(roles, microdata.Suggestion{Variable: v.Name, Role: role, Reason: reason})
	}
	for i := range d.Variables {
		v := &d.Variables[i]
		if v.Weight {
			give(v, microdata.RoleWeight, "described as the sampling weight")
		}
		if v.HouseholdID {
			give(v, microdata.RoleHousehold, "described as the household identifier")
		}
		if v.key() {
			give(v, microdata.RoleKey, fmt.Sprintf("described as categorical, identification level %d of %d", v.IDLevel, MaxIDLevel))
		}
		if v.Household {
			give(v, microdata.RoleSame, "described as the same for all members of a household")
		}
	}
	return roles
}

// key reports whether the variable is described as one that identifies.
func (v *Variable) key() bool {
	return v.Recodable && v.IDLevel > 0 && !v.Weight && !v.HouseholdID
}

// Scenario returns the scenario that a description suggests; see Roles. The
// first weight and the first household identifier count.
func (d *Description) Scenario() microdata.Scenario {
	s := microdata.NewScenario()
	for _, role := range d.Roles() {
		if role.Role == microdata.RoleSame {
			continue // only where households are known
		}
		single := role.Role == microdata.RoleWeight && s.Weight != "" || role.Role == microdata.RoleHousehold && s.Household != ""
		if !single {
			s.Assign(role.Variable, role.Role)
		}
	}
	d.Complete(&s)
	return s
}

// Complete adds to a scenario what one role for each variable cannot say:
// variables that all members of a household share, where the scenario has a
// household identifier, and variables without a role that are suppressed with
// one that is a key variable there.
func (d *Description) Complete(s *microdata.Scenario) {
	for i := range d.Variables {
		v := &d.Variables[i]
		if v.Household && s.Household != "" && s.Household != v.Name {
			s.Assign(v.Name, microdata.RoleSame)
		}
		for _, name := range v.Related {
			if related, ok := d.Variable(name); ok && s.Has(v.Name, microdata.RoleKey) && len(s.RolesOf(related.Name)) == 0 {
				s.Link(related.Name, v.Name)
			}
		}
	}
}

// Priorities returns the costs of suppressing the variables, 0 to 100, for
// those of which the description says one.
func (d *Description) Priorities() map[string]int {
	costs := map[string]int{}
	for _, v := range d.Variables {
		if v.Priority != nil {
			costs[v.Name] = *v.Priority
		}
	}
	return costs
}
