package tui

import (
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// setTables changes the tables of the scenario. Undo takes the change back.
func (m *Model) setTables(a views.SetTables) {
	changed := m.bench.scenario.Clone()
	changed.Tables = a.Tables
	m.setScenarios(dialogs.SetScenario{Scenario: changed})
	if a.Notice != "" {
		m.say(a.Notice)
	}
}

// tableSource returns what tables are made of in the present state of a session.
func tableSource(doc *session.Session) views.TableSource {
	now := doc.Document()
	return func(d *microdata.TableDefinition) (*microdata.Dataset, publish.Hierarchies) {
		return now.TableData(d), now.Levels
	}
}

// openTable opens the dialog of a table of the scenario by its place; -1: of a new one.
func (m *Model) openTable(at int) {
	m.open(dialogs.NewTable(m.state(), at))
}

// openProtection opens the comparison of protections for a table.
func (m *Model) openProtection(at int) {
	if at >= len(m.bench.scenario.Tables) {
		m.refuse("there is no table; a defines one")
		return
	}
	m.open(dialogs.NewProtection(m.state(), at))
}
