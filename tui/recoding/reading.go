package recoding

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/muargus"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// recodeReading is the dialog that reads a recode file, one of this program's
// own or one of mu-Argus, and shows what it would do before it is applied.
type recodeReading struct {
	dialogs.StepDialog
	variable  string
	path      string
	argus     *recode.ArgusFile // nil: the file is none of mu-Argus
	saved     *recode.Several   // nil: the file is none of this program
	named     []string          // the variables that the saved recodes name
	all       bool              // the saved recodes are made for the variables they name
	variables []string          // else for these
}

func newRecodeReading(s views.State, variable string, back dialogs.Dialog) *recodeReading {
	d := &recodeReading{variable: variable, variables: []string{variable}}
	d.Self, d.Back, d.NeedK = d, back, s.K
	d.Heading, d.Hint = "Recode "+variable+" by a file",
		"The figures after the recodes of the file stand here as soon as it is read."
	file := &dialogs.Field{Label: "file", Help: "Type the path of a recode file: one of mu-Argus (.grc), or one that " +
		"was written here.",
		Value: func() string { return d.path }}
	d.Fields = []*dialogs.Field{file.ReadsFile(d.begun, d.load), d.fieldLines(), d.fieldFor(s)}
	d.Input = draw.NewTextField("")
	return d
}

// lineMark parts the lines of a recode file of mu-Argus that is typed.
const lineMark = ";"

// fieldLines edits the recode file of mu-Argus itself.
func (d *recodeReading) fieldLines() *dialogs.Field {
	return &dialogs.Field{Label: "or lines",
		Help: "The lines of a recode file of mu-Argus, with semicolons between: 1: 1-10; 2: 11-20, 25; <MISSING> 98 " +
			"99.",
		Value: func() string {
			if d.argus == nil {
				return ""
			}
			lines := strings.FieldsFunc(d.argus.Recode, func(r rune) bool { return r == '\n' || r == '\r' })
			return strings.Join(lines, lineMark+" ")
		},
		Typed:  d.readLines,
		Hidden: func() bool { return d.saved != nil || d.argus != nil && strings.Contains(d.argus.Recode, lineMark) }}
}

// readLines takes the text of a recode file of mu-Argus that is typed.
func (d *recodeReading) readLines(text string) error {
	argus := recode.ArgusFile{Variable: d.variable}
	if d.argus != nil {
		argus = *d.argus // its code list and width stay
	}
	d.path, d.argus, d.saved = "", nil, nil
	if text == "" {
		return nil
	}
	argus.Recode = ""
	for line := range strings.SplitSeq(text, lineMark) {
		argus.Recode += strings.TrimSpace(line) + "\n"
	}
	if _, err := muargus.ParseRecode(argus.Recode); err != nil {
		return err
	}
	d.argus = &argus
	return nil
}

// fieldFor chooses the variables that are recoded.
func (d *recodeReading) fieldFor(s views.State) *dialogs.Field {
	names := method.Variables(&d.variables, "for", "")
	return &dialogs.Field{Label: "for",
		Help: "Which variables are recoded: this one, those that the file names, or those that you type, with commas " +
			"between.",
		Value: func() string {
			if d.all && d.saved != nil {
				return strings.Join(d.named, ", ") + ", as the file says"
			}
			return method.WrittenList(d.variables)
		},
		Change: func(int) { d.all, d.variables = !d.all, []string{d.variable} },
		Typed: func(text string) error {
			d.all = false
			was := d.variables
			err := names.SetText(text, s.Current.Data)
			if err == nil && len(d.variables) == 0 {
				d.variables, err = was, errors.New("name a variable to recode")
			}
			return err
		},
		Hidden: func() bool { return d.saved == nil && d.argus == nil }}
}

// begun forgets the file that was read when another path is typed.
func (d *recodeReading) begun(path string) error {
	d.path, d.argus, d.saved, d.named = path, nil, nil, nil
	return nil
}

// load reads the text of a file, and the code list that one of mu-Argus names.
func (d *recodeReading) load(path, text string) (take func() error, err error) {
	if strings.HasPrefix(strings.TrimLeft(text, "\ufeff \t\r\n"), "{") {
		return func() error { return d.readSaved(text) }, nil
	}
	if err := argusError(path, text); err != nil {
		return nil, err
	}
	argus := &recode.ArgusFile{Variable: d.variable, Recode: text}
	dialogs.Accompanying(argus, "recode", text, path)(argus)
	return func() error {
		d.argus = argus
		return nil
	}, nil
}

// argusError says why a text is no recode file of mu-Argus; nil where it is one.
func argusError(path, text string) error {
	const eachKind = "it is neither a recode file that was written here nor one of mu-Argus"
	name := draw.Safe(filepath.Base(path))
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\r\n\f\x1a", r) }) {
		return fmt.Errorf("%s is no text: %s", name, eachKind)
	}
	_, err := muargus.ParseRecode(text)
	switch extension := strings.ToLower(filepath.Ext(path)); {
	case err == nil || extension == ".grc":
		return err
	case extension == ".json":
		return fmt.Errorf("%s does not begin with a brace: %s", name, eachKind)
	}
	return fmt.Errorf("%s does not begin with a brace, as recode files that were written here do, and as one of "+
		"mu-Argus it has an error: %w", name, err)
}

// readSaved takes the recodes of this program's own file.
func (d *recodeReading) readSaved(text string) error {
	recodes, err := recode.LoadRecodes([]byte(text))
	if err != nil {
		return err
	}
	for _, one := range recodes {
		if name := one.Variable(); !slices.Contains(d.named, name) {
			d.named = append(d.named, name)
		}
	}
	d.saved = &recode.Several{Recodes: text}
	d.all = slices.Contains(d.named, d.variable)
	return nil
}

// Made returns the step that the file makes; ok is false where there is none.
func (d *recodeReading) Made() (step session.StepSpec, ok bool) {
	switch {
	case d.Err() != nil:
	case d.argus != nil && len(d.variables) == 1:
		m := *d.argus
		m.Variable = d.variables[0]
		return dialogs.StepOf("recode-grc", &m), true
	case d.argus != nil:
		one := dialogs.StepOf("recode-grc", d.argus)
		text, err := recode.SaveRecodes([]recode.Saved{{Step: one.Step, Params: one.Params}})
		return dialogs.StepOf("recode-file", &recode.Several{Recodes: string(text), Variables: d.variables}), err == nil
	case d.saved != nil:
		m := *d.saved
		if !d.all {
			m.Variables = d.variables
		}
		return dialogs.StepOf("recode-file", &m), true
	}
	return step, false
}

// Under draws what the file says.
func (d *recodeReading) Under(s views.State, width, _ int) []string {
	var lines []string
	if about := d.about(); about != "" {
		lines = s.Theme.Heading.Wrapped(about, width)
	}
	if d.Known.WhatIf != nil && !d.Known.Pending {
		lines = append(lines, s.Theme.Plain.Wrapped(d.Known.WhatIf.Report.Title, width)...)
	}
	return append(lines, d.Warnings(s, width)...)
}

func (d *recodeReading) about() string {
	switch {
	case d.argus != nil:
		file, err := muargus.ParseRecode(d.argus.Recode)
		if err != nil {
			return err.Error()
		}
		about := "A recode file of mu-Argus with " + wording.Counted(len(file.Rules), "line") + "."
		if file.CodeList != "" && d.argus.Labels == "" {
			about += fmt.Sprintf(" The code list that it names, %s, was not found.", draw.Safe(file.CodeList))
		}
		return about
	case d.saved != nil:
		recodes, err := d.saved.All()
		if err != nil {
			return err.Error()
		}
		return "A recode file with " + wording.Counted(len(recodes), "recode") + "."
	}
	return ""
}
