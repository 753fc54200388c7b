package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
)

// seeker is a dialog that looks for something in the background while it is
// open, a piece at a time, so that the best so far can be seen.
type seeker interface {
	Dialog
	// Seek returns the next piece of work; nil: there is nothing to look for. The
	// piece touches nothing of the dialog: what it found is handed in by the
	// function that it returns, in the program's own turn.
	Seek(s views.State) func(ctx context.Context, budget time.Duration) (take func())
}

// seeking is the piece of work of a seeker that runs; one at a time.
type seeking struct {
	dialog Dialog // whose piece runs; nil: none runs
	cancel context.CancelFunc
}

// seekMsg brings what a piece has found.
type seekMsg struct{ take func() }

// seekPiece is how long a piece of a search may take.
const seekPiece = 100 * time.Millisecond

// seek has the open dialog look for more. What a dialog that was closed looked
// for is cancelled.
func (m *Model) seek() tea.Cmd {
	if m.seeking.dialog != nil {
		if m.seeking.dialog != m.dialog {
			m.seeking.cancel()
		}
		return nil
	}
	dialog, ok := m.dialog.(seeker)
	if !ok || m.bench == nil {
		return nil
	}
	piece := dialog.Seek(m.dialogState())
	if piece == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	m.seeking = seeking{dialog, cancel}
	return func() tea.Msg { return seekMsg{piece(ctx, seekPiece)} }
}

// sought hands in what a piece has found.
func (m *Model) sought(msg seekMsg) tea.Cmd {
	m.seeking.cancel()
	m.seeking = seeking{}
	msg.take()
	return m.ask()
}
