package tui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/noise"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/rankswap"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	numericview "github.com/sdcdesk/sdcdesk/views/numeric"
)

// inNumeric reports whether the tab of numeric variables is open.
func (m *Model) inNumeric() bool {
	return m.bench != nil && m.page == nil && tabs[m.bench.tab].name == "Numeric"
}

// numericCommands returns the commands of the tab Numeric; nil if another tab is open.
func (m *Model) numericCommands() []command {
	if m.bench != nil && !m.inNumeric() {
		return nil
	}
	return append([]command{plansForNumbers("p", "plans")}, maskCommands()...) // plans first: a small screen has room for few
}

// maskCommands returns the commands that mask numeric variables in the Numeric tab.
func maskCommands() []command {
	mask := func(letter, text, name, words, step string) command {
		return command{binding: draw.Bind(letter, text), name: name + " the marked numeric variables, or the current one",
			words: words, short: true, numeric: true, reason: first(noNumericVariable, notOnGroups(step)),
			do: func(m *Model) { m.maskNumbers(step) }}
	}
	return []command{
		mask("M", "microaggregate", "Microaggregate", "mdav groups aggregate mean", microaggregation.StepName),
		mask("N", "noise", "Add noise to", "additive correlated perturb", noise.StepName),
		mask("B", "rank-swap", "Rank-swap", "rank swapping", rankswap.StepName),
	}
}

// onlyInNumeric reports whether a key works in the Numeric tab alone, and says so in another tab.
func (m *Model) onlyInNumeric(msg tea.KeyPressMsg) bool {
	if m.bench == nil || m.page != nil || m.inNumeric() || m.focused().Typing() ||
		slices.ContainsFunc(m.focused().Keys(), func(b key.Binding) bool { return key.Matches(msg, b) }) {
		return false
	}
	for _, c := range maskCommands() {
		if key.Matches(msg, c.binding) {
			m.say(c.binding.Help().Desc + ": open the Numeric tab first")
			return true
		}
	}
	return false
}

// plansForNumbers returns the command of masking plans, with its key in the Numeric tab, "" elsewhere.
func plansForNumbers(key, text string) command {
	return command{binding: draw.Bind(key, text), short: key != "", numeric: key != "",
		reason: first(noNumericVariable, unless("masking plans need the records, and this is a frequency table", held)),
		name:   "Masking plans: methods for numeric variables with risk and information loss",
		words:  "frontier optimise optimize", do: (*Model).openNumberPlans}
}

// noNumericVariable returns the reason why nothing can be masked, or "".
var noNumericVariable = unless("the file has no numeric variable", func(m *Model) bool { return len(m.numbersMeant()) > 0 })

// held reports whether the data have records, not a frequency table.
func held(m *Model) bool { return !m.bench.doc.Data().Grouped() }

// numbersMeant returns the marked numeric variables, or the current one.
func (m *Model) numbersMeant() []string {
	pane, _ := m.bench.pane("numeric-variables").(*numericview.NumericVariables)
	if pane == nil {
		return nil
	}
	return pane.Meant(m.state())
}

// maskNumbers opens the dialog of a method for these variables.
func (m *Model) maskNumbers(step string) {
	spec, ok := m.options.Methods.Find(step)
	if !ok {
		m.refuse("there is no such method")
		return
	}
	masker := spec.New()
	for _, p := range masker.Params() {
		if p.Kind == method.KindVariables && p.Required {
			if m.failed(p.Pick(m.numbersMeant())) {
				return
			}
		}
	}
	s := m.state()
	spec.Proposal(masker, method.Input{Data: s.Current.Data, Scenario: s.Scenario}, s.Selected.Variable)
	m.do(views.OpenStep{Name: step, Method: masker})
}
