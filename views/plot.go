package views

import (
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
)

// plot is a picture of points between two axes, a character for each cell.
type plot struct {
	across, upwards span
	cells           [][]rune // by line, from the top
}

// plotAxis is the number of cells of the numbers of the left axis.
const plotAxis = 9

// newPlot returns an empty picture of so many lines in a width; nil where there is no room
// for one.
func newPlot(across, upwards span, width, lines int) *plot {
	columns := width - plotAxis - 2
	if columns < 12 || lines < 3 {
		return nil
	}
	p := &plot{across, upwards, make([][]rune, lines)}
	for i := range p.cells {
		p.cells[i] = []rune(strings.Repeat(" ", columns))
	}
	return p
}

// mark puts a character where a point lies.
func (p *plot) mark(x, y float64, r rune) {
	lines := len(p.cells)
	p.cells[lines-1-p.upwards.place(y, lines)][p.across.place(x, len(p.cells[0]))] = r
}

// span is the range of an axis.
type span struct{ low, high float64 }

// place returns the cell of a value among so many.
func (a span) place(x float64, cells int) int {
	return min(cells-1, max(0, int(math.Round((x-a.low)/(a.high-a.low)*float64(cells-1)))))
}

// tickText spells the values of an axis: times scale in round numbers, whole ones alone
// where it says so.
type tickText struct {
	scale float64
	whole bool
	spell func(x float64) string
}

// ticks returns the round values of an axis, at most about so many, and their texts.
func (a span) ticks(as tickText, most int) (at []float64, texts []string) {
	high := a.high * as.scale * (1 + 1e-9)
	bins := profile.RoundBins(a.low*as.scale, a.high*as.scale, max(2, most), as.whole)
	for i := 0; i < 50 && bins.Lower(i) <= high; i++ {
		if x := bins.Lower(i); x >= a.low*as.scale {
			at, texts = append(at, x/as.scale), append(texts, as.spell(x+0))
		}
	}
	return at, texts
}

// lines draws the picture with its axes, each character in a style.
func (p *plot) lines(theme *Theme, across, upwards tickText, style func(r rune) *Style) []string {
	rows, labels := len(p.cells), map[int]string{}
	values, texts := p.upwards.ticks(upwards, rows/3)
	for i, value := range values {
		labels[rows-1-p.upwards.place(value, rows)] = texts[i]
	}
	var lines []string
	for i, row := range p.cells {
		label, tick := labels[i], "┤"
		if label == "" {
			tick = "│"
		}
		l := newLine(plotAxis+2+len(row), nil)
		l.put(&theme.Faint, FitRight(label, plotAxis)+" "+tick, plotAxis+2)
		for _, r := range row {
			l.put(style(r), string(r), 1)
		}
		lines = append(lines, l.String())
	}
	return append(lines, p.axis(theme, across)...)
}

// axis draws the axis to the right; texts that would run into each other are left out.
func (p *plot) axis(theme *Theme, as tickText) []string {
	columns := len(p.cells[0])
	ticks, labels := []rune(strings.Repeat("─", columns)), []rune(strings.Repeat(" ", columns))
	values, texts := p.across.ticks(as, columns/10)
	free := 0
	for i, value := range values {
		at, text := p.across.place(value, columns), []rune(texts[i])
		ticks[at] = '┴'
		if from := min(max(free, at-len(text)/2), columns-len(text)); from >= free {
			copy(labels[from:], text)
			free = from + len(text) + 1
		}
	}
	return []string{theme.Faint.Render(strings.Repeat(" ", plotAxis+1) + "└" + string(ticks)), theme.Faint.Render(strings.Repeat(" ", plotAxis+2) + string(labels))}
}
