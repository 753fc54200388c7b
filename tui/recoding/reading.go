package recoding

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// lineMark separates the lines of a typed recode file of mu-Argus.
const lineMark = ";"

// linesField edits the text of a recode file of mu-Argus.
func linesField(text *string) *dialogs.Field {
	return &dialogs.Field{Label: "or lines",
		Help: "The lines of a mu-Argus recode file, separated by semicolons: 1: 1-10; 2: 11-20, 25; <MISSING> 98 99.",
		Value: func() string {
			lines := strings.FieldsFunc(*text, func(r rune) bool { return r == '\n' || r == '\r' })
			return strings.Join(lines, lineMark+" ")
		},
		Typed: func(typed string) error {
			*text = ""
			for line := range strings.SplitSeq(typed, lineMark) {
				*text += strings.TrimSpace(line) + "\n"
			}
			return nil
		},
		Hidden: func() bool { return strings.ContainsAny(*text, lineMark+"{") }}
}

// parsedText is the form of a recode file. Its recodes apply to the variable it was opened on, unless the file names
// variables.
type parsedText struct {
	dialogs.StepDialog
	method   *recode.RecodeAll
	variable string
	read     string // the text that the variables were derived from
}

func newReading(s views.State, variable string, back dialogs.Dialog) *parsedText {
	d := &parsedText{method: &recode.RecodeAll{}, variable: variable}
	d.Begin(s, recode.SeveralSpec(), d.method, d)
	d.Fields = slices.Insert(d.Fields, 1, linesField(&d.method.Recodes))
	d.Back, d.NeedK, d.Heading, d.Input = back, s.K, "Recode "+variable+" with a file", draw.NewTextField("")
	return d
}

// Made returns the step of the file; ok is false if there is none.
func (d *parsedText) Made() (session.StepSpec, bool) {
	if text := d.method.Recodes; text != d.read {
		recodes, _ := recode.LoadRecodes([]byte(text)) // the what-if shows the error
		names := slices.ContainsFunc(recodes, func(one recode.RecodeFile) bool { return one.Variable() == d.variable })
		if d.read = text; names {
			d.method.Variables = nil
		} else if d.method.Variables == nil {
			d.method.Variables = []string{d.variable}
		}
	}
	return d.StepDialog.Made()
}
