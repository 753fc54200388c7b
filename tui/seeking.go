package tui

import (
	"context"
	"slices"
	"time"

	"github.com/sdcdesk/sdcdesk/tui/dialogs"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/views"
)

// seekPiece is how long a piece of a search may take.
const seekPiece = 100 * time.Millisecond

// seek has what is open look for more, what is on top first. What somebody
// looked for who is not open any more is cancelled; the next one begins when that
// has ended, since both may have the same search.
func (m *Model) seek() tea.Cmd {
	j, open := m.seeking, m.inSight()
	if j.Runs() {
		if !slices.Contains(open, j.Owner) {
			j.Cancel()
		}
		return nil
	}
	for _, owner := range open {
		seeker, ok := owner.(views.Seeker)
		if !ok {
			continue
		}
		s := m.state()
		if _, dialog := owner.(dialogs.Dialog); dialog {
			s = m.dialogState()
		}
		if piece := seeker.Seek(s); piece != nil {
			return j.Begin(owner, m.options.Now(), func(ctx context.Context, _ *progress.Meter) func() tea.Cmd {
				take := piece(ctx, seekPiece)
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
