package tui

import (
	"context"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// wanting is a dialog that always has background work.
type wanting struct{ dialogs.Dialog }

func (wanting) Seek(views.State) views.Piece {
	return func(context.Context, time.Duration) func() { return func() {} }
}

// The background work of a pane continues while it is visible, and is cancelled for a dialog on top that has work.
func TestWhatIsOnTopLooksFirst(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40)
	ended := make(chan struct{})
	piece := d.m.seeking.Begin(d.m.focused(), d.now, func(ctx context.Context, _ *progress.Meter) func() {
		<-ctx.Done()
		close(ended)
		return func() {}
	})
	go piece()
	d.m.seek()
	select {
	case <-ended:
		t.Error("the search of a pane in sight was cancelled")
	case <-time.After(20 * time.Millisecond):
	}
	d.m.dialog = wanting{}
	d.m.seek()
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
		t.Error("the search of a pane goes on under a dialog that waits for it")
	}
}
