package tui

import (
	"os"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// leftSession is the session that made way for a lesson.
type leftSession struct {
	name    string
	journal string // "": its steps were not kept
	source  *session.Source
}

// askLeave asks whether to leave a file for a lesson if work on it would be left.
func (m *Model) askLeave(leave func() tea.Cmd) tea.Cmd {
	b := m.bench
	if b == nil || m.lessonOpen || m.options.NoTrace || len(b.doc.Steps()) == 0 {
		return m.letGo("open the lesson", leave)
	}
	text := "The lesson opens its own file. The session file keeps the " + wording.Counted(len(b.doc.Steps()), "step") + " on " +
		draw.Safe(b.doc.Name()) + ": press b in the lesson, or in the list of lessons, to go back."
	m.dialog = dialogs.NewConfirm("Leave "+draw.Safe(b.doc.Name())+"?", text, "open the lesson", leave)
	return nil
}

// leaveForLesson remembers the session that makes way for a lesson.
func (m *Model) leaveForLesson() {
	if m.bench != nil && !m.lessonOpen {
		doc := m.bench.doc
		m.left = &leftSession{doc.Name(), doc.JournalPath(), doc.Source()}
	}
}

// goBack returns what goes back to the session that made way for a lesson, and the name of
// its file; nil if there is none.
func (m *Model) goBack() (back func() tea.Cmd, name string) {
	left := m.left
	if left == nil {
		return nil, ""
	}
	return func() tea.Cmd {
		if m.waits(func() tea.Cmd { back, _ := m.goBack(); return back() }) {
			return nil
		}
		m.closeSession()
		m.left = nil
		if _, err := os.Stat(left.journal); left.journal != "" && err == nil {
			info, err := session.ReadJournal(left.journal, m.options.known())
			if err != nil {
				return m.fail(err)
			}
			return m.resumeWhole(info)
		}
		if left.source.File() == "" && !session.InDatabase(left.source) {
			return m.openDemonstration()
		}
		return m.openSource(left.source)
	}, left.name
}
