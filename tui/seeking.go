package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// seekPiece is the maximum duration of a piece of a search.
const seekPiece = 100 * time.Millisecond

// seek starts the next piece of work of what is visible, topmost first. It cancels a piece whose owner is no
// longer visible, or is below one that has work. The next piece begins only after that has ended, because both may
// share a search.
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
	j.Cancel() // the owner is hidden or below another
}

// inSight returns what may have work to do: the open dialogs, topmost first, and the page, or the focused pane and
// then the other visible panes.
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

// awaited returns the field of the open dialog whose file is not read yet, or nil.
func (m *Model) awaited() *dialogs.Field {
	if dialog, ok := m.dialog.(interface{ Awaited() *dialogs.Field }); ok {
		return dialog.Awaited()
	}
	return nil
}

// readFile starts reading the file whose path was typed into the open dialog.
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

// waitsForFile postpones keys that do not belong to the path until the file is read, so that enter after a path
// applies to the file.
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

// typeAhead handles the keys that waited for a file.
func (m *Model) typeAhead() {
	keys := m.ahead
	m.ahead = nil
	for _, msg := range keys {
		m.key(msg)
	}
}
