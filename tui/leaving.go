package tui

import (
	"errors"
)

// leaveForLesson keeps the session that a lesson replaces, and closes the session of another lesson.
func (m *Model) leaveForLesson() {
	if m.bench == nil || m.lessonOpen {
		m.closeSession()
		return
	}
	m.stopJobs()
	m.left, m.bench = m.bench, nil
}

// goBack returns a function that goes back to the session replaced by a lesson, and the name of its file, or nil.
func (m *Model) goBack() (back func(), name string) {
	if m.left == nil {
		return nil, ""
	}
	return m.backToLeft, m.left.doc.Name()
}

// backToLeft goes back to the session replaced by a lesson.
func (m *Model) backToLeft() {
	m.idle(func() {
		m.closeSession()
		m.page, m.bench, m.left = nil, m.left, nil
		m.refresh()
	})
}

// close closes the session, if there is one, and stores its export choices.
func (b *workbench) close() error {
	if b == nil {
		return nil
	}
	return errors.Join(b.exporting.Keep(b.doc), b.doc.Close())
}
