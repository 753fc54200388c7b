package dialogs

import (
	"errors"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/tui/job"
	"github.com/sdcdesk/sdcdesk/views"
)

// NewParameterField returns the field of a parameter.
func NewParameterField(s views.State, m method.Parameterised, param method.Param) *Field {
	if param.Kind == method.KindFile {
		return fileField(m, param)
	}
	field := &Field{name: param.Name, Label: param.Label(), Help: param.ScreenHelp(), Value: param.Shown,
		number: param.Kind == method.KindNumber}
	if offer, ok := param.Offers(s.Current.Data, s.Scenario); ok && (offer.Of != nil || len(offer.Names) > 0) {
		field.param = &param
	}
	initial, changed := param.Value.String(), false
	field.Hidden = func() bool {
		changed = changed || param.Value.String() != initial || field.Err != nil
		return !changed && !param.Counts()
	}
	field.Means = func(s views.State) string { return s.Meaning(param.Named()) }
	choices := param.Choices(s.Current.Data, s.Scenario)
	set := func(choice string) { field.Err = param.Value.Set(choice) }
	if choices != nil {
		if len(choices) > 0 {
			field.Change = func(by int) { set(Ring(choices, param.Value.String(), by)) }
		}
		return field
	}
	field.Typed = func(text string) error { return param.SetText(text, s.Current.Data) }
	if param.Step > 0 {
		field.Change = param.Move
	}
	return field
}

// NewSwitch returns a field that is on or off.
func NewSwitch(label, help string, value *bool) *Field {
	return &Field{Label: label, Help: help, Value: method.Switch(value, label, help).Value.String,
		Change: func(int) { *value = !*value }}
}

// NewText returns a field for any text.
func NewText(label, help string, text *string) *Field {
	return &Field{Label: label, Help: help, Value: func() string { return *text }, Typed: func(typed string) error {
		*text = typed
		return nil
	}}
}

// If hides the field unless a condition holds.
func (field *Field) If(holds func() bool) *Field {
	field.Hidden = func() bool { return !holds() }
	return field
}

// Ring returns the choice that is by places after another one, cyclically.
func Ring[T comparable](choices []T, now T, by int) T {
	if len(choices) == 0 {
		return now
	}
	return choices[(slices.Index(choices, now)+by+len(choices))%len(choices)]
}

// fileField edits a parameter whose value is the text of a file: the user types the path and the text is stored,
// so that nothing depends on the file later. A file named in it for another parameter is read too.
func fileField(m method.Parameterised, param method.Param) *Field {
	field := &Field{name: param.Name, Label: param.Label(), Help: param.ScreenHelp()}
	field.Value = func() string {
		text := param.Value.String()
		if field.Reading.taken != "" || text == "" {
			return field.Reading.taken
		}
		return wording.Counted(strings.Count(strings.TrimSpace(text), "\n")+1, "line")
	}
	begun := func(path string) error {
		if path != "" {
			return nil
		}
		return param.Value.Set("")
	}
	return field.ReadsFile(begun, func(path, content string) (func() error, error) {
		other, file := param.OtherFile(content)
		if file != "" {
			file, _ = fileio.ReadInFolder(path, file) // "" if it cannot be read: it can be typed
		}
		return func() error {
			for _, into := range m.Params() {
				if into.Name == other {
					_ = into.Value.Set(file) // after an error, it is not the text of a file
				}
			}
			return param.Value.Set(content)
		}, nil
	})
}

// fileReading reads the file whose path is typed into a field. It runs in the background, because disks can be
// slow.
type fileReading struct {
	Job   *job.Job
	Path  string // the path typed last
	Load  func(path string) (take func() error)
	taken string // the path of the file taken last; "": none
}

// errReading is the error of a field while its file is being read, so that the form makes no step.
var errReading = errors.New("the file is being read")

// ReadsFile makes a field one for the path of a file. typed gets the path after every key; an empty path names no
// file. read gets the text of the file in the background, where it must not touch the program, and returns a
// function to call in the program's own turn. A field without a value shows the path of the file taken.
func (field *Field) ReadsFile(typed func(path string) error,
	read func(path, content string) (take func() error, err error)) *Field {
	r := &fileReading{Job: new(job.Job)}
	r.Load = func(path string) func() error {
		var take func() error
		content, err := fileio.ReadText(ExpandHome(path))
		if err == nil {
			take, err = read(ExpandHome(path), content)
		}
		return func() error {
			if err == nil {
				err = take()
			}
			if err == nil {
				r.taken = path
			}
			return err
		}
	}
	field.Reading = r
	if field.Value == nil {
		field.Value = func() string { return r.taken }
	}
	field.Typed = func(text string) error {
		r.Job.Drop()
		if r.Path = text; text == "" {
			r.taken = ""
		}
		if err := typed(text); err != nil || text == "" {
			return err
		}
		return errReading
	}
	return field
}

// Awaited returns the first field whose file is to be read or is being read, or nil.
func (f *Form) Awaited() *Field {
	for _, field := range f.Fields {
		if field.Reading != nil && errors.Is(field.Err, errReading) {
			return field
		}
	}
	return nil
}
