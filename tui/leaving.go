package tui

import (
	"errors"
)

// leaveForLesson puts the session aside that makes way for a lesson, and closes that of
// another lesson.
func (m *Model) leaveForLesson() {
	if m.bench == nil || m.lessonOpen {
		m.closeSession()
		return
	}
	m.stopJobs()
	m.left, m.bench = m.bench, nil
}

// goBack returns what goes back to the session that made way for a lesson, and the name of
// its file; nil if there is none.
func (m *Model) goBack() (back func(), name string) {
	if m.left == nil {
		return nil, ""
	}
	return m.backToLeft, m.left.doc.Name()
}

// backToLeft goes back to the session that made way for a lesson.
func (m *Model) backToLeft() {
	m.idle(func() {
		m.closeSession()
		m.page, m.bench, m.left = nil, m.left, nil
		m.refresh()
	})
}

// close closes the session, if there is one, with what was chosen for its exports.
func (b *workbench) close() error {
	if b == nil {
		return nil
	}
	return errors.Join(b.exporting.Keep(b.doc), b.doc.Close())
}
