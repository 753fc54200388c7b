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

// NumericScatter is the pane that plots records by two numbers: the selected variable after against before, or it
// and another one, in the original and now.
type NumericScatter struct {
	views.TablePane
	other    string // variable of the vertical axis; "": the selected one, after against before
	whole    bool   // the whole ranges, else trimmed by 0.5 % at each end
	versions versionNames
	found    views.Cache[scatterOf, scatter]
	drawn    views.Cache[pictureOf, []picture]
}

// scatterOf identifies a plot; x and y are the same pair if a variable is plotted against itself.
type scatterOf struct {
	x, y  profile.Versions
	whole bool
}

// The numbers of bins that records are counted by: many more than a plot has cells, so that plots of any size can
// be made from them.
const (
	scatterColumns = 960
	scatterRows    = 480
)

// pictureOf identifies pictures.
type pictureOf struct {
	found         *scatter
	across, lines int
	both          bool // the original next to now
}

// picture is the number of records by cell, from the bottom up.
type picture [][]int

// scatter is the number of records by bin. before is nil if a variable is plotted against itself.
type scatter struct {
	now, before *profile.Density
	x, y        profile.Range
}

var _ views.Seeker = (*NumericScatter)(nil)

// NewNumericScatter returns the pane of the scatter plot.
func NewNumericScatter() *NumericScatter {
	p := &NumericScatter{TablePane: views.TablePane{PaneID: "numeric-scatter", Heading: "Scatter plot"}}
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
	return []views.KeyAction{views.Presses("x X", "change variable", turn, "x", "X"), tails(&p.whole)}
}

// upwards returns the other variable, or "" if the selected one is plotted against itself.
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
		return ranged(p.Heading+" · "+draw.Shortened(other)+" against "+draw.Shortened(name), p.whole)
	}
	return ranged(p.Heading+" · "+draw.Shortened(name)+", now against original", p.whole)
}

func (p *NumericScatter) of(s views.State) scatterOf {
	of := scatterOf{x: versionsOf(s, numericVariable(s)), whole: p.whole}
	of.y = of.x
	if other := p.upwards(s); other != "" {
		of.y = versionsOf(s, other)
	}
	return of
}

// Seek counts the records by bin.
func (p *NumericScatter) Seek(s views.State) views.Piece {
	of := p.of(s)
	if !of.x.Known() {
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
		f.now, err = profile.NewDensity(ctx, of.x.Before, of.x.Now, f.x, f.y, scatterColumns, scatterRows)
		return f, err
	}
	if f.y.Low, f.y.High, err = spreads(ctx, of.y, of.whole); err != nil {
		return f, err
	}
	if f.before, err = profile.NewDensity(ctx, of.x.Before, of.y.Before, f.x, f.y, scatterColumns,
		scatterRows); err != nil {
		return f, err
	}
	f.now, err = profile.NewDensity(ctx, of.x.Now, of.y.Now, f.x, f.y, scatterColumns, scatterRows)
	return f, err
}

func (p *NumericScatter) table(s views.State, _ int) draw.Table {
	of := p.of(s)
	f := p.found.Found(of)
	switch {
	case !of.x.Known():
		return draw.Table{Instead: noNumbers}
	case f == nil:
		return draw.Table{Instead: "counting …"}
	case f.now.Inside+f.now.Outside == 0:
		return draw.Table{Instead: "No record has both values."}
	}
	return draw.Table{Above: func(width, height int) []string { return p.draw(s, of, f, width, height) }}
}

// leastBoth is the width from which the original is drawn next to now.
const leastBoth = 48

// draw draws one plot, or the original and now side by side if there is room.
func (p *NumericScatter) draw(s views.State, of scatterOf, f *scatter, width, height int) []string {
	names := p.versions.names()
	shown, heads := []*profile.Density{f.now}, []string{names.now + " ↑, " + names.before + " →"}
	if f.before != nil {
		if heads = []string{names.now}; width >= leastBoth {
			shown, heads = []*profile.Density{f.before, f.now}, []string{names.before, names.now}
		}
	}
	across, upwards := draw.Span{Low: f.x.Low, High: f.x.High}, draw.Span{Low: f.y.Low, High: f.y.High}
	part := width / len(shown)
	plots := make([]*draw.Plot, len(shown))
	for i := range plots {
		// lines for a heading, the axis, its values and the legend
		if plots[i] = draw.NewPlot(across, upwards, part-1, height-4); plots[i] == nil {
			return strings.Split(s.Sentence("The plot needs more room: z zooms this pane.", width, height), "\n")
		}
	}
	pictures := *p.drawn.Look(pictureOf{f, len(plots[0].Cells[0]), len(plots[0].Cells), len(plots) > 1}, func() (all []picture) {
		for i, density := range shown {
			all = append(all, pictured(density, len(plots[i].Cells), len(plots[i].Cells[0])))
		}
		return all
	})
	most, drawn := 1, ""
	for _, picture := range pictures {
		for _, row := range picture {
			most = max(most, slices.Max(row))
		}
	}
	for i, plot := range plots {
		pictures[i].fill(s, plot, most, of.x == of.y)
		lines := append([]string{s.Faint.Fit(strings.Repeat(" ", draw.PlotAxis+2)+heads[i], part)},
			plot.Lines(s.Theme, draw.AmountTicks, draw.AmountTicks)...)
		drawn = draw.SideBySide(drawn, i*part, strings.Join(lines, "\n"))
	}
	return append(strings.Split(drawn, "\n"), s.Faint.Fit(scatterLegend(f, most), width))
}

// pictured adds the bins of a density up to cells, from the bottom up.
func pictured(d *profile.Density, lines, columns int) picture {
	out := make(picture, lines)
	for i := range out {
		out[i] = make([]int, columns)
	}
	for row, parts := range d.Records {
		for column, n := range parts {
			out[row*lines/scatterRows][column*columns/scatterColumns] += n
		}
	}
	return out
}

// scatterLegend is the legend of a plot.
func scatterLegend(f *scatter, most int) string {
	legend := fmt.Sprintf(" · 1  ░ ▒ ▓  █ %s", wording.Counted(most, "record"))
	if f.now.Outside > 0 {
		legend += "; " + draw.Count(f.now.Outside) + " outside the plot"
	}
	if f.before == nil {
		legend += "  ╱ unchanged"
	}
	return legend
}

// scatterShades are the signs of a cell by number of records.
var scatterShades = [...]rune{' ', '·', '░', '▒', '▓', '█'}

// fill puts the signs of a picture into a plot. The line of equal values is visible in cells without records.
func (p picture) fill(s views.State, plot *draw.Plot, most int, equal bool) {
	for row := range p {
		for column, n := range p[row] {
			sign, style := scatterShades[scatterShade(n, most)], s.Fresh(&s.Bar)
			if equal && n == 0 && column*len(p)/len(p[row]) == row {
				sign, style = '╱', &s.Faint
			}
			plot.Put(len(p)-1-row, column, sign, style)
		}
	}
}

// scatterShade returns the shade of a number of records, on a logarithmic scale.
func scatterShade(n, most int) int {
	switch {
	case n == 0:
		return 0
	case n == 1 || most <= 1:
		return 1
	}
	return min(5, 2+int(3.999*math.Log(float64(n)/2)/math.Log(math.Max(2, float64(most)/2))))
}

func (p *NumericScatter) explain(s views.State) []views.Figure {
	f := p.found.Found(p.of(s))
	if f == nil {
		return nil
	}
	return []views.Figure{{Name: "Scatter plot",
		Value: wording.Counted(f.now.Inside, "record") + " in the plot, " + draw.Count(f.now.Outside) + " outside",
		Definition: "Each place shows its number of records: the darker, the more, on a logarithmic scale. A variable plotted " +
			"against its original shows the effect of a step: the diagonal is unchanged values, steps are groups with " +
			"one mean, a wide band is noise. The lowest and highest 0.5 % are left out, unless the tails are shown.",
		Formula: "number of records by place", Source: measure.SourceGuide}}
}
