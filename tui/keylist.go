package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/panes"
)

// KeysPage lists the keys of the workbench: those of the commands and of the panes of every tab. Dialogs and pages
// list their own.
func KeysPage(options Options) *report.Page {
	everywhere := report.NewTable("All tabs", "key", "command")
	everywhere.Entry = true
	m := New(options)
	numeric := m.numericCommands() // the first of all commands
	for _, c := range m.commands()[len(numeric):] {
		if keys := c.keys(); keys != "" && !strings.HasPrefix(c.name, "Pane ") {
			everywhere.Row(keys, c.name)
		}
	}
	everywhere.Row("1 to 8", "Go to that pane")
	page := &report.Page{Title: "Keyboard shortcuts", Sections: []report.Section{everywhere}}
	all, listed := panes.All(), map[string]string{} // the tab that lists a pane, by its id
	for t := range tabCount {
		section := report.NewTable(tabs[t].name+" tab", "pane", "keys")
		section.Entry = true
		for _, id := range t.names(true) {
			for _, pane := range all {
				if pane.ID() != id || len(keysOf(pane)) == 0 {
					continue
				}
				if in, ok := listed[id]; ok {
					section.Row(pane.Title(), "see the "+in+" tab")
					continue
				}
				listed[id] = tabs[t].name
				addPane(&section, pane)
			}
		}
		if tabs[t].name == "Numeric" {
			for _, c := range numeric {
				section.Row(c.keys(), c.name)
			}
		}
		page.Sections = append(page.Sections, section)
	}
	return page
}

// keysOf returns the keys of a pane, also those that it has only for some data.
func keysOf(pane views.Pane) []key.Binding {
	if some, ok := pane.(interface{ AllKeys() []key.Binding }); ok {
		return some.AllKeys()
	}
	return pane.Keys()
}

// addPane adds a pane with its keys to a section, in the row of the panes that have the same keys.
func addPane(section *report.Section, pane views.Pane) {
	keys := wording.Joined(keysOf(pane), "; ", func(b key.Binding) string { return b.Help().Key + " " + b.Help().Desc })
	for _, row := range section.Table {
		if row[1] == keys {
			row[0] += ", " + pane.Title()
			return
		}
	}
	section.Row(pane.Title(), keys)
}
