package microdata

import (
	"fmt"
	"slices"
)

// LeastIdentifying is the level of the least identifying variables; 1 is that of the most identifying.
const LeastIdentifying = 5

// describedRoles returns the roles that the file declares, in order: the weight, the household identifier, key
// variables, variables with other roles, and variables that household members share. If the file declares more
// than MostKeys key variables, the least identifying levels are left out. A variable can have two roles.
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

// deepestLevel returns the largest level, at least 1, up to which the identifying variables are at most MostKeys.
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

// Complete adds to a scenario the declarations of the file that need more than one role per variable:
// household-level variables, if the scenario has a household identifier, and variables without a role that are
// suppressed with a key variable.
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
