package numeric

import (
	"math"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Curve is risk and information loss on all records over the strength parameter of a masking method.
type Curve struct {
	Param   string // name of the parameter on the screen
	Grades  []Grade
	Records int
	Left    time.Duration // estimated time for the unknown grades; 0: unknown
	Note    string        // a note on all grades; "": none
}

// Grade is a value of the parameter with its figures.
type Grade struct {
	Value   string
	Now     bool              // the value in the fields of the dialog
	Figures *tradeoff.Figures // nil: not known yet, or refused
	Refused bool              // the step is not possible
}

// leastCurve is the minimum height of a curve: the headings and some grades.
const leastCurve = 5

// Lines draws a line for each grade, with the cursor on the one in the fields, in at most height lines of width
// cells. It returns none if there is no room.
func (c *Curve) Lines(s views.State, width, height int) []string {
	if len(c.Grades) == 0 || height < leastCurve {
		return nil
	}
	foot := c.foot(s, width)
	if height < len(c.Grades)+1+len(foot) {
		foot = foot[:0]
	}
	from, rows := 0, min(len(c.Grades), height-1-len(foot))
	for i := range c.Grades {
		if c.Grades[i].Now {
			from = max(0, min(i-rows/2, len(c.Grades)-rows))
		}
	}
	highest, most := 0.0, 0.0
	for i := range c.Grades {
		if f := c.Grades[i].Figures; f != nil {
			highest, most = largest(highest, f.Linkage()), largest(most, f.Loss())
		}
	}
	bar := max(6, (width-26)/2)
	if wide := 60; width >= wide {
		bar = (width - 36) / 2 // leaves room for the interval
	}
	t := draw.Table{
		Columns: []draw.Column{{Head: c.Param, Kind: draw.Values, Size: 4, Most: 12},
			{Head: "linkage", Kind: draw.Percents, Size: 8}, {Kind: draw.Bars, Size: bar},
			{Head: "IL1s", Kind: draw.Values, Size: 6}, {Kind: draw.Bars, Size: bar},
			{Head: "interval", Kind: draw.Percents, Size: 8, Rank: 1}},
		Rows: rows, Close: true, Colours: true,
		Marked: func(row int) bool { return c.Grades[from+row].Now },
		Row:    func(row int) []draw.Cell { return c.Grades[from+row].cells(s, highest, most) },
	}
	return append(t.Lines(s.Look, nil, width+1, rows+1, false), foot...)
}

// largest returns the larger of two numbers; other may be NaN.
func largest(x, other float64) float64 {
	if math.IsNaN(other) {
		return x
	}
	return max(x, other)
}

// cells returns the value and its figures, with bars relative to the largest.
func (g *Grade) cells(s views.State, highest, most float64) []draw.Cell {
	style := &s.Plain
	if g.Now {
		style = &s.Strong
	}
	value := draw.Cell{Text: g.Value, Style: style}
	if g.Figures == nil {
		text := "…"
		if g.Refused {
			text = draw.NoFigure
		}
		value.Style = &s.Faint
		none := draw.Cell{Text: text, Style: &s.Faint}
		return []draw.Cell{value, none, {}, none, {}, none}
	}
	bar := func(x, of float64, style *draw.Style) draw.Cell {
		if !(x > 0) || !(of > 0) {
			return draw.Cell{}
		}
		return draw.Cell{Share: x / of, Style: style}
	}
	linkage, loss := g.Figures.Linkage(), g.Figures.Loss()
	return []draw.Cell{value, share(linkage, style), bar(linkage, highest, &s.High),
		{Text: wording.CellLoss(loss), Style: style}, bar(loss, most, &s.Bar),
		share(g.Figures.Interval(), style)}
}

// share is the cell of a share in percent.
func share(x float64, style *draw.Style) draw.Cell {
	if math.IsNaN(x) {
		return draw.Cell{Text: draw.NoFigure, Style: style}
	}
	return draw.Cell{Share: x, Style: style}
}

// foot returns lines with the records that the curve is based on, and the remaining time.
func (c *Curve) foot(s views.State, width int) []string {
	unknown := 0
	for i := range c.Grades {
		if c.Grades[i].Figures == nil && !c.Grades[i].Refused {
			unknown++
		}
	}
	text := "on all " + wording.Counted(c.Records, "record")
	if c.Note != "" {
		text += ", " + c.Note
	}
	switch {
	case unknown == 0:
	case c.Left > 0:
		text += " · about " + draw.Duration(c.Left) + " more"
	default:
		text += " · being computed"
	}
	return s.Faint.Indented(text, 1, width)
}

// TradeMap plots risk and information loss of a step among those of other parameter values, on the same records.
type TradeMap struct {
	Now, Then *tradeoff.Figures
	Others    []*tradeoff.Figures // for other values of the parameter
	Stale     bool                // Then belongs to an earlier question
}

// Lines draws the map in at most height lines, none if there is no room.
func (m *TradeMap) Lines(s views.State, width, height int) []string {
	points := append([]*tradeoff.Figures{m.Now, m.Then}, m.Others...)
	right, up := 0.0, 0.0
	for _, f := range points {
		right, up = largest(right, f.Linkage()), largest(up, f.Loss())
	}
	span := func(most, highest float64) draw.Span {
		if !(most > 0) {
			most = 0.01
		}
		return draw.Span{High: math.Min(highest, most*1.05)}
	}
	p := draw.NewPlot(span(right, 1), span(up, math.Inf(1)), width, height-4)
	if p == nil {
		return nil
	}
	mark := func(f *tradeoff.Figures, sign rune, style *draw.Style) {
		if x, y := f.Linkage(), f.Loss(); !math.IsNaN(x) && !math.IsNaN(y) {
			p.Mark(x, y, sign, style)
		}
	}
	for _, f := range m.Others {
		mark(f, '·', nil)
	}
	here := &s.Changed
	if m.Stale {
		here = &s.Faint
	}
	mark(m.Now, '○', nil)
	mark(m.Then, '◆', here)
	lines := append([]string{s.Heading.Fit(" ↑ IL1s per cell", width)},
		p.Lines(s.Theme, draw.PercentTicks, draw.AmountTicks)...)
	text := " → record linkage   ○ now ◆ after"
	if len(m.Others) > 0 {
		text += " · others"
	}
	return append(lines, s.Heading.Fit(text, width))
}
