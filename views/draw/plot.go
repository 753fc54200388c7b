package draw

import (
	"cmp"
	"math"
	"strings"

	"github.com/guptarohit/asciigraph"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
)

// Plot draws points between two axes, a character per cell.
type Plot struct {
	across, upwards Span
	Cells           [][]rune   // by line, from the top
	styles          [][]*Style // of the cells; nil: the style of bars
}

// PlotAxis is the width of the numbers at the left axis.
const PlotAxis = 9

// NewPlot returns an empty plot of so many lines in a width, or nil if there is no room.
func NewPlot(across, upwards Span, width, lines int) *Plot {
	columns := width - PlotAxis - 2
	if columns < 12 || lines < 3 {
		return nil
	}
	p := &Plot{across, upwards, make([][]rune, lines), make([][]*Style, lines)}
	for i := range p.Cells {
		p.Cells[i], p.styles[i] = []rune(strings.Repeat(" ", columns)), make([]*Style, columns)
	}
	return p
}

// Mark puts a character at a point, in a style; nil is the style of bars.
func (p *Plot) Mark(x, y float64, r rune, style *Style) {
	p.Put(len(p.Cells)-1-p.upwards.Place(y, len(p.Cells)), p.across.Place(x, len(p.Cells[0])), r, style)
}

// Put puts a character into a cell, in a style; nil is the style of bars.
func (p *Plot) Put(line, column int, r rune, style *Style) {
	p.Cells[line][column], p.styles[line][column] = r, style
}

// Point is a point of a plot.
type Point struct{ X, Y float64 }

// Curve draws a line through two or more points in ascending order of X, dotted or with joined strokes.
func (p *Plot) Curve(points []Point, dotted bool, style *Style) {
	columns, first := len(p.Cells[0]), p.across.Place(points[0].X, len(p.Cells[0]))
	last := p.across.Place(points[len(points)-1].X, columns)
	heights := make([]float64, last-first+2) // a stroke joins two heights
	for i, at := 0, 1; i < len(heights); i++ {
		share := float64(first+min(i, last-first)) / float64(columns-1)
		x := p.across.Low + share*(p.across.High-p.across.Low)
		for at < len(points)-1 && x > points[at].X {
			at++
		}
		from, to := points[at-1], points[at]
		heights[i] = from.Y + min(1, max(0, (x-from.X)/(to.X-from.X)))*(to.Y-from.Y)
	}
	strokes := asciigraph.DefaultCharSet
	if dotted {
		strokes = asciigraph.CreateCharSet("·")
	}
	text := asciigraph.Plot(heights, asciigraph.Height(len(p.Cells)-1), asciigraph.LowerBound(p.upwards.Low), asciigraph.UpperBound(p.upwards.High),
		asciigraph.Offset(1), asciigraph.SeriesChars(strokes), asciigraph.YAxisValueFormatter(func(float64) string { return "" }))
	for line, drawn := range strings.Split(text, "\n") {
		_, drawn, _ = strings.Cut(strings.ReplaceAll(drawn, "┼", "┤"), "┤")
		for column, r := range []rune(drawn) {
			if r != ' ' {
				p.Put(line, first+column, r, style)
			}
		}
	}
}

// Span is the range of an axis.
type Span struct{ Low, High float64 }

// Place returns the cell of a value, if the axis has so many cells.
func (a Span) Place(x float64, cells int) int {
	return min(cells-1, max(0, int(math.Round((x-a.Low)/(a.High-a.Low)*float64(cells-1)))))
}

// TickText formats the values of an axis, multiplied by Scale and as round numbers, integers only if Whole is set.
type TickText struct {
	Scale float64
	Whole bool
	Spell func(x float64) string
}

// The formats of axes of shares, in percent, and of amounts.
var (
	PercentTicks = TickText{Scale: 100, Spell: func(x float64) string { return wording.Tick(x) + " %" }}
	AmountTicks  = TickText{Scale: 1, Spell: wording.Tick}
)

// Ticks returns round values of an axis with their texts: about most of them, and two or more if possible.
func (a Span) Ticks(as TickText, most int) (at []float64, texts []string) {
	for more := max(2, most); len(at) < 2 && more < most+8; more++ {
		at, texts = a.ticks(as, more)
	}
	return at, texts
}

func (a Span) ticks(as TickText, most int) (at []float64, texts []string) {
	high := a.High * as.Scale * (1 + 1e-9)
	bins := profile.RoundBins(a.Low*as.Scale, a.High*as.Scale, most, as.Whole)
	for i := 0; i < 50 && bins.Lower(i) <= high; i++ {
		if x := bins.Lower(i); x >= a.Low*as.Scale {
			at, texts = append(at, x/as.Scale), append(texts, as.Spell(x+0))
		}
	}
	return at, texts
}

// Lines draws the plot with its axes.
func (p *Plot) Lines(theme *Theme, across, upwards TickText) []string {
	rows, labels := len(p.Cells), map[int]string{}
	values, texts := p.upwards.Ticks(upwards, rows/3)
	for i, value := range values {
		labels[rows-1-p.upwards.Place(value, rows)] = texts[i]
	}
	var lines []string
	for i, row := range p.Cells {
		label, tick := labels[i], "┤"
		if label == "" {
			tick = "│"
		}
		l := NewLine(PlotAxis+2+len(row), nil)
		l.Put(&theme.Faint, FitRight(label, PlotAxis)+" "+tick, PlotAxis+2)
		for column, r := range row {
			l.Put(cmp.Or(p.styles[i][column], &theme.Bar), string(r), 1)
		}
		lines = append(lines, l.String())
	}
	return append(lines, p.axis(theme, across)...)
}

// axis draws the horizontal axis and leaves out texts that would overlap.
func (p *Plot) axis(theme *Theme, as TickText) []string {
	columns := len(p.Cells[0])
	ticks, labels := []rune(strings.Repeat("─", columns)), []rune(strings.Repeat(" ", columns))
	values, texts := p.across.Ticks(as, columns/10)
	free := 0
	for i, value := range values {
		at, text := p.across.Place(value, columns), []rune(texts[i])
		ticks[at] = '┴'
		if from := min(max(free, at-len(text)/2), columns-len(text)); from >= free {
			copy(labels[from:], text)
			free = from + len(text) + 1
		}
	}
	return []string{theme.Faint.Render(strings.Repeat(" ", PlotAxis+1) + "└" + string(ticks)),
		theme.Faint.Render(strings.Repeat(" ", PlotAxis+2) + string(labels))}
}
