package views

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// WhatIf is what a dialog shows about a step before it is applied.
type WhatIf struct {
	whatif.Answer
	NeedK int // the k of Need; 0: not asked
	// Within names what the figures cover if other figures of the dialog cover parts: "in the whole file"; "": not
	// named.
	Within string
	Hint   string // what to do if there is no step to ask about; "": there is one
}

// OfMasking returns the what-if of the numeric variables that a step masks, to show instead of that of the key
// variables. ok is false if there is known to be none.
func (w WhatIf) OfMasking() (masking WhatIf, ok bool) {
	if w.NeedK = 0; w.WhatIf == nil {
		return w, true
	}
	m := w.WhatIf.Masking
	if m == nil {
		return w, false
	}
	w.WhatIf = &whatif.Result{Figures: m.Then.Set, Before: m.Now.Set, Sample: m.Then.Sample, Elapsed: w.WhatIf.Elapsed}
	return w, true
}

// lowWhatIf is the height below which a what-if has three lines only.
const lowWhatIf = 8

// WhatIfBlock draws the figures now and after the step: a table if there is room for it, otherwise three lines.
// Figures of an earlier question are faint and marked.
func WhatIfBlock(s State, w WhatIf, width, height int) string {
	return whatIfBlock(s, w, width, height, height < lowWhatIf)
}

// whatIfBlock draws a WhatIfBlock as three lines or as a table.
func whatIfBlock(s State, w WhatIf, width, height int, low bool) string {
	var lines []string
	if w.WhatIf == nil {
		w.WhatIf = &whatif.Result{} // nothing is known
	}
	stale := s.Stale || w.Pending
	s.Stale = w.Pending // current figures are never faint here, figures after the step only while they answer an earlier question
	switch {
	case w.Err != nil:
		lines = s.Error.Wrapped(w.Err.Error(), width)
	case w.Hint != "":
		lines = s.Faint.Wrapped(w.Hint, width)
	case w.WhatIf.NotApplicable != "" || s.NotApplicable != "":
		lines = w.inapplicable(s, width, height)
	case len(w.rows(s)) == 0 && s.Scenario != nil && len(s.Scenario.Keys) == 0:
		lines = s.Faint.Wrapped("No key variable is chosen, so no risk changes. Press v outside this dialog to change the roles.", width)
	case len(w.rows(s)) == 0:
		lines = []string{s.Faint.Render("counting …")}
	case low:
		lines = w.low(s, width)
	default:
		lines = w.high(s, stale, width, height)
	}
	if underway := w.underway(s, width); underway != "" {
		lines = append(lines[:min(len(lines), height-1)], underway)
		if w.WhatIf.Figures == nil {
			lines = lines[len(lines)-1:]
		}
	}
	return draw.Exactly(strings.Join(lines, "\n"), width, height)
}

// whatIfRow is one figure now and after the step.
type whatIfRow struct {
	entry     *measure.Entry
	now, then *measure.Value
	texts     []string // now and then
}

// rows returns the figures known both now and after the step; secondary figures only for the k of the screen.
func (w *WhatIf) rows(s State) []whatIfRow {
	var rows []whatIfRow
	var values []*measure.Value
	before := w.WhatIf.Before
	if before == nil {
		before = s.Current.Figures
	}
	w.WhatIf.Figures.Shown(measure.WhatIf, func(e *measure.Entry, then *measure.Value) {
		now := before.Like(e.Spec.Name, then)
		if now != nil && (!then.NextToSameK || then.K == s.K) {
			rows = append(rows, whatIfRow{entry: e, now: now, then: then})
			values = append(values, now, then)
		}
	})
	for i, texts := range slices.Collect(slices.Chunk(measure.Texts(values...), 2)) {
		rows[i].texts = texts
	}
	return rows
}

// later lists the current figures that, for grouped records, are computed only after the step is applied.
func (w *WhatIf) later(s State, width int) (lines []string) {
	if s.Current.Data == nil || !s.Current.Data.Grouped() {
		return nil
	}
	s.Current.Figures.Shown(measure.WhatIf, func(e *measure.Entry, now *measure.Value) {
		if w.WhatIf.Figures.Like(e.Spec.Name, now) == nil {
			name, _ := now.WhatIf()
			lines = append(lines, s.Faint.Fit(name+": once it is applied", width))
		}
	})
	return lines
}

// numberStyle returns the style of a figure: that of its risk if it counts records.
func numberStyle(theme *draw.Theme, v *measure.Value) *draw.Style {
	if v.Unit == measure.Count && v.Of > 0 {
		return RiskStyle(theme, int(v.Number), v.Of)
	}
	return &theme.Strong
}

// high draws the table and the cells that k-anonymity would need. If there is room, rows are grouped by heading
// and secondary figures are separate.
func (w *WhatIf) high(s State, stale bool, width, height int) []string {
	rows := w.rows(s)
	need := w.later(s, width)
	if w.NeedK > 0 {
		text, cells, style := w.need(s, 2*width-7)
		need = slices.Concat(need, style.Indented(text, 1, width+1), s.Faint.Indented(cells, 1, width-1))
	}
	took, spare := w.took(), height-1-len(rows)-len(need)
	if took != "" {
		spare--
	}
	lines, spare := spaced(rows, spare)
	least := 8
	for _, row := range rows {
		_, short := row.then.WhatIf()
		least = max(least, draw.Width(short))
	}
	columns := []draw.Column{{Head: w.Within, Size: 8, Least: least}, {Head: "now", Kind: draw.Values, Size: 5},
		{Head: "after", Kind: draw.Values}, {Size: 8, Least: 8, Rank: 1}}
	if s.Changing > 0 {
		columns[0].Head, columns[1].Head = fmt.Sprint("step ", s.Changing), "before it"
		if w.lasts(s) {
			columns = append(columns, draw.Column{Head: "last step", Kind: draw.Values})
		}
	}
	t := draw.Table{
		Columns: columns,
		Rows:    len(lines), Close: true,
		Marked: func(row int) bool {
			return lines[row].then != nil && lines[row].then.K == s.K && !lines[row].then.NextToSameK
		},
		Row: func(row int) []draw.Cell { return w.cellsOf(s, lines[row]) },
	}
	drawn := t.Lines(s.Look, nil, width+1, len(lines)+1, false) // there is no frame to keep a distance from
	if drawn[0] = draw.Exactly(drawn[0], width, 1); stale {
		drawn[0] = draw.Ending(drawn[0], &s.Warning, draw.StaleMark, width)
	}
	add := func(part ...string) {
		if len(part) > 0 && spare > 0 {
			drawn = append(drawn, "")
			spare--
		}
		drawn = append(drawn, part...)
	}
	add(need...)
	if took != "" {
		add(s.Faint.Fit(" "+took, width))
	}
	return drawn
}

// spaced separates groups of rows by empty lines as far as there is room: those of one heading, and secondary
// figures. left is the remaining room.
func spaced(rows []whatIfRow, room int) (lines []whatIfRow, left int) {
	for i, row := range rows {
		if i > 0 && room > 0 &&
			(row.entry.Spec.Heading() != rows[i-1].entry.Spec.Heading() || row.then.NextToSameK != rows[i-1].then.NextToSameK) {
			lines = append(lines, whatIfRow{})
			room--
		}
		lines = append(lines, row)
	}
	return lines, room
}

// cellsOf returns name, now, after and change; an empty line if the row has no figure.
func (w *WhatIf) cellsOf(s State, row whatIfRow) []draw.Cell {
	if row.then == nil {
		return []draw.Cell{{}}
	}
	name, short := row.then.WhatIf()
	change, style := w.trend(s, row)
	cells := []draw.Cell{{Text: name, Short: short}, {Text: row.texts[0]},
		{Text: row.texts[1], Style: s.Fresh(numberStyle(s.Theme, row.then))}, {Text: change, Style: style}}
	if s.Changing > 0 && w.lasts(s) {
		cells = append(cells, draw.Cell{Text: s.afterLast(row), Style: &s.Faint})
	}
	return cells
}

// lasts reports whether the figures after the last step are known. Those of masking are not.
func (w *WhatIf) lasts(s State) bool {
	return len(w.WhatIf.Figures) == 0 || slices.ContainsFunc(w.WhatIf.Figures,
		func(e measure.Entry) bool { return s.Last.Find(e.Spec.Name) != nil })
}

// afterLast returns a figure after the last step while an earlier step is being edited.
func (s State) afterLast(row whatIfRow) string {
	if v := s.Last.Like(row.entry.Spec.Name, row.then); v != nil {
		return v.Text()
	}
	return draw.NoFigure
}

// trend returns by how much a figure falls or rises, in a style that shows whether that is better.
func (w *WhatIf) trend(s State, row whatIfRow) (text string, style *draw.Style) {
	now, after := row.now.Number, row.then.Number
	style, sign := &s.Low, "▼"
	if after > now {
		sign = "▲"
	}
	switch better := row.then.Better; {
	case better == measure.Either:
		style = &s.Plain
	case (after > now) == (better == measure.Lower):
		style = &s.High
	}
	size := math.Abs(now)
	if now == 0 {
		size = 1 // so that a rounding error is no change
	}
	switch change := math.Abs(now-after) / now; {
	case math.Abs(now-after) <= 1e-12*size || math.IsNaN(after) || math.IsNaN(now): // sums differ by the order of their terms
		return "=", &s.Faint
	case row.texts[0] == row.texts[1]: // the change is too small for the digits shown
		return "≈", &s.Faint
	case now == 0 || change >= 100:
		return sign, s.Fresh(style)
	default:
		return sign + " " + wording.Percent(change), s.Fresh(style)
	}
}

// took returns the elapsed time and the size of the sample; "" while the figures answer an earlier question.
func (w *WhatIf) took() string {
	switch {
	case w.Pending || w.WhatIf.Elapsed <= 0:
		return ""
	case w.WhatIf.Sample > 0:
		return "computed in " + draw.Duration(w.WhatIf.Elapsed) + ", on a sample of " + wording.Counted(w.WhatIf.Sample, "record")
	}
	return "computed in " + draw.Duration(w.WhatIf.Elapsed)
}

// need returns the number of cells that k-anonymity would suppress after the step, in total, shortened to fit width
// if possible, and by variable in descending order.
func (w *WhatIf) need(s State, width int) (text, cells string, style *draw.Style) {
	theme := s.Theme
	waited := ""
	if !w.NeedSince.IsZero() && s.Now != nil {
		if elapsed := s.Now().Sub(w.NeedSince); elapsed >= Unhurried {
			waited = "\u00a0" + draw.Duration(elapsed)
		}
	}
	if w.Need == nil {
		return fmt.Sprintf("k = %d, conservative rule: …", w.NeedK) + waited, "", &theme.Faint
	}
	bound := ""
	if w.Need.Bound != nil && *w.Need.Bound > 0 {
		bound = " (lower bound " + draw.Count(*w.Need.Bound) + ")"
	}
	text = draw.Fitting(width,
		fmt.Sprintf("k = %d, conservative rule: %s with minimal%s", w.NeedK, wording.Counted(w.Need.Total, "suppressed cell"), bound),
		fmt.Sprintf("k = %d, conservative: %s%s", w.NeedK, wording.Counted(w.Need.Total, "suppressed cell"), bound),
		fmt.Sprintf("k = %d, conservative: %s%s", w.NeedK, wording.Counted(w.Need.Total, "cell"), bound))
	style = &theme.Suppressed
	if w.Pending || w.NeedPending {
		text, style = text+"\u00a0"+draw.StaleMark+waited, &theme.Faint // non-breaking space
	}
	counts := slices.Clone(w.Need.Cells)
	slices.SortStableFunc(counts, func(a, b method.Count) int { return b.Count - a.Count })
	var texts []string
	for _, c := range counts {
		if c.Count > 0 {
			// Non-breaking spaces keep the number with its variable.
			texts = append(texts, strings.ReplaceAll(draw.Label(c.Name), " ", "\u00a0")+"\u00a0"+draw.Count(c.Count))
		}
	}
	return text, strings.Join(texts, "  "), style
}

// flow arranges texts on lines; texts that fit on no line are left out.
type flow struct {
	lines         []*draw.Line
	at, last, gap int // index of the line, of the last line, and the spaces before the next text
}

func (f *flow) next() {
	if f.at < f.last {
		f.at, f.gap = f.at+1, 0
	}
}

func (f *flow) put(texts []string, styles ...*draw.Style) {
	size := f.gap + draw.Width(strings.Join(texts, ""))
	if size > f.lines[f.at].Rest() && f.gap > 0 {
		f.next()
	}
	if size > f.lines[f.at].Rest() && f.gap > 0 {
		return
	}
	f.lines[f.at].Gap(f.gap)
	for i, text := range texts {
		f.lines[f.at].Text(styles[i], text)
	}
	f.gap = 2
}

// low draws three lines: the violators for every k, then as many other figures as fit, the elapsed time, and the
// cells that k-anonymity would need.
func (w *WhatIf) low(s State, width int) []string {
	theme := s.Theme
	f := flow{lines: []*draw.Line{draw.NewLine(width, nil), draw.NewLine(width, nil), draw.NewLine(width, nil)}, last: 2}
	if w.NeedK > 0 {
		text, cells, style := w.need(s, width-12) // room for a variable
		f.lines[2].Text(style, text)
		room := f.lines[2].Rest() - 2
		f.lines[2].Text(&theme.Faint, "  "+draw.Fitting(room, draw.Joined(room, "  ", strings.Split(cells, "  ")...), ""))
		f.last = 1
	}
	if s.Changing > 0 {
		f.put([]string{fmt.Sprint("before step ", s.Changing, ":")}, &theme.Warning)
	}
	ks := false
	for _, row := range w.rows(s) {
		_, name := row.then.WhatIf()
		style, trend := s.Fresh(numberStyle(theme, row.then)), ""
		change, changed := w.trend(s, row)
		switch {
		case row.then.NextToSameK:
			continue
		case row.then.K > 0:
			name, ks = fmt.Sprint("k=", row.then.K), true
			if s.Changing > 0 {
				trend = " (last step " + s.afterLast(row) + ")"
			}
			changed = &theme.Faint
		case ks: // the first figure without a k
			f.next()
			ks, trend = false, " "+change
		default:
			style, changed = changed, &theme.Faint
		}
		f.put([]string{strings.TrimSpace(name) + " " + row.texts[0] + " → ", row.texts[1], trend}, &theme.Faint, style, changed)
	}
	if w.Pending {
		f.put([]string{draw.StaleMark}, &theme.Warning)
	} else if took := w.took(); took != "" {
		f.put([]string{took}, &theme.Faint)
	}
	return []string{f.lines[0].String(), f.lines[1].String(), f.lines[2].String()}
}
