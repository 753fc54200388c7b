package dialogs

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Password asks for the password of a server.
type Password struct {
	address string
	input   *draw.TextField
	give    func(password string) tea.Cmd
}

// NewPassword returns the dialog for the address of a table; give gets what is typed.
func NewPassword(address string, give func(password string) tea.Cmd) *Password {
	return &Password{address: address, input: draw.NewUnseenField(), give: give}
}

// Title says what is asked for.
func (d *Password) Title() string { return "Password" }

// Size has room for what becomes of it.
func (d *Password) Size() (width, height int) { return 72, 10 }

// Typing reports that letters are always text here.
func (d *Password) Typing() bool { return true }

// Keys give it, or leave the table closed.
func (d *Password) Keys() []key.Binding {
	return []key.Binding{draw.Bind("enter", "open the table"), draw.Bind("esc", "cancel")}
}

// HandleKey types; enter gives what was typed.
func (d *Password) HandleKey(msg tea.KeyPressMsg, _ views.State) Effect {
	switch msg.String() {
	case "esc":
		return Close{}
	case "enter":
		password := d.input.Text()
		if password == "" {
			return Stay{}
		}
		return Call{Command: func() tea.Cmd { return d.give(password) }}
	}
	d.input.Handle(msg)
	return Stay{}
}

// View draws the field, which shows how many characters there are.
func (d *Password) View(s views.State, width, height int) string {
	lines := s.Theme.Plain.Wrapped("The server of "+draw.Safe(d.address)+" wants a password.", width)
	lines = append(lines, "", s.Theme.Key.Render("password ")+d.input.View(s.Theme, max(1, width-len("password "))), "")
	lines = append(lines, s.Theme.Faint.Wrapped("It is kept until the program ends, and never written anywhere. PGPASSFILE, PGPASSWORD and "+
		"CLICKHOUSE_PASSWORD spare typing it.", width)...)
	return strings.Join(lines[:min(len(lines), max(1, height))], "\n")
}
