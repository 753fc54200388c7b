package dialogs

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Prompt asks for one line of text.
type Prompt struct {
	title, question, label, help string
	yes                          string // what enter does
	needed                       bool   // an empty text is refused
	whole                        bool   // the first character replaces the initial text
	input                        *draw.TextField
	give                         func(text string)
}

// NewNaming returns the dialog that asks for a name; give gets it, "" if the user deleted it.
func NewNaming(title, label, help, name string, give func(name string)) *Prompt {
	return &Prompt{title: title, label: label, help: help, yes: "accept the name", whole: true,
		input: draw.NewTextField(name), give: give}
}

// NewPassword returns the dialog that asks for the password of a server; give gets it.
func NewPassword(address string, give func(password string)) *Prompt {
	return &Prompt{title: "Password", question: "The server of " + draw.Safe(address) + " requires a password.",
		label: "password", yes: "open the table", needed: true, input: draw.NewUnseenField(), give: give,
		help: "It is kept in memory until the program ends and never written. To avoid typing it, set PGPASSFILE, " +
			"PGPASSWORD or CLICKHOUSE_PASSWORD."}
}

// Title returns what is asked for.
func (d *Prompt) Title() string { return d.title }

// Size returns room for the line and its help.
func (d *Prompt) Size() (width, height int) { return 72, 9 }

// Typing returns true, because letters are always text here.
func (d *Prompt) Typing() bool { return true }

// Keys returns the keys that accept the text or cancel.
func (d *Prompt) Keys() []key.Binding {
	return []key.Binding{draw.Bind("enter", d.yes), draw.Bind("esc", "cancel")}
}

// HandleKey types; enter accepts the text.
func (d *Prompt) HandleKey(msg tea.KeyPressMsg, _ views.State) draw.Action {
	switch pressed := msg.String(); {
	case pressed == "esc":
		return Close{}
	case pressed == "enter" && d.needed && d.input.Text() == "":
		return nil
	case pressed == "enter":
		text := d.input.Text()
		if !d.needed {
			text = strings.TrimSpace(text)
		}
		return Call(func() { d.give(text) })
	case d.whole && msg.Text != "":
		d.input.Set("")
	}
	d.whole = false
	d.input.Handle(msg)
	return nil
}

// View draws the question and the field.
func (d *Prompt) View(s views.State, width, height int) string {
	var lines []string
	if d.question != "" {
		lines = append(s.Plain.Wrapped(d.question, width), "")
	}
	head := d.label + "  "
	lines = append(lines, s.Key.Render(head)+d.input.View(s.Theme, max(1, width-len(head))), "")
	lines = s.Faint.Append(lines, d.help, width)
	return strings.Join(lines[:min(len(lines), max(1, height))], "\n")
}
