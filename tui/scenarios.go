package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/pages"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// setScenarios changes scenarios of the session and goes to the workbench.
func (m *Model) setScenarios(e dialogs.SetScenario) {
	doc := m.bench.doc
	for _, other := range e.Others {
		if err := doc.PutScenario(other.Name, other.Scenario); err != nil {
			m.fail(fmt.Errorf("%s: %w", other.Name, err))
			return
		}
	}
	if m.failed(doc.PutScenario(e.Name, e.Scenario)) {
		return
	}
	page, first := m.page.(*pages.Variables)
	if !e.Stay {
		m.page = nil
		m.closeDialog()
	}
	m.underScenario()
	if first && !page.Reopened {
		m.showNumeric()
	}
}

// showNumeric opens the tab of numeric variables with a hint if the scenario has no key variable for the other
// tabs.
func (m *Model) showNumeric() {
	if len(m.bench.scenario.Keys) > 0 || len(m.numbersMeant()) == 0 {
		return
	}
	for t := range tabs {
		if tabs[t].name == "Numeric" {
			m.bench.tab = tab(t)
		}
	}
	m.say("no key variables, so this tab masks numeric variables: space marks variables; p shows masking plans; M, N and B mask; v changes roles")
}

// underScenario shows the session under the active scenario.
func (m *Model) underScenario() {
	b := m.bench
	b.original, b.current = views.Version{Data: b.original.Data}, views.Version{Data: b.current.Data}
	b.syncFromSession()
	if !b.scenario.Has(b.selected.Variable, microdata.RoleKey) {
		b.selected = views.Selection{Record: -1}
		if len(b.scenario.Keys) > 0 {
			b.selected.Variable = b.scenario.Keys[0]
		}
	}
	m.dropPlans()
	m.refresh()
}

// openScenario opens the dialog of the scenarios.
func (m *Model) openScenario() {
	m.open(dialogs.NewScenario(m.state(), m.bench.doc.Scenarios(), dialogs.ScenarioActs{
		New: m.askNewScenario, Rename: m.askScenarioName, Remove: m.removeScenario,
	}))
}

// askNewScenario asks for the name of a new scenario, which starts as a copy of an existing one.
func (m *Model) askNewScenario(like microdata.Scenario) {
	m.open(dialogs.NewNaming("New scenario", "name",
		"It starts as a copy of the current scenario; then choose its key variables.", "", func(name string) {
			for _, one := range m.bench.doc.Scenarios() {
				if one.Name == name {
					m.refuse("a new scenario needs a new name")
					m.openScenario()
					return
				}
			}
			m.scenarioAct(func(doc *session.Session) error { return doc.PutScenario(name, like) })
		}))
}

// askScenarioName asks for a new name of a scenario.
func (m *Model) askScenarioName(name string) {
	m.open(dialogs.NewNaming("Rename the scenario", "name", "Scripts and reports use this name.", name,
		func(to string) {
			m.scenarioAct(func(doc *session.Session) error { return doc.RenameScenario(name, to) })
		}))
}

func (m *Model) removeScenario(name string) {
	m.scenarioAct(func(doc *session.Session) error { return doc.RemoveScenario(name) })
}

// scenarioAct changes the scenarios and returns to their dialog.
func (m *Model) scenarioAct(act func(doc *session.Session) error) {
	if err := act(m.bench.doc); err != nil {
		m.fail(err)
		m.openScenario()
		return
	}
	m.underScenario()
	m.openScenario()
}

// chooseRole opens the list of roles for a variable. The choice changes the scenario, and can be undone.
func (m *Model) chooseRole(name string) {
	m.open(dialogs.NewRoles(m.bench.scenario, m.bench.doc.Data(), name, func(changed microdata.Scenario) {
		m.setScenarios(dialogs.SetScenario{Scenario: changed})
	}))
}

// nextScenario activates the next scenario.
func (m *Model) nextScenario() {
	all := m.bench.doc.Scenarios()
	at := slices.IndexFunc(all, func(one session.NamedScenario) bool { return one.InForce })
	next := all[(at+1)%len(all)]
	if err := m.bench.doc.UseScenario(next.Name); err != nil {
		m.fail(fmt.Errorf("%s: %w", next.Name, err))
		return
	}
	m.say("scenario " + strings.TrimPrefix(draw.Safe(next.Name), "scenario ") + ": " + wording.Counted(len(next.Scenario.Keys), "key variable"))
	m.underScenario()
}
