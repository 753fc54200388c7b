package dialogs

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
)

// Confirm asks a question that enter answers with yes and esc with no.
type Confirm struct {
	title, text, yes string
	Other            string // what o does; "": nothing
	command          func() tea.Cmd
	Otherwise        func() tea.Cmd
}

// NewConfirm asks a question; yes says what enter does, which is the command.
func NewConfirm(title, text, yes string, command func() tea.Cmd) *Confirm {
	return &Confirm{title: title, text: text, yes: yes, command: command}
}

// Title is the question in short.
func (d *Confirm) Title() string { return d.title }

// Size leaves room for a few lines.
func (d *Confirm) Size() (width, height int) { return 64, 7 }

// Typing reports that nothing is typed.
func (d *Confirm) Typing() bool { return false }

// Keys returns the answers.
func (d *Confirm) Keys() []key.Binding {
	keys := []key.Binding{Bind("enter", d.yes, "enter", "y")}
	if d.Otherwise != nil {
		keys = append(keys, Bind("n", d.Other, "n"))
	}
	return append(keys, Bind("esc", "cancel", "esc"))
}

// HandleKey takes an answer.
func (d *Confirm) HandleKey(msg tea.KeyPressMsg, _ views.State) Effect {
	switch pressed := msg.String(); {
	case pressed == "enter" || pressed == "y":
		return Call{Command: d.command}
	case pressed == "n" && d.Otherwise != nil:
		return Call{Command: d.Otherwise}
	case pressed == "esc" || pressed == "n":
		return Close{}
	}
	return Stay{}
}

// View draws the question.
func (d *Confirm) View(s views.State, width, height int) string {
	lines := views.Wrapped(s.Theme.Plain.Render, d.text, width)
	return strings.Join(lines[:min(len(lines), max(1, height))], "\n")
}
