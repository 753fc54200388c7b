package tui

import (
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
)

func TestPace(t *testing.T) {
	at := time.Date(2024, 5, 6, 12, 0, 0, 0, time.UTC)
	var p pace
	p.look(at, 0)
	for _, test := range []struct {
		after time.Duration
		share float64
		want  string
	}{
		{500 * time.Millisecond, 0.1, ""}, {4 * time.Second, 0.25, "about 12 s left"}, {10 * time.Second, 0.05, ""},
		{20 * time.Second, 0.1, "about 1:30 left"}, {30 * time.Second, 1, ""},
	} {
		now := at.Add(test.after)
		p.look(now, test.share)
		if got := p.left(now); got != test.want {
			t.Errorf("after %v at %v: %q, want %q", test.after, test.share, got, test.want)
		}
	}
}

// While a file is read, the page shows the progress and the remaining time.
func TestOpeningTellsTheTimeLeft(t *testing.T) {
	beside(t)
	d := surveyOf(t, 80, 24)
	d.m.bench, d.m.work = nil, &work{opening: true, title: "reading survey.csv"}
	reading := new(progress.Meter)
	d.m.work.Meter, d.m.work.Started = reading, d.now
	_, _ = d.m.Update(tickMsg{})
	reading.Set(25, 100)
	d.now = d.now.Add(4 * time.Second)
	_, _ = d.m.Update(tickMsg{})
	d.Screen().Contains("reading survey.csv", "4.0 s, about 12 s left", "esc cancels")
	d.m.work = nil
}
