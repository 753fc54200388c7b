package dialogs

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Keyed is a dialog, or its part, of which all that it does is done by keys.
type Keyed struct{ Acts func() []views.KeyAction }

// Keys returns the keys that work now.
func (k Keyed) Keys() []key.Binding { return views.Bindings(k.Acts()) }

// HandleKey does what a key is for.
func (k Keyed) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	return views.CarryOut(k.Acts(), msg, s)
}

// Typing reports that nothing is typed.
func (Keyed) Typing() bool { return false }

// Moves returns what keys do that move a place in a list of n.
func Moves(at *int, n int) func(tea.KeyPressMsg, views.State) draw.Action {
	return func(msg tea.KeyPressMsg, _ views.State) draw.Action {
		*at = Moved(*at, n, msg.String())
		return draw.Handled{}
	}
}

// Turns returns what keys do that go forward or back.
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

// Swaps returns what a key does that leads to another dialog, where there is one.
func Swaps(other func() Dialog) func(views.State) draw.Action {
	return func(views.State) draw.Action {
		if dialog := other(); dialog != nil {
			return Swap{Dialog: dialog}
		}
		return draw.Handled{}
	}
}
