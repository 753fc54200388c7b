package method

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Proposal sets required parameters that are empty to sensible values for the data: variables by Param.Among,
// others by the Propose function of the Spec, and strata from the scenario. Variables that are set stay. selected
// is the variable selected on the screen, or "". wanted is a sentence on what only the user can provide, or "".
func (s *Spec) Proposal(m Method, in Input, selected string) (wanted string) {
	params := m.Params()
	for i := range params {
		if p := &params[i]; p.Kind == KindVariable && p.Value.String() == "" {
			if names := p.fitting(in.Data, in.Scenario); slices.Contains(names, selected) {
				_ = p.Pick([]string{selected})
			} else if len(names) > 0 {
				_ = p.Pick(names[:1])
			} else {
				return "The file has no suitable variable."
			}
		}
	}
	if s.Propose != nil {
		if wanted = s.Propose(m, in); wanted != "" {
			return wanted
		}
	}
	for i := range params {
		p := &params[i]
		if list, ok := p.Value.(*words); ok && p.Kind == KindVariables && p.Required && len(*list) == 0 {
			names := Proposed(p.fitting(in.Data, in.Scenario), in.Scenario, selected)
			if len(names) == 0 {
				return "The file has no suitable variable."
			}
			_ = p.Pick(names)
		}
	}
	if p := openStrata(params); p != nil && in.Scenario != nil && len(in.Scenario.Strata) > 0 {
		_ = p.Pick(in.Scenario.Strata)
	}
	return ""
}

// Proposed returns the variables proposed for masking, out of names: the numeric key variables, else the selected
// variable, else the first variable without a role.
func Proposed(names []string, scenario *microdata.Scenario, selected string) []string {
	var numeric []string
	for _, name := range scenario.Numeric {
		if slices.Contains(names, name) {
			numeric = append(numeric, name)
		}
	}
	free := slices.IndexFunc(names, func(name string) bool { return len(scenario.RolesOf(name)) == 0 })
	switch {
	case len(numeric) > 0:
		return numeric
	case slices.Contains(names, selected) && len(scenario.RolesOf(selected)) == 0:
		return []string{selected}
	case free >= 0:
		return names[free : free+1]
	case len(names) > 0:
		return names[:1]
	}
	return nil
}
