package views

import "fmt"

// low is the form of three lines.
func (w *WhatIfFigures) low(s State, width int) []string {
	theme, now := s.Theme, s.Current.Assessment
	l := newLine(width, nil)
	for i, v := range w.After.Violators {
		before, _ := violatorsOf(now, v.K)
		if i > 0 {
			l.gap(2)
		}
		l.text(&theme.Faint, fmt.Sprintf("k%d %s → ", v.K, Count(before.Count)))
		l.text(w.known(s, riskStyle(theme, v.Count, now.Records)), Count(v.Count))
	}
	if w.Pending {
		l.text(&theme.Warning, " "+StaleMark)
	}
	amounts := newLine(width, nil)
	amounts.text(&theme.Faint, "re-identifications "+Amount(now.Expected)+" → ")
	amounts.text(w.known(s, &theme.Strong), Amount(w.After.Expected)+" ")
	w.trend(s, amounts, now.Expected, w.After.Expected)
	if w.Elapsed > 0 && !w.Pending {
		amounts.text(&theme.Faint, "  "+Duration(w.Elapsed))
	}
	lines := []string{l.String(), amounts.String()}
	if w.NeedK > 0 {
		need := newLine(width, nil)
		style := &theme.Suppressed
		if w.NeedOld || w.Need == nil {
			style = &theme.Faint
		}
		need.text(style, w.needText())
		need.text(&theme.Faint, "  "+w.cells())
		lines = append(lines, need.String())
	}
	return lines
}
