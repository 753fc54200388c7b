package tui

import (
	"github.com/sdcdesk/sdcdesk/tui/dialogs"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
)

// placed reports whether another command or a dialog opens a method.
func placed(name string) bool {
	switch name {
	case "recode-intervals", "recode-group", "recode-rename", "recode-topbottom", "suppress-kanonymity", "suppress-risk", "pram":
		return true
	}
	return false
}

// methodCommands returns a command without a key for every method that nothing
// else opens, so that the palette finds all of them.
func methodCommands(methods method.Catalog) []command {
	var all []command
	for _, spec := range methods {
		if placed(spec.Name) {
			continue
		}
		all = append(all, command{
			binding: dialogs.Bind("", spec.Title), name: spec.Title,
			reason: func(m *Model) string { return inapplicable(m, spec) },
			do:     func(m *Model) tea.Cmd { return m.do(views.OpenMethod{Name: spec.Name}) },
		})
	}
	return all
}

// inapplicable tells why a method cannot be used with the scenario; "" where it
// can.
func inapplicable(m *Model, spec method.Spec) string {
	return method.Refusal(spec.New(), m.bench.scenario)
}
