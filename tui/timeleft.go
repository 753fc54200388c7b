package tui

import (
	"time"

	"github.com/sdcdesk/sdcdesk/views/draw"
)

// pace is how fast work has come as far as it has. Work of several parts begins to
// count anew with each of them, and so does the pace.
type pace struct {
	since time.Time // when the part began
	share float64   // of it that was done when it was looked at last
}

// look takes notice of how far the work has come.
func (p *pace) look(now time.Time, share float64) {
	if p.since.IsZero() || share < p.share {
		p.since = now
	}
	p.share = share
}

// It takes a second and a part of the work to tell how long the rest will take.
const (
	leastTold  = time.Second
	leastShare = 0.02
)

// left says how long the rest will take if it goes on at the same pace; "" as long
// as that cannot be told.
func (p *pace) left(now time.Time) string {
	elapsed := now.Sub(p.since)
	if p.since.IsZero() || elapsed < leastTold || p.share < leastShare || p.share >= 1 {
		return ""
	}
	rest := time.Duration(float64(elapsed) * (1 - p.share) / p.share)
	if rest < time.Minute { // whole seconds: it is no more than a guess
		rest = max(time.Second, rest.Round(time.Second))
		return "about " + draw.Count(int(rest/time.Second)) + " s left"
	}
	return "about " + draw.Duration(rest) + " left"
}
