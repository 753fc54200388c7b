package dialogs

import (
	"errors"

	"github.com/sdcdesk/sdcdesk/tui/job"
)

// fileReading is what a field does into which the path of a file is typed. The
// file is read beside the program: a disk can be slow.
type fileReading struct {
	Job  *job.Job
	Path string // typed last
	Load func(path string) (take func() error)
}

// errReading stands in a field while its file is read: it makes no step yet.
var errReading = errors.New("the file is being read")

// ReadsFile makes a field one into which the path of a file is typed. At every
// key typed hears the path so far; an empty one names no file. load reads the
// file in the background, where it must touch nothing of the program, and returns
// what is done with it in the program's turn.
func (field *Field) ReadsFile(typed func(path string) error, load func(path string) (take func() error)) *Field {
	field.Reading = &fileReading{Job: new(job.Job), Load: load}
	field.Typed = func(text string) error {
		field.Reading.Job.Drop()
		field.Reading.Path = text
		if err := typed(text); err != nil || text == "" {
			return err
		}
		return errReading
	}
	return field
}

// Awaited returns the first field whose file is to be read or is being read; nil
// where there is none.
func (f *Form) Awaited() *Field {
	for _, field := range f.Fields {
		if field.Reading != nil && errors.Is(field.Err, errReading) {
			return field
		}
	}
	return nil
}
