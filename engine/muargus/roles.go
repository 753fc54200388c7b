package muargus

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// Roles returns the roles that a description gives its variables, in their
// order: the weight, the household identifier, key variables, and variables that
// all members of a household share. Key variables are those that are recodable
// and have an identification level above 0; where these are more than
// microdata.MostKeys, those of the levels that identify least are left out. A
// variable can have two roles. Nobody sets a role but the user.
func (d *Description) Roles() []microdata.Suggestion {
	var roles []microdata.Suggestion
	give := func(v *Variable, role microdata.Role, reason string) {
		roles = append(roles, microdata.Suggestion{Variable: v.Name, Role: role, Reason: reason})
	}
	deepest := d.deepestLevel()
	for i := range d.Variables {
		v := &d.Variables[i]
		if v.Weight {
			give(v, microdata.RoleWeight, "described as the sampling weight")
		}
		if v.HouseholdID {
			give(v, microdata.RoleHousehold, "described as the household identifier")
		}
		if v.key() && v.IDLevel <= deepest {
			give(v, microdata.RoleKey, fmt.Sprintf("described as identifying: level %d, where 1 is the most and %d the least", v.IDLevel, MaxIDLevel))
		}
		if v.Household {
			give(v, microdata.RoleSame, "described as the same for all members of a household")
		}
	}
	return roles
}

// deepestLevel returns the identification level up to which all variables can be
// key variables at once; at least 1.
func (d *Description) deepestLevel() int {
	for level := MaxIDLevel; level > 1; level-- {
		keys := 0
		for i := range d.Variables {
			if d.Variables[i].key() && d.Variables[i].IDLevel <= level {
				keys++
			}
		}
		if keys <= microdata.MostKeys {
			return level
		}
	}
	return 1
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
