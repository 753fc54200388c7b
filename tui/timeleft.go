package tui

import (
	"time"

	"github.com/sdcdesk/sdcdesk/views/draw"
)

// pace estimates the speed of work from its progress. Progress of work in several parts restarts with each part,
// and so does the pace.
type pace struct {
	since time.Time // start of the part
	share float64   // progress of the part at the last look
}

// look records the progress of the work.
func (p *pace) look(now time.Time, share float64) {
	if p.since.IsZero() || share < p.share {
		p.since = now
	}
	p.share = share
}

// Less progress is not enough to estimate the remaining time.
const (
	minAnnounced = time.Second
	leastShare   = 0.02
)

// left returns the remaining time at the same pace, or "" if it cannot be estimated yet.
func (p *pace) left(now time.Time) string {
	elapsed := now.Sub(p.since)
	if p.since.IsZero() || elapsed < minAnnounced || p.share < leastShare || p.share >= 1 {
		return ""
	}
	rest := time.Duration(float64(elapsed) * (1 - p.share) / p.share)
	if rest < time.Minute { // full seconds, because it is only an estimate
		rest = max(time.Second, rest.Round(time.Second))
		return "about " + draw.Count(int(rest/time.Second)) + " s left"
	}
	return "about " + draw.Duration(rest) + " left"
}
