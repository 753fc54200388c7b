package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
)

// page is a room before the workbench: it has the whole screen. Like a dialog it
// does no work of its own: what it asks for is an Effect.
type page interface {
	Keys() []key.Binding
	// Typing reports whether a text is being typed, so that no letter is a command.
	Typing() bool
	HandleKey(msg tea.KeyPressMsg) Effect
	// View draws the page in height lines of width cells.
	View(s views.State, width, height int) string
}

var (
	_ page = (*startPage)(nil)
	_ page = (*importPage)(nil)
	_ page = (*variablesPage)(nil)
)
