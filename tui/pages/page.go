package pages

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Page is a room before the workbench: it has the whole screen. Like a dialog it
// does no work of its own: it asks for actions.
type Page interface {
	Keys() []key.Binding
	// Typing reports whether a text is being typed, so that no letter is a command.
	Typing() bool
	HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action
	// View draws the page in a space of height lines of width cells; what is more
	// than that is cut off.
	View(s views.State, width, height int) string
}

var (
	_ Page = (*Start)(nil)
	_ Page = (*Import)(nil)
	_ Page = (*Variables)(nil)
)
