package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
)

// Run runs the program in the terminal until it is quit. It returns where the
// session's journal is; "" where there is none. After a panic the terminal is
// restored and the error says where the session can be continued.
func Run(options Options) (journal string, err error) {
	m := New(options)
	if _, err = tea.NewProgram(m).Run(); err != nil {
		if m.bench != nil {
			return m.bench.doc.JournalPath(), fmt.Errorf("the program ended unexpectedly: %w; the session is kept in %s and is offered when the file is opened again",
				err, m.bench.doc.JournalPath())
		}
		return "", err
	}
	return m.journal, nil
}
