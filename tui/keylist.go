package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/views/panes"
)

// KeysPage lists the keys of the workbench: those of the commands, and those of the panes
// of every tab. Dialogs and pages show theirs where they are open.
func KeysPage(options Options) *report.Page {
	everywhere := report.NewTable("Everywhere", "key", "command")
	for _, c := range New(options).commands() {
		if keys := c.binding.Keys(); len(keys) > 0 {
			everywhere.Row(strings.Join(keys, ", "), c.name)
		}
	}
	page := &report.Page{Title: "Keys", Sections: []report.Section{everywhere}}
	all := panes.All()
	for t := range tabCount {
		section := report.NewTable("Tab "+tabs[t].name, "pane", "keys")
		for _, id := range t.names(true) {
			for _, pane := range all {
				if pane.ID() == id && len(pane.Keys()) > 0 {
					section.Row(pane.Title(), wording.Joined(pane.Keys(), "; ", func(b key.Binding) string {
						return b.Help().Key + " " + b.Help().Desc
					}))
				}
			}
		}
		page.Sections = append(page.Sections, section)
	}
	return page
}
