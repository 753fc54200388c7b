package microdata

import (
	"fmt"
	"slices"
)

// LeastIdentifying is the level of the variables that identify least; 1 is that of those
// that identify most.
const LeastIdentifying = 5

// describedRoles returns the roles that the file gives its variables, in their order: the weight, the household
// identifier, key variables, those with which something else is done, and variables that all members of a household
// share. Key variables are those that the file calls identifying; where these are more than MostKeys, those of the
// levels that identify least are left out. A variable can have two roles.
func describedRoles(d *Dataset) (roles []Suggestion) {
	deepest := deepestLevel(d)
	for _, column := range d.Columns() {
		said := column.Source().Described()
		give := func(role Role, reason string) {
			if role == RoleKey || slices.Contains(said.Roles, role) {
				roles = append(roles, Suggestion{column.Name(), role, reason})
			}
		}
		give(RoleWeight, "described as the sampling weight")
		give(RoleHousehold, "described as the household ID")
		if said.key() && said.Identifying <= deepest {
			give(RoleKey, fmt.Sprintf("described as identifying: level %d, from 1 (most) to %d (least)",
				said.Identifying, LeastIdentifying))
		}
		give(RoleNumericKey, "described as a numeric key variable")
		give(RoleStrata, "described as the stratum variable")
		give(RolePRAM, "described as a PRAM variable")
		give(RoleSensitive, "described as a sensitive variable")
		give(RoleSame, "described as the same for all members of a household")
	}
	return roles
}

// key reports whether the variable is described as a key variable.
func (d *Description) key() bool { return d.Identifying > 0 && slices.Contains(d.Roles, RoleKey) }

// deepestLevel returns the level up to which all variables that the file calls
// identifying can be key variables at once; at least 1.
func deepestLevel(d *Dataset) int {
	for level := LeastIdentifying; level > 1; level-- {
		keys := 0
		for _, column := range d.Columns() {
			if said := column.Source().Described(); said.key() && said.Identifying <= level {
				keys++
			}
		}
		if keys <= MostKeys {
			return level
		}
	}
	return 1
}

// Complete adds to a scenario what the file says of its variables and one role for each
// cannot: variables that all members of a household share, where the scenario has a
// household identifier, and variables without a role that are suppressed with one that
// is a key variable there.
func (s *Scenario) Complete(d *Dataset) {
	for _, column := range d.Columns() {
		name, said := column.Name(), column.Source().Described()
		if slices.Contains(said.Roles, RoleSame) && s.Household != "" && s.Household != name {
			s.Assign(name, RoleSame)
		}
		for _, related := range said.Related {
			if _, there := d.Column(related); there && s.Has(name, RoleKey) && len(s.RolesOf(related)) == 0 {
				s.Link(related, name)
			}
		}
	}
}
