package dialogs

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
)

// Naming asks for a name.
type Naming struct {
	formDialog
	name string
	give func(name string) tea.Cmd
}

// NewNaming returns the dialog that asks for a name; give gets it, "" where it was
// taken away.
func NewNaming(title, label, help, name string, give func(name string) tea.Cmd) *Naming {
	d := &Naming{name: name, give: give}
	d.Heading = title
	d.Fields = []*Field{{Label: label, Help: help, Value: func() string { return d.name }, Typed: func(text string) error {
		d.name = text
		return nil
	}}}
	return d
}

// Size is that of one line and its help.
func (d *Naming) Size() (width, height int) { return 64, 9 }

// Keys says what enter does.
func (d *Naming) Keys() []key.Binding { return d.keys("give the name") }

// HandleKey edits the name; enter gives it.
func (d *Naming) HandleKey(msg tea.KeyPressMsg, _ views.State) Effect {
	return d.handle(msg, func() Effect {
		name := strings.TrimSpace(d.name)
		return Call{Command: func() tea.Cmd { return d.give(name) }}
	})
}

// View draws the field.
func (d *Naming) View(s views.State, width, height int) string {
	lines := d.Form.View(s, width)
	return strings.Join(lines[:min(len(lines), max(1, height))], "\n")
}
