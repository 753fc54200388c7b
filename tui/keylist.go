package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/views/panes"
)

// KeysPage lists the keys of the workbench: those of the commands, and those of the panes
// of every tab. Dialogs and pages show theirs where they are open.
func KeysPage(options Options) *report.Page {
	everywhere := report.NewTable("Everywhere", "key", "what it does")
	for _, c := range New(options).commands() {
		if keys := c.binding.Keys(); len(keys) > 0 {
			everywhere.Row(strings.Join(keys, ", "), c.name)
		}
	}
	page := &report.Page{Title: "Keys", Sections: []report.Section{everywhere}}
	all := panes.All()
	for t := range tabCount {
		for _, id := range t.names(true) {
			for _, pane := range all {
				if pane.ID() == id {
					page.Sections = append(page.Sections, keysOf(tabs[t].name+": "+pane.Title(), pane.Keys()))
				}
			}
		}
	}
	return page
}

// keysOf is the section of a pane.
func keysOf(heading string, bindings []key.Binding) report.Section {
	section := report.NewTable(heading, "key", "what it does")
	for _, b := range bindings {
		section.Row(b.Help().Key, b.Help().Desc)
	}
	return section
}
