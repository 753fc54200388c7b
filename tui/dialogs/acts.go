package dialogs

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Act is a key of a dialog and what it does.
type Act struct {
	key.Binding
	Do func(msg tea.KeyPressMsg) Effect
}

// Keyed is a dialog, or its part, of which all that it does is done by acts.
type Keyed struct{ Acts func() []Act }

// Keys returns the keys that work now.
func (k Keyed) Keys() []key.Binding { return Bindings(k.Acts()) }

// HandleKey does what a key is for.
func (k Keyed) HandleKey(msg tea.KeyPressMsg, _ views.State) Effect {
	if effect := CarryOut(k.Acts(), msg); effect != nil {
		return effect
	}
	return Stay{}
}

// Typing reports that nothing is typed.
func (Keyed) Typing() bool { return false }

// Closes closes the dialog.
func Closes(tea.KeyPressMsg) Effect { return Close{} }

// Moves returns what keys do that move a place in a list of n.
func Moves(at *int, n int) func(tea.KeyPressMsg) Effect {
	return func(msg tea.KeyPressMsg) Effect {
		*at = Moved(*at, n, msg.String())
		return Stay{}
	}
}

// Stays returns what an act does that leaves the dialog open.
func Stays(do func()) func(tea.KeyPressMsg) Effect {
	return func(tea.KeyPressMsg) Effect {
		do()
		return Stay{}
	}
}

// Turns returns what keys do that go forward or back.
func Turns(do func(by int)) func(tea.KeyPressMsg) Effect {
	return func(msg tea.KeyPressMsg) Effect {
		by := -1
		if slices.Contains([]string{"right", "l", "shift+right", ">", "down", "j", "J", "shift+down", "+", "="},
			msg.String()) {
			by = 1
		}
		do(by)
		return Stay{}
	}
}

// Swaps returns what a key does that leads to another dialog, where there is one.
func Swaps(other func() Dialog) func(tea.KeyPressMsg) Effect {
	return func(tea.KeyPressMsg) Effect {
		if dialog := other(); dialog != nil {
			return Swap{Dialog: dialog}
		}
		return Stay{}
	}
}

// Calls returns what a key does that closes the dialog and carries out a command of
// the program.
func Calls(command func() tea.Cmd) func(tea.KeyPressMsg) Effect {
	return func(tea.KeyPressMsg) Effect { return Call{Command: command} }
}

// Bindings returns the keys of acts.
func Bindings(acts []Act) []key.Binding {
	keys := make([]key.Binding, len(acts))
	for i := range acts {
		keys[i] = acts[i].Binding
	}
	return keys
}

// CarryOut does what a key is for; nil where it is none of the acts'.
func CarryOut(acts []Act, msg tea.KeyPressMsg) Effect {
	for i := range acts {
		if key.Matches(msg, acts[i].Binding) {
			return acts[i].Do(msg)
		}
	}
	return nil
}

// NewAct returns an act with its key, as draw.Bind has it.
func NewAct(help, text string, do func(msg tea.KeyPressMsg) Effect, keys ...string) Act {
	return Act{draw.Bind(help, text, keys...), do}
}
