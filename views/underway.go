package views

import "time"

// Unhurried is how long a computation goes on before it is worth telling how far
// it has come.
const Unhurried = 300 * time.Millisecond

// ProgressBar draws a share in [0,1] as a bar of width cells between two marks,
// empty while it is not known.
func ProgressBar(theme *Theme, share float64, width int) string {
	return theme.Frame.Render("▕") + theme.Bar.Render(Bar(share, width)) + theme.Frame.Render("▏")
}

// underway tells that the figures are being computed: how long, and how far that
// has come; "" where it has only just begun.
func (w *WhatIfFigures) underway(s State, width int) string {
	if w.Meter == nil || s.Now == nil {
		return ""
	}
	elapsed := s.Now().Sub(w.Since)
	if elapsed < Unhurried {
		return ""
	}
	text := " counting " + Duration(elapsed) + " "
	space := width - Width(text) - 2
	if share := w.Meter.Fraction(); share > 0 && space >= 5 {
		return s.Theme.Faint.Render(text) + ProgressBar(s.Theme, share, min(space, 24))
	}
	return s.Theme.Faint.Render(Fit(text+"…", width))
}
