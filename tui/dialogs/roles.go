package dialogs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Roles are those that a variable can be given by itself, each with its key on the page
// of the variables: all but that of being linked, which needs another variable.
var Roles = []struct {
	Key, Text string
	Role      microdata.Role
}{
	{"k", "key variable", microdata.RoleKey},
	{"n", "numeric key variable", microdata.RoleNumericKey},
	{"w", "weight", microdata.RoleWeight},
	{"h", "household", microdata.RoleHousehold},
	{"s", "sensitive", microdata.RoleSensitive},
	{"p", "PRAM", microdata.RolePRAM},
	{"t", "strata", microdata.RoleStrata},
	{"c", "same for household", microdata.RoleSame},
	{"x", "remove", microdata.RoleRemoved},
}

// ToggleRole returns the scenario after variables were given a role, or had it taken
// away where all have it. The error is a contradiction that it would bring; one that was
// there before does not stand in the way.
func ToggleRole(scenario *microdata.Scenario, data *microdata.Dataset, role microdata.Role,
	names ...string) (microdata.Scenario, error) {
	changed := scenario.Clone()
	if reason := role.OnGroups(); reason != "" && data.Grouped() {
		return changed, fmt.Errorf("%s: %s", role, reason)
	}
	if !slices.ContainsFunc(names, func(name string) bool { return !scenario.Has(name, role) }) {
		for _, name := range names {
			changed.Unassign(name, role)
		}
		return changed, nil
	}
	for _, name := range names {
		if !changed.Has(name, role) {
			changed.Assign(name, role)
		}
	}
	if err := changed.Check(data); err != nil {
		if was := scenario.Check(data); was == nil || was.Error() != err.Error() {
			return *scenario, err
		}
	}
	return changed, nil
}

// NewRoles returns the list of roles for a variable, those it has marked: the one that
// is chosen is given or taken away, and the scenario goes to take. A role that would
// contradict the scenario says why it cannot be given.
func NewRoles(scenario *microdata.Scenario, data *microdata.Dataset, variable string,
	take func(microdata.Scenario)) *Palette {
	var entries []PaletteEntry
	for _, r := range Roles {
		entry := PaletteEntry{Name: "  " + r.Text, Keys: "give", Words: []string{string(r.Role)}}
		if scenario.Has(variable, r.Role) {
			entry.Name, entry.Keys = "● "+r.Text, "take away"
		}
		changed, err := ToggleRole(scenario, data, r.Role, variable)
		if err != nil {
			entry.Keys, entry.Reason = "", strings.TrimPrefix(err.Error(), microdata.ErrScenario.Error()+": ")
		}
		entry.Command = func() { take(changed) }
		entries = append(entries, entry)
	}
	if len(scenario.RolesOf(variable)) > 0 {
		entries = append(entries, PaletteEntry{Name: "  no role", Keys: "clear", Command: func() {
			changed := scenario.Clone()
			changed.Clear(variable)
			take(changed)
		}})
	}
	return NewPalette("Role of "+draw.Safe(variable), entries)
}
