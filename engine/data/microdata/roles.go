package microdata

import "slices"

// Assign gives a variable a role. Weight and household move from the variable that had them. Linked roles are
// assigned by Link.
func (s *Scenario) Assign(variable string, role Role) {
	if one := s.one(role); one != nil {
		*one = variable
	} else if list := s.list(role); list != nil && !slices.Contains(*list, variable) {
		*list = append(slices.Clone(*list), variable)
	}
}

// Unassign removes a role from a variable; it does nothing if the variable does not have the role.
func (s *Scenario) Unassign(variable string, role Role) {
	if !s.Has(variable, role) {
		return
	}
	if one := s.one(role); one != nil {
		*one = ""
	} else if list := s.list(role); list != nil {
		*list = without(*list, variable)
	} else {
		s.unlink(variable)
	}
	if role == RoleKey {
		delete(s.Linked, variable) // only key variables can be followed
	}
}

// Clear removes all roles of a variable.
func (s *Scenario) Clear(variable string) {
	for _, role := range s.RolesOf(variable) {
		s.Unassign(variable, role)
	}
}

// LeaveOut gives a variable the role RoleRemoved and removes the roles that contradict it.
func (s *Scenario) LeaveOut(variable string) {
	for _, e := range exclusions() {
		switch RoleRemoved {
		case e.a:
			s.Unassign(variable, e.b)
		case e.b:
			s.Unassign(variable, e.a)
		}
	}
	s.Assign(variable, RoleRemoved)
}

// Link makes a variable follow the suppressions of a key variable.
func (s *Scenario) Link(variable, key string) {
	s.unlink(variable)
	if s.Linked == nil {
		s.Linked = map[string][]string{}
	}
	s.Linked[key] = append(slices.Clone(s.Linked[key]), variable)
}

func (s *Scenario) unlink(variable string) {
	for key, linked := range s.Linked {
		if slices.Contains(linked, variable) {
			s.Linked[key] = without(linked, variable)
			if len(s.Linked[key]) == 0 {
				delete(s.Linked, key)
			}
		}
	}
}

func without(list []string, variable string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return name == variable })
}
