package tui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/progress"
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

// awaited returns the field of the open dialog whose file is not there yet.
func (m *Model) awaited() *formField {
	if dialog, ok := m.dialog.(interface{ awaited() *formField }); ok {
		return dialog.awaited()
	}
	return nil
}

// readFile begins to read the file whose path was typed into the open dialog.
func (m *Model) readFile() tea.Cmd {
	field := m.awaited()
	if field == nil || field.reading.job.runs() {
		return nil
	}
	path, load := field.reading.path, field.reading.load
	return field.reading.job.begin(m.dialog, m.options.Now(), func(context.Context, *progress.Meter) func() tea.Cmd {
		take := load(path)
		return func() tea.Cmd {
			if field.err = take(); field.err == nil {
				field.refused = ""
			}
			return tea.Batch(m.ask(), m.typeAhead())
		}
	})
}

// waitsForFile keeps keys that do not belong to the path for the time when the
// file is there, so that enter after a path means the file.
func (m *Model) waitsForFile(msg tea.KeyPressMsg) bool {
	field := m.awaited()
	switch {
	case field == nil || msg.String() == "esc":
		m.ahead = nil
		return false
	case len(m.ahead) == 0 && m.dialog.Typing() && (msg.Text != "" || msg.String() == "backspace"):
		return false
	}
	m.ahead = append(m.ahead, msg)
	return true
}

// typeAhead carries out the keys that waited for a file.
func (m *Model) typeAhead() tea.Cmd {
	var commands []tea.Cmd
	keys := m.ahead
	m.ahead = nil
	for _, msg := range keys {
		commands = append(commands, m.key(msg))
	}
	return tea.Batch(commands...)
}
