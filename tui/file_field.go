package tui

import (
	"errors"
)

// fileReading is what a field does into which the path of a file is typed. The
// file is read beside the program: a disk can be slow.
type fileReading struct {
	job  *job
	path string // typed last
	load func(path string) (take func() error)
}

// errReading stands in a field while its file is read: it makes no step yet.
var errReading = errors.New("the file is being read")

// readsFile makes a field one into which the path of a file is typed. At every
// key typed hears the path so far; an empty one names no file. load reads the
// file in the background, where it must touch nothing of the program, and returns
// what is done with it in the program's turn.
func (field *formField) readsFile(typed func(path string) error, load func(path string) (take func() error)) *formField {
	field.reading = &fileReading{job: new(job), load: load}
	field.typed = func(text string) error {
		field.reading.job.drop()
		field.reading.path = text
		if err := typed(text); err != nil || text == "" {
			return err
		}
		return errReading
	}
	return field
}

// awaited returns the first field whose file is to be read or is being read; nil
// where there is none.
func (f *form) awaited() *formField {
	for _, field := range f.fields {
		if field.reading != nil && errors.Is(field.err, errReading) {
			return field
		}
	}
	return nil
}
