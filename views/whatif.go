package views

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// WhatIfFigures are the figures a dialog shows before anything is applied.
type WhatIfFigures struct {
	Asked   bool        // there is a step to ask about
	Pending bool        // the figures are those of an older question
	After   measure.Set // of the measures that what-ifs show; nil: not known yet
	Sample  int         // the number of records that After is of; 0: all
	Before  measure.Set // of the records of a sample as they are now
	Need    *method.Suppression
	NeedK   int  // the k that Need is for; 0: not asked
	NeedOld bool // Need belongs to an older question
	Elapsed time.Duration
	Err     error           // why there are no figures
	Meter   *progress.Meter // of the figures that are being computed; nil: none are
	Since   time.Time       // when that began
	// NotApplicable says why the figures have no meaning after the step.
	NotApplicable string
	Hint          string // what to do where nothing is asked
}

// lowWhatIf is the height below which the what-if has its form of three lines.
const lowWhatIf = 8

// WhatIfBlock draws the figures now and as they would be: a table where there
// is room for it, else three lines. Figures of an older question are faint and
// marked.
func WhatIfBlock(s State, w WhatIfFigures, width, height int) string {
	var lines []string
	switch {
	case w.Err != nil:
		lines = Wrapped(s.Theme.Error.Render, w.Err.Error(), width)
	case !w.Asked:
		lines = Wrapped(s.Theme.Faint.Render, w.Hint, width)
	case w.NotApplicable != "" || s.NotApplicable != "":
		lines = w.inapplicable(s, width, height)
	case len(w.rows(s)) == 0:
		lines = []string{s.Theme.Faint.Render("counting …")}
	case height < lowWhatIf:
		lines = w.low(s, width)
	default:
		lines = w.high(s, width, height)
	}
	if underway := w.underway(s, width); underway != "" {
		lines = append(lines[:min(len(lines), height-1)], underway)
		if w.After == nil {
			lines = lines[len(lines)-1:]
		}
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

// known returns the style of a figure: faint while it is an older one.
func (w *WhatIfFigures) known(s State, style *lipgloss.Style) *lipgloss.Style {
	if w.Pending {
		return &s.Theme.Faint
	}
	return style
}

// whatIfRow is one number now and as it would be.
type whatIfRow struct {
	entry     *measure.Entry
	now, then *measure.Value
}

// rows are the numbers that are known both now and after the step, those beside
// others only of the k of the screen.
func (w *WhatIfFigures) rows(s State) []whatIfRow {
	var rows []whatIfRow
	before := s.Current.Figures
	if w.Sample > 0 {
		before = w.Before
	}
	w.After.Shown(measure.WhatIf, func(e *measure.Entry, then *measure.Value) {
		now := before.Value(e.Spec.Name, then.Name, then.K)
		if now != nil && (!then.Beside || then.K == s.K) {
			rows = append(rows, whatIfRow{e, now, then})
		}
	})
	return rows
}

// parts are the rows of the table in groups: of the measures under one heading,
// those that stand beside others apart.
func parts(rows []whatIfRow) [][]whatIfRow {
	var parts [][]whatIfRow
	for i, row := range rows {
		if i == 0 || row.entry.Spec.Heading() != rows[i-1].entry.Spec.Heading() || row.then.Beside != rows[i-1].then.Beside {
			parts = append(parts, nil)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], row)
	}
	return parts
}

// numberStyle returns the style of a number: that of its danger where it is a part
// of all records.
func numberStyle(theme *Theme, v *measure.Value) *lipgloss.Style {
	if v.Unit == measure.Count && v.Of > 0 {
		return riskStyle(theme, int(v.Number), v.Of)
	}
	return &theme.Strong
}

// high is the table, and what k-anonymity would need.
func (w *WhatIfFigures) high(s State, width, height int) []string {
	parts := parts(w.rows(s))
	fields := whatIfFields(parts, width)
	drawn := make([][]string, len(parts), len(parts)+2)
	used := 1
	for i, part := range parts {
		for _, row := range part {
			drawn[i] = append(drawn[i], w.row(s, row, fields, width))
		}
		used += len(part)
	}
	need := w.need(s, width)
	drawn = append(drawn, need)
	used += len(need)
	if w.Elapsed > 0 && !w.Pending {
		drawn = append(drawn, []string{s.Theme.Faint.Render(Fit(" "+w.took(), width))})
		used++
	}
	head := w.heading(s, fields, width)
	lines := []string{head}
	for i, part := range drawn {
		if i > 0 && len(part) > 0 && used < height {
			lines = append(lines, "")
			used++
		}
		lines = append(lines, part...)
	}
	return lines
}

// whatIfFields are the columns: name, now, would be, change.
func whatIfFields(parts [][]whatIfRow, width int) []field {
	fields := []field{{size: 8}, {head: "now", right: true, size: 5}, {head: "would be", right: true, size: 8}, {head: "", size: 8, rank: 1}}
	short := 8
	for _, part := range parts {
		for _, row := range part {
			name, other := row.then.WhatIf()
			fields[0].size, short = max(fields[0].size, Width(name)), max(short, Width(other))
			fields[1].size, fields[2].size = max(fields[1].size, Width(row.now.Text())), max(fields[2].size, Width(row.then.Text()))
		}
	}
	if taken(fields, func(f field) int { return f.size })+1 > width {
		fields[0].size = short
	}
	arrange(fields, width-1)
	return fields
}

func (w *WhatIfFigures) heading(s State, fields []field, width int) string {
	return headings(State{Theme: s.Theme, Stale: w.Pending || s.Stale}, fields, 1, width)
}

func (w *WhatIfFigures) row(s State, row whatIfRow, fields []field, width int) string {
	theme := s.Theme
	l := newLine(width, nil)
	l.mark(&theme.Key, row.then.K == s.K && !row.then.Beside)
	name, short := row.then.WhatIf()
	if Width(name) > fields[0].size {
		name = short
	}
	l.left(&theme.Plain, name, fields[0].size)
	l.gap(1)
	l.number(&theme.Plain, row.now.Text(), fields[1].size)
	l.gap(1)
	l.number(w.known(s, numberStyle(theme, row.then)), row.then.Text(), fields[2].size)
	if fields[3].size > 0 {
		l.gap(1)
		w.trend(s, l, row)
	}
	return l.String()
}

// trend appends by how much a number falls or rises, in the colour of what is
// better.
func (w *WhatIfFigures) trend(s State, l *line, row whatIfRow) {
	now, after := row.now.Number, row.then.Number
	style, sign := &s.Theme.Low, "▼"
	if after > now {
		sign = "▲"
	}
	switch better := row.then.Better; {
	case better == measure.Either:
		style = &s.Theme.Plain
	case (after > now) == (better == measure.Lower):
		style = &s.Theme.High
	}
	switch percent := 100 * math.Abs(now-after) / now; {
	case math.Abs(now-after) <= 1e-12*math.Abs(now) || math.IsNaN(after) || math.IsNaN(now): // sums differ by their order
		l.text(&s.Theme.Faint, "=")
	case now == 0 || percent >= 10_000:
		l.text(w.known(s, style), sign)
	default:
		l.text(w.known(s, style), fmt.Sprintf("%s %.1f %%", sign, percent))
	}
}

// took says how long the figures took, and which records they are of.
func (w *WhatIfFigures) took() string {
	if w.Sample > 0 {
		return Duration(w.Elapsed) + ", on a sample of " + wording.Counted(w.Sample, "record")
	}
	return Duration(w.Elapsed)
}

// need says what k-anonymity would take after the step.
func (w *WhatIfFigures) need(s State, width int) []string {
	if w.NeedK == 0 {
		return nil
	}
	style := &s.Theme.Suppressed
	if w.NeedOld || w.Need == nil {
		style = &s.Theme.Faint
	}
	text := w.needText()
	if Width(text) > width-1 {
		text = strings.Replace(text, "would need", "needs", 1)
	}
	lines := Wrapped(style.Render, text, width-1)
	lines = append(lines, Wrapped(s.Theme.Faint.Render, w.cells(), width-3)...)
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// needText is the sentence about the cells that k-anonymity would need.
func (w *WhatIfFigures) needText() string {
	if w.Need == nil {
		return fmt.Sprintf("%d-anonymity would need …", w.NeedK)
	}
	text := fmt.Sprintf("%d-anonymity would need %s", w.NeedK, wording.Counted(w.Need.Total, "cell"))
	if w.Need.Bound != nil && *w.Need.Bound > 0 {
		text += " (" + Count(*w.Need.Bound) + " at least)"
	}
	if w.NeedOld {
		text += "\u00a0" + StaleMark // a blank that does not break
	}
	return text
}

// cells lists the cells of each variable, most first.
func (w *WhatIfFigures) cells() string {
	if w.Need == nil {
		return ""
	}
	cells := slices.Clone(w.Need.Cells)
	slices.SortStableFunc(cells, func(a, b method.VariableCells) int { return b.Count - a.Count })
	var texts []string
	for _, c := range cells {
		if c.Count > 0 {
			// A blank that does not break keeps the number with its variable.
			texts = append(texts, strings.ReplaceAll(Safe(shortened(c.Variable)), " ", "\u00a0")+"\u00a0"+Count(c.Count))
		}
	}
	return strings.Join(texts, "  ")
}
