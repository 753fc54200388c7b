package check

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// unassigned finds variables that are suggested as key variables and have no role, so that
// no figure of risk counts them.
func (r *release) unassigned(context.Context) ([]Finding, error) {
	var names []string
	for _, column := range r.data.Columns() {
		name := column.Name()
		if s := r.suggested[name]; s.Role == microdata.RoleKey && !s.Guessed() && len(r.scenario.RolesOf(name)) == 0 &&
			!slices.Contains(r.Replaced, name) && column.Origin() == 0 && column.Categories().Occurring() > 1 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	return []Finding{{Variables: names, Fixes: []Fix{leaving(names...)},
		Text: wording.CountedAs(len(names), "variable looks like a key variable and has", "variables look like key variables and have") +
			" no role: " + list(names) + "."}}, nil
}
