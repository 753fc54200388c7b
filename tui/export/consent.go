package export

import (
	"errors"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// consent asks for the word by which somebody accepts what was found.
type consent struct {
	dialogs.Form
	what   string // is accepted
	word   string
	accept func() dialogs.Effect
}

// consentWord is typed whole, so that no key held too long accepts anything.
const consentWord = "yes"

func newConsent(what string, accept func() dialogs.Effect) *consent {
	c := &consent{what: what, accept: accept}
	c.Fields = []*dialogs.Field{{Label: "type yes", Value: func() string { return c.word },
		Help: "Enter then writes; anything else writes nothing. esc goes back to the findings and their fixes.",
		Typed: func(text string) error {
			c.word = text
			return nil
		}}}
	return c
}

// Title asks.
func (c *consent) Title() string { return "Export with what was found?" }

// Size is that of a few sentences.
func (c *consent) Size() (width, height int) { return 76, 14 }

// Keys lead on or back.
func (c *consent) Keys() []key.Binding {
	return []key.Binding{draw.Bind("enter", "accept and write"), draw.Bind("esc", "back")}
}

// HandleKey types the word; enter writes where it is the one.
func (c *consent) HandleKey(msg tea.KeyPressMsg, _ views.State) dialogs.Effect {
	c.Fields[0].Err = nil
	switch taken := c.Handle(msg); {
	case taken:
	case msg.String() == "esc":
		return dialogs.Close{}
	case msg.String() == "enter" && c.word == consentWord:
		return c.accept()
	case msg.String() == "enter":
		c.Fields[0].Err = errors.New("nothing was written: type yes to accept what was found, or esc to go back and fix it")
	}
	return dialogs.Stay{}
}

// View draws what is accepted above the field.
func (c *consent) View(s views.State, width, height int) string {
	lines := append(c.Form.View(s, width), "")
	return strings.Join(append(s.Theme.Error.Wrapped(c.what, width), append([]string{""}, lines...)...), "\n")
}
