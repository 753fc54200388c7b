package tui

import (
	"context"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/job"
	"github.com/sdcdesk/sdcdesk/views"
)

// clipboardState reports whether anything may be copied to the clipboard.
type clipboardState int

const (
	copyingAsks clipboardState = iota
	copyingAllowed
	copyingRefused
)

// copyOut copies a text to the clipboard, after asking once per session.
func (m *Model) copyOut(a views.Copy) {
	answered := func(answer clipboardState) func() {
		return func() {
			m.bench.copying = answer
			m.copyOut(a)
		}
	}
	switch {
	case m.options.NoTrace:
		m.refuse("not copied: other programs can read the clipboard, and --no-trace writes exports only")
		return
	case m.bench.copying == copyingRefused:
		m.refuse("not copied: you declined for this session")
		return
	case m.bench.copying == copyingAsks:
		m.dialog = dialogs.NewConfirm("Copy to the clipboard?", "Other programs can read and keep records or figures on the clipboard. This is asked once per session.",
			"copy", answered(copyingAllowed), views.Emits("n", "not in this session", dialogs.Call(answered(copyingRefused))))
		return
	}
	m.say("copied to the clipboard of the terminal: " + a.What)
	m.run(tea.SetClipboard(a.Text))
}

const lostQuestion = "Discard unsaved steps?"

// letGo leaves the session; it asks first if its steps are not saved.
func (m *Model) letGo(verb string, leave func()) {
	asked := m.dialog != nil && m.dialog.Title() == lostQuestion // asked twice means yes
	b := m.bench
	if m.lessonOpen {
		b = m.left
	}
	if !m.options.NoTrace || b == nil || asked || len(b.doc.Steps()) == 0 {
		leave()
		return
	}
	m.cover(dialogs.NewConfirm(lostQuestion, "--no-trace keeps no session file. "+
		wording.Does(len(b.doc.Steps()), "step", "are")+" not in any exported script and will be lost.", verb, leave))
}

// kept returns a text about keeping the session, or "" if it is not kept.
func (m *Model) kept(text string) string {
	if m.options.NoTrace {
		return ""
	}
	return text
}

// fileName names the file in the header, and warns that the session is not saved.
func (m *Model) fileName(s views.State) string {
	if m.options.NoTrace {
		return "not saved · " + s.File
	}
	return s.File
}

// sweep removes the files that killed exports left: in the current folder, and next to the file to open or the
// files of recent sessions.
func (m *Model) sweep(recent []session.JournalInfo) {
	if m.options.NoTrace {
		return
	}
	folders := map[string]bool{".": true, filepath.Dir(m.options.Path): true}
	for i := range recent {
		if file := recent[i].Source; file != nil && file.File() != "" {
			folders[filepath.Dir(file.File())] = true
		}
	}
	m.begin(new(job.Job), nil, func(context.Context, *progress.Meter) func() {
		removed := 0
		for folder := range folders {
			removed += fileio.RemoveUnplaced(folder)
		}
		return func() {
			if removed > 0 {
				m.say("removed " + wording.Counted(removed, "unfinished file") + " of an export that was interrupted")
			}
		}
	})
}
