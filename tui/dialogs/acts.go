package dialogs

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// KeyHandler is a dialog, or a part of one, that consists of keys with actions.
type KeyHandler struct{ Acts func() []views.KeyAction }

// Keys returns the keys that can be used now.
func (k KeyHandler) Keys() []key.Binding { return views.Bindings(k.Acts()) }

// HandleKey performs the action of a key.
func (k KeyHandler) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	return views.CarryOut(k.Acts(), msg, s)
}

// Typing returns false.
func (KeyHandler) Typing() bool { return false }

// Moves returns the action of keys that move an index in a list of n.
func Moves(at *int, n int) func(tea.KeyPressMsg, views.State) draw.Action {
	return func(msg tea.KeyPressMsg, _ views.State) draw.Action {
		*at = Moved(*at, n, msg.String())
		return draw.Handled{}
	}
}

// Turns returns the action of keys that go forward or back.
func Turns(do func(by int)) func(tea.KeyPressMsg, views.State) draw.Action {
	return func(msg tea.KeyPressMsg, _ views.State) draw.Action {
		by := -1
		if slices.Contains([]string{"right", "l", "shift+right", ">", "down", "j", "J", "shift+down", "+", "="},
			msg.String()) {
			by = 1
		}
		do(by)
		return draw.Handled{}
	}
}

// Swaps returns the action of a key that opens another dialog instead, if there is one.
func Swaps(other func() Dialog) func(views.State) draw.Action {
	return func(views.State) draw.Action {
		if dialog := other(); dialog != nil {
			return Swap{Dialog: dialog}
		}
		return draw.Handled{}
	}
}
