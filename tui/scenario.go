package tui

import (
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
	b.original.Assessment, b.current.Assessment = nil, nil
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
	m.page = newVariablesPage(m.bench.doc.Data(), *m.bench.scenario, m.bench.doc.Format().Description(), true)
	return m.profile()
}

// profileMsg brings what was found out about one variable, and the command
// that looks at the next.
type profileMsg struct {
	page    *variablesPage
	column  int
	profile variableProfile
	next    tea.Cmd
}

// profile has the variables looked at one after the other.
func (m *Model) profile() tea.Cmd {
	p, ok := m.page.(*variablesPage)
	if !ok {
		return nil
	}
	return profileFrom(p, 0)
}

func profileFrom(p *variablesPage, column int) tea.Cmd {
	columns := p.data.Columns()
	if column >= len(columns) {
		return nil
	}
	return func() tea.Msg {
		return profileMsg{p, column, newVariableProfile(columns[column]), profileFrom(p, column+1)}
	}
}

// profiled takes in a profile, unless the page was left.
func (m *Model) profiled(msg profileMsg) tea.Cmd {
	if m.page != page(msg.page) {
		return nil
	}
	msg.page.setProfile(msg.column, msg.profile)
	return msg.next
}
