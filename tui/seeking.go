package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/views"
)

// seeker is a dialog or a page that looks for something in the background while
// it is open, a piece at a time, so that the best so far can be seen.
type seeker interface {
	// Seek returns the next piece of work; nil: there is nothing to look for. The
	// piece touches nothing of the dialog: what it found is handed in by the
	// function that it returns, in the program's own turn.
	Seek(s views.State) func(ctx context.Context, budget time.Duration) (take func())
}

// seekPiece is how long a piece of a search may take.
const seekPiece = 100 * time.Millisecond

// seek has what is open look for more, what is on top first. What somebody
// looked for who is not open any more is cancelled; the next one begins when that
// has ended, since both may have the same search.
func (m *Model) seek() tea.Cmd {
	j, open := m.seeking, m.inSight()
	if j.runs() {
		for _, owner := range open {
			if owner == j.owner {
				return nil
			}
		}
		j.cancel()
		return nil
	}
	for _, owner := range open {
		if run := m.sought(owner); run != nil {
			return j.begin(owner, m.options.Now(), func(ctx context.Context, _ *progress.Meter) func() tea.Cmd {
				take := run(ctx, seekPiece)
				return func() tea.Cmd {
					take()
					return m.ask()
				}
			})
		}
	}
	return nil
}

// inSight returns what can look for something: the dialogs that are open, the one
// on top first, and the page or the focused pane below them.
func (m *Model) inSight() []any {
	below := any(m.page)
	if m.page == nil {
		below = m.focused()
	}
	return []any{m.dialog, m.covered, below}
}

// sought returns the next piece of work of something that is open; nil: none. A
// pane works between two frames.
func (m *Model) sought(owner any) func(ctx context.Context, budget time.Duration) func() {
	switch owner := owner.(type) {
	case seeker:
		return owner.Seek(m.dialogState())
	case views.Worker:
		if owner.Pending(m.state()) {
			return func(context.Context, time.Duration) func() { return func() { owner.Work(m.state()) } }
		}
	}
	return nil
}
