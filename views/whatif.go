package views

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// WhatIfFigures are the figures a dialog shows before anything is applied.
type WhatIfFigures struct {
	Asked   bool             // there is a step to ask about
	Pending bool             // the figures are those of an older question
	After   *risk.Assessment // nil: not known yet
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
		lines = wrapped(s.Theme.Error.Render, w.Err.Error(), width)
	case !w.Asked:
		lines = wrapped(s.Theme.Faint.Render, w.Hint, width)
	case w.NotApplicable != "" || s.NotApplicable != "":
		lines = w.inapplicable(s, width, height)
	case w.After == nil || s.Current.Assessment == nil:
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

// whatIfRow is one figure now and as it would be.
type whatIfRow struct {
	name, short  string
	chosen       bool
	now, after   string
	before, then float64 // the same as numbers
	style        *lipgloss.Style
}

// parts are the rows of the table in groups: violators, violators of the
// screen's k under other rules, expected re-identifications.
func (w *WhatIfFigures) parts(s State) [][]whatIfRow {
	now, after := s.Current.Assessment, w.After
	count := func(name, short string, chosen bool, before, then int) whatIfRow {
		return whatIfRow{name, short, chosen, Count(before), Count(then), float64(before), float64(then), riskStyle(s.Theme, then, after.Records)}
	}
	amount := func(name, short string, before, then float64) whatIfRow {
		return whatIfRow{name, short, false, Amount(before), Amount(then), before, then, &s.Theme.Strong}
	}
	parts := make([][]whatIfRow, 3)
	for _, v := range after.Violators {
		before, _ := violatorsOf(now, v.K)
		name := fmt.Sprintf("k = %d", v.K)
		parts[0] = append(parts[0], count(name, name, v.K == s.K, before.Count, v.Count))
	}
	if v, ok := violatorsOf(after, s.K); ok {
		before, _ := violatorsOf(now, s.K)
		parts[1] = []whatIfRow{
			count(fmt.Sprintf("k = %d conservative", s.K), "conservative", false, before.Conservative, v.Conservative),
			count(fmt.Sprintf("k = %d own category", s.K), "own category", false, before.OwnCategory, v.OwnCategory),
		}
	}
	parts[2] = []whatIfRow{amount("re-identifications", "re-ident.", now.Expected, after.Expected)}
	if now.Households != nil && after.Households != nil {
		parts[2] = append(parts[2], amount("  of households", "  households", now.Households.Expected, after.Households.Expected))
	}
	return parts
}

// high is the table, and what k-anonymity would need.
func (w *WhatIfFigures) high(s State, width, height int) []string {
	parts := w.parts(s)
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
		drawn = append(drawn, []string{s.Theme.Faint.Render(Fit(" "+Duration(w.Elapsed), width))})
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
			fields[0].size, short = max(fields[0].size, Width(row.name)), max(short, Width(row.short))
			fields[1].size, fields[2].size = max(fields[1].size, Width(row.now)), max(fields[2].size, Width(row.after))
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
	l.mark(&theme.Key, row.chosen)
	name := row.name
	if Width(name) > fields[0].size {
		name = row.short
	}
	l.left(&theme.Plain, name, fields[0].size)
	l.gap(1)
	l.number(&theme.Plain, row.now, fields[1].size)
	l.gap(1)
	l.number(w.known(s, row.style), row.after, fields[2].size)
	if fields[3].size > 0 {
		l.gap(1)
		w.trend(s, l, row.before, row.then)
	}
	return l.String()
}

// trend appends by how much a figure falls or rises.
func (w *WhatIfFigures) trend(s State, l *line, now, after float64) {
	style, sign := &s.Theme.Low, "▼"
	if after > now {
		style, sign = &s.Theme.High, "▲"
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
	lines := wrapped(style.Render, text, width-1)
	lines = append(lines, wrapped(s.Theme.Faint.Render, w.cells(), width-3)...)
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
