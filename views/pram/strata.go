package pram

import (
	"cmp"
	"context"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// standing returns the applied steps.
func standing(s views.State) []pram.Step {
	steps := make([]pram.Step, 0, len(s.Steps))
	for i := range s.Standing() {
		steps = append(steps, pram.Step{Restores: s.Steps[i].Restores, Report: s.Steps[i].Report})
	}
	return steps
}

// pramEffect is what PRAM did to a variable in total, cached while the steps are the same.
type pramEffect struct {
	variable string
	steps    []pram.Step // the steps it was computed from
	times    int
	last     int                              // the step of the last application, from 1
	latest   method.PRAMVariable              // of the last application
	composed method.PRAMVariable              // of all applications, or the last one if they cannot be composed
	said     map[string]microdata.Description // descriptions before the last application
	problem  error                            // why they cannot be composed
}

// look returns what PRAM did to the selected variable; times is 0 if it did nothing.
func (p *pramEffect) look(s views.State) *pramEffect {
	steps := standing(s)
	if p.variable == s.Selected.Variable && slices.Equal(steps, p.steps) {
		return p
	}
	*p = pramEffect{variable: s.Selected.Variable, steps: steps}
	a := pram.ApplicationsTo(p.variable, steps)
	if p.times = len(a.Steps); p.times == 0 {
		return p
	}
	p.last = a.Steps[p.times-1]
	p.latest, p.said = a.Reports[p.times-1], s.Steps[p.last-1].Said
	if p.composed, p.problem = pram.Compose(context.Background(), a.Reports); p.problem != nil {
		p.composed = p.latest
	}
	return p
}

// stratumOf returns the selected stratum of a report with its index, or nil if there is none.
func stratumOf(s views.State, report *method.PRAMVariable) (int, *method.PRAMStratum) {
	if len(report.Strata) == 0 {
		return 0, nil
	}
	at := max(0, min(s.Selected.Stratum, len(report.Strata)-1))
	return at, &report.Strata[at]
}

// title describes the applications of PRAM and which matrix is shown: "2 times", "step 4 alone", and its stratum.
func (p *pramEffect) title(s views.State, _ *method.PRAMStratum) string {
	text := " · " + p.variable
	switch {
	case p.problem != nil:
		text += " · step " + draw.Count(p.last) + " alone"
	case p.times > 1:
		text += " · applied " + draw.Count(p.times) + " times"
	}
	if at, stratum := stratumOf(s, &p.composed); stratum != nil && stratum.Stratum != nil {
		text += " · " + p.stratum(s, stratum) + " (" + draw.Count(at+1) + " of " + draw.Count(len(p.composed.Strata)) + ")"
	}
	return text
}

// nothing returns the reason why there are no figures, and how to apply PRAM to the variable.
func (p *pramEffect) nothing() string {
	switch {
	case p.variable == "":
		return "Select a variable."
	case p.times > 0:
		return "counting …"
	default:
		return "PRAM has not been applied to " + p.variable +
			". Press P to open the dialog with a preview."
	}
}

// whatPRAMIs is shown before PRAM is applied to any variable.
const whatPRAMIs = "PRAM, the post-randomisation method, changes categories at random with the probabilities of a matrix. No single " +
	"value is certain after PRAM, but users who know the matrix can estimate the original frequencies. Press P to open the " +
	"dialog with a preview."

// before returns the purpose of the pane as long as PRAM was applied to no variable, then "".
func (p *pramPane) before(s views.State) string {
	for _, step := range standing(s) {
		if step.Report != nil && len(step.Report.PRAM) > 0 {
			return ""
		}
	}
	return p.purpose
}

// pramPane is a pane of what PRAM did to the selected variable. Its table, title and figures are made from the
// selected stratum, if there is one.
type pramPane struct {
	views.TablePane
	shown     pramEffect
	latest    bool   // shows the last application, not all
	purpose   string // shown before PRAM is applied
	title     func(look *pramEffect, s views.State, stratum *method.PRAMStratum) string
	draw      func(p *pramPane, s views.State, stratum *method.PRAMStratum, width int) draw.Table
	explained func(p *pramPane, stratum *method.PRAMStratum) []views.Figure
}

func newPRAMPane(p pramPane) views.Pane {
	p.About = "pram"
	p.Content = func(s views.State, width int) draw.Table {
		stratum := p.stratum(s)
		if stratum == nil {
			return draw.Table{Instead: cmp.Or(p.before(s), p.shown.nothing())}
		}
		return p.draw(&p, s, p.shown.named(s, stratum), width)
	}
	p.Actions = p.keys
	p.Titled = func(s views.State) string {
		if p.shown.look(s).times == 0 {
			return p.Title()
		}
		return p.Title() + p.title(&p.shown, s, p.stratum(s))
	}
	p.OfRow = func(s views.State) []views.Figure {
		return p.explained(&p, p.shown.named(s, p.stratum(s)))
	}
	return &p
}

// stratum names a stratum by its categories, with their labels at the time of PRAM.
func (p *pramEffect) stratum(s views.State, stratum *method.PRAMStratum) string {
	return wording.Joined(stratum.Stratum, ", ", func(one microdata.CategoryOf) string {
		said := p.said[one.Variable]
		return s.WithMeaning(&said, one.Label)
	})
}

// named is Named with the labels at the time of PRAM.
func (p *pramEffect) named(s views.State, stratum *method.PRAMStratum) *method.PRAMStratum {
	said := p.said[p.variable]
	return Named(s, &said, stratum)
}

// Named returns a PRAM stratum whose categories are followed by their labels in a description.
func Named(s views.State, said *microdata.Description, stratum *method.PRAMStratum) *method.PRAMStratum {
	named := *stratum
	named.Levels = make([]string, len(stratum.Levels))
	for i, level := range stratum.Levels {
		named.Levels[i] = s.WithMeaning(said, level)
	}
	return &named
}

// stratum returns the selected stratum, or nil if there is none.
func (p *pramPane) stratum(s views.State) *method.PRAMStratum {
	report := &p.shown.look(s).composed
	if p.latest {
		report = &p.shown.latest
	}
	_, stratum := stratumOf(s, report)
	if stratum != nil && p.latest && stratum.Transitions == nil {
		return nil
	}
	return stratum
}

// Keys returns the keys of the pane.
func (p *pramPane) Keys() []key.Binding {
	if p.shown.times == 0 {
		return nil
	}
	return p.TablePane.Keys()
}

// AllKeys returns the keys of the pane after PRAM in strata.
func (p *pramPane) AllKeys() []key.Binding {
	all := *p
	all.shown.times, all.shown.composed.Strata = 1, make([]method.PRAMStratum, 2)
	all.Actions = all.keys
	return all.Keys()
}

// keys returns the keys that export the matrix and go through the strata.
func (p *pramPane) keys() []views.KeyAction {
	var keys []views.KeyAction
	if p.shown.times > 0 {
		keys = append(keys, views.EmitsFrom("x", "export the matrix", func(_ views.State) draw.Action {
			return views.ExportMatrix{Variable: p.shown.composed, Problem: p.shown.problem}
		}))
	}
	if n := len(p.shown.composed.Strata); n > 1 {
		keys = append(keys, views.Presses("</>", "stratum", func(msg tea.KeyPressMsg, s views.State) draw.Action {
			by := 1
			if key.Matches(msg, draw.Bind("", "", "<", ",")) {
				by = n - 1
			}
			at, _ := stratumOf(s, &p.shown.composed)
			return views.SelectStratum{Stratum: (at + by) % n}
		}, "<", ">", ",", "."))
	}
	return keys
}

// candidates returns the variables suitable for PRAM: those with the PRAM role, key variables, those it was
// applied to, then other categorical variables. Weight, household ID and removed variables are excluded.
func candidates(s views.State) []string {
	if s.Scenario == nil || s.Current.Data == nil {
		return nil
	}
	var names []string
	known := map[string]bool{}
	add := func(name string) {
		column, ok := s.Current.Data.Column(name)
		if !ok || known[name] || s.Scenario.Has(name, microdata.RoleWeight) ||
			s.Scenario.Has(name, microdata.RoleHousehold) ||
			s.Scenario.Has(name, microdata.RoleRemoved) {
			return
		}
		if pram.Suits(column.Categories()) {
			names, known[name] = append(names, name), true
		}
	}
	for _, name := range slices.Concat(s.Scenario.PRAM, s.Scenario.Keys) {
		add(name)
	}
	for _, column := range s.Current.Data.Columns() {
		if column.StoredAsNumbers() == nil { // a dictionary of the numbers would have to be built first
			add(column.Name())
		}
	}
	return names
}
