package check

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// unassigned finds suggested key variables without a role, which no risk figure takes into account.
func (r *release) unassigned() []Finding {
	names := namesOf(r.those(func(v *variable) bool {
		return v.suggested.Role == microdata.RoleKey && !v.suggested.Guessed() && len(r.scenario.RolesOf(v.Name())) == 0 &&
			!slices.Contains(r.Replaced, v.Name()) && v.Origin() == 0 && v.distinct > 1
	}))
	if len(names) == 0 {
		return nil
	}
	return []Finding{{Variables: names, Fixes: []Fix{leaving(names...)},
		Text: wording.CountedAs(len(names), "variable looks like a key variable and has", "variables look like key variables and have") +
			" no role: " + list(names) + "."}}
}
