package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// seekPiece is how long a piece of a search may take.
const seekPiece = 100 * time.Millisecond

// seek has what is open look for more, what is on top first. What somebody
// looked for who is not open any more, or below one who wants to look, is cancelled;
// the next one begins when that has ended, since both may have the same search.
func (m *Model) seek() {
	j := &m.seeking
	for _, owner := range m.inSight() {
		if j.Runs() && owner == j.Owner {
			return
		}
		seeker, ok := owner.(views.Seeker)
		if !ok {
			continue
		}
		s := m.state()
		if _, dialog := owner.(dialogs.Dialog); dialog {
			s = m.dialogState()
		}
		piece := seeker.Seek(s)
		if piece != nil && j.Runs() {
			break
		}
		if piece != nil {
			m.begin(j, owner, func(ctx context.Context, _ *progress.Meter) func() {
				take := piece(ctx, seekPiece)
				return func() {
					take()
					m.goOn()
				}
			})
			return
		}
	}
	j.Cancel() // of somebody who is not in sight any more, or less on top
}

// inSight returns what can look for something: the dialogs that are open, the one
// on top first, and the page, or the focused pane and then the others in sight.
func (m *Model) inSight() []any {
	open := []any{m.dialog, m.covered}
	switch {
	case m.page != nil:
		return append(open, m.page)
	case m.bench == nil:
		return open
	}
	open = append(open, m.focused())
	for _, place := range m.slots() {
		if place.pane != m.focused() {
			open = append(open, place.pane)
		}
	}
	return open
}

// awaited returns the field of the open dialog whose file is not there yet.
func (m *Model) awaited() *dialogs.Field {
	if dialog, ok := m.dialog.(interface{ Awaited() *dialogs.Field }); ok {
		return dialog.Awaited()
	}
	return nil
}

// readFile begins to read the file whose path was typed into the open dialog.
func (m *Model) readFile() {
	field := m.awaited()
	if field == nil || field.Reading.Job.Runs() {
		return
	}
	path, load := field.Reading.Path, field.Reading.Load
	m.begin(field.Reading.Job, m.dialog, func(context.Context, *progress.Meter) func() {
		take := load(path)
		return func() {
			if field.Err = take(); field.Err == nil {
				field.Refused = ""
			}
			m.typeAhead()
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
func (m *Model) typeAhead() {
	keys := m.ahead
	m.ahead = nil
	for _, msg := range keys {
		m.key(msg)
	}
}
