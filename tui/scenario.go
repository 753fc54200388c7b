package tui

import (
	"github.com/sdcdesk/sdcdesk/tui/pages"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/views"
)

// setScenario makes a scenario the session's and goes to the workbench.
func (m *Model) setScenario(scenario microdata.Scenario) tea.Cmd {
	if err := m.bench.doc.SetScenario(scenario); err != nil {
		m.notify(err.Error(), true)
		return nil
	}
	b := m.bench
	m.page = nil
	b.original, b.current = views.Version{Data: b.original.Data}, views.Version{Data: b.current.Data}
	b.adopt()
	if !b.scenario.Has(b.selected.Variable, microdata.RoleKey) {
		b.selected = views.Selection{Record: -1}
		if len(b.scenario.Keys) > 0 {
			b.selected.Variable = b.scenario.Keys[0]
		}
	}
	return m.refresh()
}

// openVariables reopens the Variables page.
func (m *Model) openVariables() tea.Cmd {
	if m.waits((*Model).openVariables) {
		return nil
	}
	m.page = pages.NewVariables(m.bench.doc.Data(), *m.bench.scenario, m.bench.doc.Format().Description(), true)
	return nil
}
