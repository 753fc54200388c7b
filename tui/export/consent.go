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

// consent asks for a typed word, and before it who accepts what was found and why.
type consent struct {
	dialogs.Form
	what       string // is accepted
	incomplete []func() error
	write      func() dialogs.Effect
}

// consentWord is typed whole, so that no key held too long accepts anything.
const consentWord = "yes"

// newWordOf asks for the word alone.
func newWordOf(what string, write func() dialogs.Effect) *consent {
	c := &consent{what: what, write: write}
	word := ""
	c.ask("type yes", "Then enter writes; any other word writes nothing. esc goes back to the findings and their fixes.",
		"type yes to accept what was found, or esc to go back and fix it", &word, func() bool { return word == consentWord })
	return c
}

// newConsent asks for a reason and a name too.
func newConsent(what string, accepted func(because, by string) dialogs.Effect) *consent {
	because, by := "", ""
	c := &consent{}
	c.ask("reason", "Why the file may be released with this. The reason is kept in the bundle and in the internal report.",
		"give the reason", &because, func() bool { return because != "" })
	c.ask("accepted by", "The name of the person who decides. The name is kept with the reason.",
		"give the name of the person who accepts it", &by, func() bool { return by != "" })
	word := newWordOf(what, func() dialogs.Effect { return accepted(because, by) })
	word.Fields, word.incomplete = append(c.Fields, word.Fields...), append(c.incomplete, word.incomplete...)
	return word
}

// ask adds a field for a text, and what is said if it is not complete.
func (c *consent) ask(label, help, problem string, text *string, complete func() bool) {
	c.Fields = append(c.Fields, &dialogs.Field{Label: label, Help: help, Value: func() string { return *text },
		Typed: func(typed string) error {
			*text = typed
			return nil
		}})
	c.incomplete = append(c.incomplete, func() error {
		if complete() {
			return nil
		}
		return errors.New("nothing was written: " + problem)
	})
}

// Title asks.
func (c *consent) Title() string { return "Export with what was found?" }

// Size is that of a few sentences.
func (c *consent) Size() (width, height int) { return 76, 16 }

// Keys lead on or back.
func (c *consent) Keys() []key.Binding {
	yes := "next"
	if c.At == len(c.Fields)-1 {
		yes = "accept and write"
	}
	return []key.Binding{draw.Bind("enter", yes), draw.Bind("esc", "back")}
}

// HandleKey types the texts; enter leads to the next one, and writes after the last.
func (c *consent) HandleKey(msg tea.KeyPressMsg, _ views.State) dialogs.Effect {
	c.Field().Err = nil
	switch taken := c.Handle(msg); {
	case taken:
	case msg.String() == "esc":
		return dialogs.Close{}
	case msg.String() == "enter":
		return c.next()
	}
	return dialogs.Stay{}
}

// next leads to the next field, or to the first one that is not complete.
func (c *consent) next() dialogs.Effect {
	for i := range c.At + 1 {
		if err := c.incomplete[i](); err != nil {
			c.At, c.Fields[i].Err = i, err
			return dialogs.Stay{}
		}
	}
	if c.At < len(c.Fields)-1 {
		c.At++
		return dialogs.Stay{}
	}
	return c.write()
}

// View draws what is accepted above the fields.
func (c *consent) View(s views.State, width, height int) string {
	lines := append(c.Form.View(s, width), "")
	return strings.Join(append(s.Theme.Error.Wrapped(c.what, width), append([]string{""}, lines...)...), "\n")
}
