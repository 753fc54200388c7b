package views

import (
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Unhurried is how long a computation runs before its progress is shown.
const Unhurried = 300 * time.Millisecond

// ProgressBar draws a share in [0,1] as a bar of width cells between two marks, empty while it is unknown.
func ProgressBar(theme *draw.Theme, share float64, width int) string {
	return theme.Frame.Render("▕") + theme.Bar.Render(draw.Bar(share, width)) + theme.Frame.Render("▏")
}

// underway returns the progress of the what-if, see Underway.
func (w *WhatIf) underway(s State, width int) string {
	if !w.Pending {
		return ""
	}
	return Underway(s, w.Meter, w.Since, width)
}

// Underway returns a line with the elapsed time and progress of a computation; "" if it has only just begun or has
// no meter.
func Underway(s State, meter *progress.Meter, since time.Time, width int) string {
	if meter == nil || s.Now == nil {
		return ""
	}
	elapsed := s.Now().Sub(since)
	if elapsed < Unhurried {
		return ""
	}
	text := " counting " + draw.Duration(elapsed) + " "
	space := width - draw.Width(text) - 2
	if share := meter.Fraction(); share > 0 && space >= 5 {
		return s.Faint.Render(text) + ProgressBar(s.Theme, share, min(space, 24))
	}
	return s.Faint.Fit(text+"…", width)
}
