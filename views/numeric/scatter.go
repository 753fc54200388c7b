package numeric

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// NumericScatter is the pane that draws records by two numbers: the selected variable
// before and after, or it and another one, in the original and now.
type NumericScatter struct {
	views.TablePane
	other    string // the variable upwards; "": the selected one after against before
	whole    bool   // the whole ranges, else without the outermost half percents
	versions versionNames
	found    views.Cache[scatterOf, scatter]
	drawn    views.Cache[pictureOf, []picture]
}

// scatterOf is what a picture is of; x and y are the same pair where a variable is
// drawn against itself.
type scatterOf struct {
	x, y  columnPair
	whole bool
}

// The parts of the ranges that records are counted by: many more than a picture has
// cells, so that one of any size can be made of them.
const (
	scatterColumns = 960
	scatterRows    = 480
)

// pictureOf is what pictures are of.
type pictureOf struct {
	found         *scatter
	across, lines int
	both          bool // the original beside now
}

// picture is the records by the cells of a picture, from the bottom up.
type picture [][]int

// scatter is the records by place. Of a variable against itself before is nil.
type scatter struct {
	now, before *profile.Density
	x, y        profile.Range
}

var _ views.Seeker = (*NumericScatter)(nil)

// NewNumericScatter returns the pane that draws records by two numbers.
func NewNumericScatter() *NumericScatter {
	p := &NumericScatter{TablePane: views.TablePane{PaneID: "numeric-scatter", Heading: "Scatter"}}
	p.Content, p.Actions, p.Titled, p.Explained = p.table, p.keys, p.named, p.explain
	return p
}

func (p *NumericScatter) keys() []views.KeyAction {
	turn := func(msg tea.KeyPressMsg, s views.State) draw.Action {
		choices := append([]string{""},
			slices.DeleteFunc(numericVariables(s), func(name string) bool { return name == numericVariable(s) })...)
		p.other = nextChoice(choices, p.other, msg)
		return draw.Handled{}
	}
	return []views.KeyAction{views.Presses("x X", "other variable", turn, "x", "X"), tails(&p.whole)}
}

// upwards returns the other variable; "" where the selected one is drawn against itself.
func (p *NumericScatter) upwards(s views.State) string {
	if p.other == numericVariable(s) || !slices.Contains(numericVariables(s), p.other) {
		return ""
	}
	return p.other
}

func (p *NumericScatter) named(s views.State) string {
	name := numericVariable(s)
	if name == "" {
		return p.Heading
	}
	if other := p.upwards(s); other != "" {
		return ranged(p.Heading+" · "+draw.Shortened(other)+" by "+draw.Shortened(name), p.whole)
	}
	return ranged(p.Heading+" · "+draw.Shortened(name)+" now by original", p.whole)
}

// The cells that a picture takes for its axes, and the least that it is drawn in.
const (
	scatterMargin = 9
	leastScatter  = 12
	leastLines    = 4
)

func (p *NumericScatter) of(s views.State) scatterOf {
	of := scatterOf{x: pairOf(s, numericVariable(s)), whole: p.whole}
	of.y = of.x
	if other := p.upwards(s); other != "" {
		of.y = pairOf(s, other)
	}
	return of
}

// Seek counts the records by place.
func (p *NumericScatter) Seek(s views.State) views.Piece {
	of := p.of(s)
	if !of.x.ok() {
		return nil
	}
	return p.found.Seek(of, func(ctx context.Context) (scatter, error) { return scattered(ctx, of) })
}

func scattered(ctx context.Context, of scatterOf) (f scatter, err error) {
	if f.x.Low, f.x.High, err = spreads(ctx, of.x, of.whole); err != nil {
		return f, err
	}
	if of.x == of.y {
		f.y = f.x
		f.now, err = profile.NewDensity(ctx, of.x.before, of.x.now, f.x, f.y, scatterColumns, scatterRows)
		return f, err
	}
	if f.y.Low, f.y.High, err = spreads(ctx, of.y, of.whole); err != nil {
		return f, err
	}
	if f.before, err = profile.NewDensity(ctx, of.x.before, of.y.before, f.x, f.y, scatterColumns,
		scatterRows); err != nil {
		return f, err
	}
	f.now, err = profile.NewDensity(ctx, of.x.now, of.y.now, f.x, f.y, scatterColumns, scatterRows)
	return f, err
}

func (p *NumericScatter) table(s views.State, _ int) draw.Table {
	of := p.of(s)
	f := p.found.Found(of)
	switch {
	case !of.x.ok():
		return draw.Table{Instead: noNumbers}
	case f == nil:
		return draw.Table{Instead: "counting …"}
	case f.now.Inside+f.now.Outside == 0:
		return draw.Table{Instead: "No record has both numbers."}
	}
	return draw.Table{Above: func(width, height int) []string { return p.draw(s, of, f, width, height) }}
}

// draw draws one picture, or that of the original and that of now side by side where
// there is room for both.
func (p *NumericScatter) draw(s views.State, of scatterOf, f *scatter, width, height int) []string {
	// a heading, the axis, its ends, what the signs mean
	at := pictureOf{found: f, across: width - scatterMargin - 2, lines: height - 4}
	names := p.versions.names()
	heads := []string{names.now + " ↑, " + names.before + " →"}
	if half := (width - scatterMargin - 5) / 2; f.before != nil {
		if heads = []string{names.now}; half >= leastScatter {
			at.across, at.both, heads = half, true, []string{names.before, names.now}
		}
	}
	if at.across < leastScatter || at.lines < leastLines {
		return strings.Split(s.Sentence("A picture needs more room: z shows this pane alone.", width, height), "\n")
	}
	pictures := *p.drawn.Look(at, func() []picture {
		if !at.both {
			return []picture{at.of(f.now)}
		}
		return []picture{at.of(f.before), at.of(f.now)}
	})
	most := 1
	for _, picture := range pictures {
		for _, row := range picture {
			most = max(most, slices.Max(row))
		}
	}
	lines := []string{s.Faint.Render(strings.Repeat(" ", scatterMargin+1) + spreadOver(heads, at.across+1))}
	for i := at.lines - 1; i >= 0; i-- {
		l := draw.NewLine(width, nil)
		label := ""
		switch i {
		case at.lines - 1:
			label = draw.ShortFigure(f.y.High)
		case 0:
			label = draw.ShortFigure(f.y.Low)
		}
		l.Right(&s.Faint, label, scatterMargin-1)
		for _, picture := range pictures {
			l.Text(&s.Faint, " │")
			drawRow(s, l, picture, i, most, of.x == of.y)
		}
		lines = append(lines, l.String())
	}
	return append(lines, scatterAxes(s, f, at, len(pictures), most, width)...)
}

// of adds the parts up to the cells of a picture.
func (at pictureOf) of(d *profile.Density) picture {
	out := make(picture, at.lines)
	for i := range out {
		out[i] = make([]int, at.across)
	}
	for row, parts := range d.Records {
		for column, n := range parts {
			out[row*at.lines/scatterRows][column*at.across/scatterColumns] += n
		}
	}
	return out
}

// scatterAxes draws what stands below pictures.
func scatterAxes(s views.State, f *scatter, at pictureOf, pictures, most, width int) []string {
	axis, ends := strings.Repeat(" ", scatterMargin), strings.Repeat(" ", scatterMargin)
	for range pictures {
		axis += "└" + strings.Repeat("─", at.across) + " "
		low, high := draw.ShortFigure(f.x.Low), draw.ShortFigure(f.x.High)
		ends += " " + low + strings.Repeat(" ", max(1, at.across-draw.Width(low)-draw.Width(high))) + high + " "
	}
	legend := fmt.Sprintf(" · 1  ░ ▒ ▓  █ %s", wording.Counted(most, "record"))
	if f.now.Outside > 0 {
		legend += "; " + draw.Count(f.now.Outside) + " outside"
	}
	if f.before == nil {
		legend += "  ╱ unchanged"
	}
	var lines []string
	for _, text := range []string{axis, ends, legend} {
		lines = append(lines, s.Faint.Fit(text, width))
	}
	return lines
}

// scatterShades are the signs of a place by its records.
var scatterShades = [...]string{" ", "·", "░", "▒", "▓", "█"}

// drawRow draws a row of a picture. The line of equal values is seen where no record
// is.
func drawRow(s views.State, l *draw.Line, picture picture, row, most int, equal bool) {
	for column, n := range picture[row] {
		if equal && n == 0 && column*len(picture)/len(picture[row]) == row {
			l.Put(&s.Faint, "╱", 1)
			continue
		}
		l.Put(s.Fresh(&s.Bar), scatterShades[scatterShade(n, most)], 1)
	}
}

// scatterShade returns the shade of a number of records: by its logarithm.
func scatterShade(n, most int) int {
	switch {
	case n == 0:
		return 0
	case n == 1 || most <= 1:
		return 1
	}
	return min(5, 2+int(3.999*math.Log(float64(n)/2)/math.Log(math.Max(2, float64(most)/2))))
}

// spreadOver puts texts into columns of so many cells.
func spreadOver(texts []string, size int) string {
	var b strings.Builder
	for _, text := range texts {
		b.WriteString(draw.Fit(" "+text, size+1))
	}
	return b.String()
}

func (p *NumericScatter) explain(s views.State) []views.Figure {
	f := p.found.Found(p.of(s))
	if f == nil {
		return nil
	}
	return []views.Figure{{Name: "Records by two numbers",
		Value: wording.Counted(f.now.Inside, "record") + " in the picture, " + draw.Count(f.now.Outside) + " outside",
		Definition: "Each place stands for the records whose numbers lie there; the darker, the more, by logarithm. A variable drawn against itself shows what a step did: on the " +
			"diagonal are values that stayed, steps are groups with one mean, a wide band is noise. The picture leaves out the outermost half percent on each side, unless extremes are asked for.",
		Formula: "count of records by place", Source: measure.SourceGuide}}
}
