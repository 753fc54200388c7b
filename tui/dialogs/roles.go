package dialogs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Roles are the roles that can be given directly, each with its key on the Variables page: all except linked,
// which needs another variable.
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
	{"c", "household-level variable", microdata.RoleSame},
	{"x", "removed", microdata.RoleRemoved},
}

// ToggleRole gives variables a role, or removes it if all have it, and returns the scenario. It returns an error
// if that introduces a contradiction; an existing contradiction is ignored.
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

// NewRoles returns the list of roles for a variable with its roles marked. The chosen role is given or removed,
// and take gets the scenario. A role that would contradict the scenario shows the reason.
func NewRoles(scenario *microdata.Scenario, data *microdata.Dataset, variable string,
	take func(microdata.Scenario)) *Palette {
	var entries []PaletteEntry
	for _, r := range Roles {
		entry := PaletteEntry{Name: "  " + r.Text, Keys: "assign", Words: []string{string(r.Role)}}
		if scenario.Has(variable, r.Role) {
			entry.Name, entry.Keys = "● "+r.Text, "unassign"
		}
		changed, err := ToggleRole(scenario, data, r.Role, variable)
		if err != nil {
			reason := strings.TrimPrefix(err.Error(), microdata.ErrScenario.Error()+": ")
			if _, why, found := strings.Cut(reason, ": "); found {
				reason = why // without the roles that exclude each other, which the list shows
			}
			entry.Keys, entry.Reason = "", reason
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
