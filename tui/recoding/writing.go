package recoding

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// recodeWriting is the dialog that writes the recodes of a variable, and the one
// that is being made, to a file: one of mu-Argus where its name ends with .grc,
// else one of this program's own.
type recodeWriting struct {
	dialogs.Saving
	variable string
	standing []recode.Saved    // recodes of the variable that stand, in their order
	pending  *session.StepSpec // the one that is being made; nil: none
	state    views.State
}

func newRecodeWriting(s views.State, variable string, back maker) dialogs.Dialog {
	d := &recodeWriting{variable: variable, state: s}
	d.Heading = "Write the recodes of " + variable
	if step, ok := back.Made(); ok {
		d.pending = &step
	}
	d.Back, d.Path, d.Saving.Write, d.About = back, fileName(variable)+"-recodes.json", d.writing, d.story
	var err error
	if d.standing, err = standingRecodes(s, variable); err != nil {
		d.Problem = err.Error()
	}
	d.Fields = []*dialogs.Field{d.PathField("Where it is written. A name that ends with .grc makes a recode file of " +
		"mu-Argus, any other one of this program.")}
	return d
}

// fileName returns a variable's name with an underline for each character that
// some system has no place for in the name of a file.
func fileName(variable string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '_'
		}
		return r
	}, variable)
}

func (d *recodeWriting) writing(path string) (draw.Action, error) {
	text, err := d.text(path)
	if err != nil {
		return nil, err
	}
	return dialogs.Write{Title: "writing the recodes", Path: path, Replace: d.Replace, Back: d.Back,
		Notice: "recodes of " + d.variable + " written to " + path,
		Content: func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		}}, nil
}

// text returns the file of the kind that its name says.
func (d *recodeWriting) text(path string) (string, error) {
	if strings.EqualFold(filepath.Ext(path), ".grc") {
		return d.argusText()
	}
	all := slices.Clone(d.standing)
	if d.pending != nil {
		all = append(all, recode.Saved{Step: d.pending.Step, Params: d.pending.Params})
	}
	if len(all) == 0 {
		return "", fmt.Errorf("%s was not recoded: there is nothing to write", d.variable)
	}
	text, err := recode.SaveRecodes(all)
	return string(text), err
}

// argusText returns the recode file of mu-Argus of the variable as it is, or as
// the recode that is being made would leave it.
func (d *recodeWriting) argusText() (string, error) {
	column := d.state.Current.Column(d.variable)
	if column == nil {
		return "", fmt.Errorf("the file has no variable %s", d.variable)
	}
	if d.pending == nil {
		return recode.ArgusText(column)
	}
	m, err := recode.Saved{Step: d.pending.Step, Params: json.RawMessage(d.pending.Params)}.Method()
	if err != nil {
		return "", err
	}
	if method.TargetOf(m) == "" {
		return recode.ArgusText(column)
	}
	r, err := method.Regroup(m, method.Input{Data: d.state.Current.Data, Scenario: d.state.Scenario})
	if err != nil {
		return "", err
	}
	return recode.ArgusText(r.Column())
}

func (d *recodeWriting) story(s views.State, width int) []string {
	n, of := len(d.standing), " of "+draw.Safe(d.variable)
	about := wording.CountedAs(n, "recode"+of, "recodes"+of) + " " + wording.Verb(n, "stand")
	if d.pending != nil {
		about += ", and the one that is being made is written with them"
	}
	return s.Theme.Plain.Wrapped(about+".", width)
}
