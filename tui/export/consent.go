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

// consent asks the user to type a word, and before that who accepts the findings and why.
type consent struct {
	dialogs.Form
	what              string   // text that is accepted
	problems          []string // messages for fields that are empty
	because, by, word string
	write             func(because, by string) draw.Action
}

// consentWord has to be typed, so that a key held too long accepts nothing.
const consentWord = "yes"

// newConsent asks for the word, and if named is set, first for a reason and a name.
func newConsent(what string, named bool, write func(because, by string) draw.Action) *consent {
	c := &consent{what: what, write: write}
	if named {
		c.ask("reason", "The reason for releasing the file with these findings. It is recorded in the release and in the internal "+
			"report.",
			"give the reason", &c.because)
		c.ask("accepted by", "The name of the person who decides, recorded with the reason.",
			"give the name of the person who accepts it", &c.by)
	}
	c.ask("type yes", "enter then writes the file; any other word writes nothing. esc returns to the findings and their fixes.",
		"type yes to accept the findings, or press esc to return and fix them", &c.word)
	return c
}

// ask adds a field for a text.
func (c *consent) ask(label, help, problem string, text *string) {
	c.Fields, c.problems = append(c.Fields, dialogs.NewText(label, help, text)), append(c.problems, problem)
}

// Title returns the question.
func (c *consent) Title() string { return "Export with these findings?" }

// Size returns room for a few sentences.
func (c *consent) Size() (width, height int) { return 76, 16 }

// Keys returns the keys that continue or go back.
func (c *consent) Keys() []key.Binding {
	yes := "next"
	if c.At == len(c.Fields)-1 {
		yes = "accept and write"
	}
	return []key.Binding{draw.Bind("enter", yes), draw.Bind("esc", "back")}
}

// HandleKey types; enter goes to the next field, and writes after the last one.
func (c *consent) HandleKey(msg tea.KeyPressMsg, _ views.State) draw.Action {
	c.Field().Err = nil
	switch taken := c.Handle(msg); {
	case taken:
	case msg.String() == "esc":
		return dialogs.Close{}
	case msg.String() == "enter":
		return c.next()
	}
	return nil
}

// next goes to the next field, or to the first incomplete one.
func (c *consent) next() draw.Action {
	for i, field := range c.Fields[:c.At+1] {
		if text := field.Value(); text == "" || field == c.Fields[len(c.Fields)-1] && text != consentWord {
			c.At, field.Err = i, errors.New("nothing was written: "+c.problems[i])
			return nil
		}
	}
	if c.At < len(c.Fields)-1 {
		c.At++
		return nil
	}
	return c.write(c.because, c.by)
}

// View draws the text that is accepted above the fields.
func (c *consent) View(s views.State, width, height int) string {
	lines := append(c.Form.View(s, width), "")
	return strings.Join(append(s.Error.Wrapped(c.what, width), append([]string{""}, lines...)...), "\n")
}
