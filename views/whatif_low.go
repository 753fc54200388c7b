package views

import "fmt"

// low is the form of three lines: the numbers of every k, and the first other one.
func (w *WhatIfFigures) low(s State, width int) []string {
	theme := s.Theme
	l, amounts := newLine(width, nil), newLine(width, nil)
	gap, amount := 0, false
	for _, row := range w.rows(s) {
		switch {
		case row.then.Beside:
		case row.then.K > 0:
			l.gap(gap)
			gap = 2
			l.text(&theme.Faint, fmt.Sprintf("k%d %s → ", row.then.K, row.now.Text()))
			l.text(fresh(s, numberStyle(theme, row.then)), row.then.Text())
		case !amount:
			amount = true
			name, _ := row.then.WhatIf()
			amounts.text(&theme.Faint, name+" "+row.now.Text()+" → ")
			amounts.text(fresh(s, &theme.Strong), row.then.Text()+" ")
			text, style := w.trend(s, row)
			amounts.text(style, text)
		}
	}
	if w.Pending {
		l.text(&theme.Warning, " "+StaleMark)
	}
	if w.Elapsed > 0 && !w.Pending {
		amounts.text(&theme.Faint, "  "+w.took())
	}
	lines := []string{l.String(), amounts.String()}
	if w.NeedK > 0 {
		need := newLine(width, nil)
		text, cells, style := w.need(theme)
		need.text(style, text)
		need.text(&theme.Faint, "  "+cells)
		lines = append(lines, need.String())
	}
	return lines
}
