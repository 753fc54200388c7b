package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
)

// confirm asks a question that enter answers with yes and esc with no.
type confirm struct {
	title, text, yes string
	other            string // what o does; "": nothing
	command          func() tea.Cmd
	otherwise        func() tea.Cmd
}

func newConfirm(title, text, yes string, command func() tea.Cmd) *confirm {
	return &confirm{title: title, text: text, yes: yes, command: command}
}

func (d *confirm) Title() string { return d.title }

func (d *confirm) size() (width, height int) { return 64, 7 }

func (d *confirm) Typing() bool { return false }

func (d *confirm) Keys() []key.Binding {
	keys := []key.Binding{bind("enter", d.yes, "enter", "y")}
	if d.otherwise != nil {
		keys = append(keys, bind("n", d.other, "n"))
	}
	return append(keys, bind("esc", "cancel", "esc"))
}

func (d *confirm) HandleKey(msg tea.KeyPressMsg, _ views.State) Effect {
	switch pressed := msg.String(); {
	case pressed == "enter" || pressed == "y":
		return Call{Command: d.command}
	case pressed == "n" && d.otherwise != nil:
		return Call{Command: d.otherwise}
	case pressed == "esc" || pressed == "n":
		return Close{}
	}
	return Stay{}
}

func (d *confirm) View(s views.State, width, height int) string {
	lines := views.Wrapped(s.Theme.Plain.Render, d.text, width)
	return strings.Join(lines[:min(len(lines), max(1, height))], "\n")
}
