package views

import (
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Unhurried is how long a computation goes on before it is worth telling how far
// it has come.
const Unhurried = 300 * time.Millisecond

// ProgressBar draws a share in [0,1] as a bar of width cells between two marks,
// empty while it is not known.
func ProgressBar(theme *draw.Theme, share float64, width int) string {
	return theme.Frame.Render("▕") + theme.Bar.Render(draw.Bar(share, width)) + theme.Frame.Render("▏")
}

// underway tells that the figures are being computed: see Underway.
func (w *WhatIf) underway(s State, width int) string {
	if !w.Pending {
		return ""
	}
	return Underway(s, w.Meter, w.Since, width)
}

// Underway tells that something is being counted: since when, and how far that
// has come; "" where it has only just begun, or there is no meter.
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
