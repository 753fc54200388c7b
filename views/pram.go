package views

import (
	"context"
	"encoding/json"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/pram"
)

// applications are the steps that stand and drew a variable anew, since it last
// got its source values back.
type applications struct {
	steps   []int                 // positions, from 1
	reports []method.PRAMVariable // of the variable, one per step
}

// applicationsOf gathers what the steps that stand did to a variable.
func applicationsOf(s State, variable string) applications {
	var a applications
	for i := range s.Steps[:max(0, min(s.Position, len(s.Steps)))] {
		step := &s.Steps[i]
		if step.Name == "reset" && resets(step.Params, variable) {
			a = applications{}
		}
		if step.Report == nil {
			continue
		}
		for _, report := range step.Report.PRAM {
			if report.Variable == variable {
				a.steps, a.reports = append(a.steps, i+1), append(a.reports, report)
			}
		}
	}
	return a
}

func resets(params json.RawMessage, variable string) bool {
	var named struct {
		Variable string `json:"variable"`
	}
	return json.Unmarshal(params, &named) == nil && named.Variable == variable
}

// perturbed is what PRAM did to a variable altogether, kept while the steps are
// the same.
type perturbed struct {
	variable string
	steps    []*method.Report // that it was made of
	times    int
	last     int                 // the step of the last application, from 1
	composed method.PRAMVariable // of all of them, or the last one where they cannot be composed
	problem  error               // why they cannot
}

// look returns what PRAM did to the selected variable; times is 0 where it did
// nothing.
func (p *perturbed) look(s State) *perturbed {
	var steps []*method.Report
	for i := range s.Steps[:max(0, min(s.Position, len(s.Steps)))] {
		steps = append(steps, s.Steps[i].Report)
	}
	if p.variable == s.Selected.Variable && slices.Equal(steps, p.steps) {
		return p
	}
	*p = perturbed{variable: s.Selected.Variable, steps: steps}
	a := applicationsOf(s, p.variable)
	if p.times = len(a.steps); p.times == 0 {
		return p
	}
	p.last = a.steps[p.times-1]
	p.composed, p.problem = pram.Compose(context.Background(), a.reports)
	if p.problem != nil {
		p.composed = a.reports[p.times-1]
	}
	return p
}

// stratum returns the stratum of the selection; nil where there is none.
func (p *perturbed) stratum(s State) *method.PRAMStratum {
	if len(p.composed.Strata) == 0 {
		return nil
	}
	return &p.composed.Strata[max(0, min(s.Selected.Stratum, len(p.composed.Strata)-1))]
}

// of says which matrix is shown: "", "2 times", "step 4 alone", and its stratum.
func (p *perturbed) of(s State) string {
	text := ""
	switch {
	case p.problem != nil:
		text = " · step " + Count(p.last) + " alone"
	case p.times > 1:
		text = " · applied " + Count(p.times) + " times"
	}
	if stratum := p.stratum(s); stratum != nil && stratum.Stratum != "" {
		text += " · " + stratum.Stratum + " (" + Count(1+max(0, min(s.Selected.Stratum, len(p.composed.Strata)-1))) + " of " + Count(len(p.composed.Strata)) + ")"
	}
	return text
}

// nothing says why there is no figure, and how PRAM is applied to the variable.
func (p *perturbed) nothing() string {
	switch {
	case p.variable == "":
		return "Select a variable."
	case p.times > 0:
		return "counting …"
	default:
		return "PRAM has not been applied to " + Safe(shortened(p.variable)) + ". P opens the dialog, with a preview of everything."
	}
}

// pramPane is a pane of what PRAM did to the selected variable.
type pramPane struct {
	tablePane
	shown perturbed
}

// TitleFor names the variable, how often PRAM was applied, and the stratum.
func (p *pramPane) TitleFor(s State) string {
	if look := p.shown.look(s); look.times > 0 {
		return p.Title() + " · " + look.variable + look.of(s)
	}
	return p.Title()
}

func keyStratum() key.Binding { return bind("</>", "stratum", "<", ">", ",", ".") }

// Keys returns the keys of the pane.
func (p *pramPane) Keys() []key.Binding {
	if p.shown.times == 0 {
		return nil
	}
	keys := p.tablePane.Keys()
	if len(p.shown.composed.Strata) > 1 {
		keys = append(keys, keyStratum())
	}
	return keys
}

// HandleKey moves the cursor and walks through strata.
func (p *pramPane) HandleKey(msg tea.KeyPressMsg, s State) Action {
	n := len(p.shown.look(s).composed.Strata)
	if n == 0 || !key.Matches(msg, keyStratum()) {
		return p.tablePane.HandleKey(msg, s)
	}
	if n == 1 {
		return Handled{}
	}
	by := 1
	if key.Matches(msg, bind("", "", "<", ",")) {
		by = n - 1
	}
	return SelectStratum{(max(0, min(s.Selected.Stratum, n-1)) + by) % n}
}

// candidates returns the variables that PRAM is for: those chosen for it, key
// variables, those it was applied to, then other variables with categories.
// Weight, household identifiers and removed variables are not.
func candidates(s State) []string {
	if s.Scenario == nil || s.Current.Data == nil {
		return nil
	}
	var names []string
	add := func(name string) {
		column, ok := s.Current.Data.Column(name)
		if !ok || slices.Contains(names, name) || s.Scenario.Has(name, microdata.RoleWeight) || s.Scenario.Has(name, microdata.RoleHousehold) ||
			s.Scenario.Has(name, microdata.RoleRemoved) {
			return
		}
		// A dictionary of a million names is not walked through for every frame.
		if c := column.Categories(); len(c.Levels) <= 10*pram.MaxLevels && c.Occurring() <= pram.MaxLevels {
			names = append(names, name)
		}
	}
	for _, name := range slices.Concat(s.Scenario.PRAM, s.Scenario.Keys) {
		add(name)
	}
	for _, column := range s.Current.Data.Columns() {
		if column.StoredAsNumbers() == nil { // a dictionary of numbers would have to be made first
			add(column.Name())
		}
	}
	return names
}
