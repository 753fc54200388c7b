package planning

import (
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/plan"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// planTable lists the plans of a frontier: information loss of the recodes in bits and in percent of detail, the
// information in all key variables; the cells suppressed afterwards with their lower bound; the records with
// suppressed cells; the global risk, green within its target; and the recodes.
func (d *Plans) table(s views.State) draw.Table {
	points, detail := d.now().Frontier, d.now().Detail
	if d.single {
		return d.recodeTable(s, points, detail)
	}
	return draw.Table{
		Columns: []draw.Column{
			{Head: "info loss", Kind: draw.Percents, Size: 6},
			{Head: "bits", Kind: draw.Counts, Rank: 3},
			{Head: "cells", Kind: draw.Counts, Size: 6},
			{Head: "lower bound", Kind: draw.Counts, Size: 6, Rank: 2},
			{Head: "records", Kind: draw.Counts, Rank: 4},
			{Head: "risk", Kind: draw.Percents, Size: 6, Rank: 1},
			{Head: "recodes", Size: 20, Most: 90, Least: 28},
		},
		Rows: len(points),
		Row: func(i int) []draw.Cell {
			p := points[i]
			bound := "–"
			if p.Bound != nil {
				bound = draw.Count(*p.Bound)
			}
			return []draw.Cell{{Share: p.Lost / detail, Style: &s.Theme.Strong},
				{Text: fmt.Sprintf("%.2f", p.Lost)},
				{Text: draw.Count(p.Cells), Style: &s.Theme.Suppressed}, {Text: bound}, {Text: draw.Count(p.Records)},
				d.risk(s, p), {Text: planText(s, p)}}
		},
	}
}

// risk returns the global risk after a plan, green within the target of the scenario.
func (d *Plans) risk(s views.State, p *plan.Point) draw.Cell {
	o := d.outcomes[p]
	switch {
	case o == nil:
		return draw.Cell{Text: "…", Style: &s.Faint}
	case o.risk <= d.scenario.GlobalRiskTarget():
		return draw.Cell{Share: o.risk, Style: &s.Theme.Low}
	}
	return draw.Cell{Share: o.risk, Style: &s.Theme.High}
}

// recodeTable lists single recodes: information loss, remaining violators, the reduction, and the global risk.
func (d *Plans) recodeTable(s views.State, points []*plan.Point, detail float64) draw.Table {
	return draw.Table{
		Columns: []draw.Column{
			{Head: "info loss", Kind: draw.Percents, Size: 6},
			{Head: "bits", Kind: draw.Counts, Rank: 3},
			{Head: "violators", Kind: draw.Counts, Size: 6},
			{Head: "change", Kind: draw.Counts, Size: 6, Rank: 2},
			{Head: "risk", Kind: draw.Percents, Size: 6, Rank: 1},
			{Head: "recode", Size: 20, Most: 90, Least: 28},
		},
		Rows: len(points),
		Row: func(i int) []draw.Cell {
			p := points[i]
			return []draw.Cell{{Share: p.Lost / detail, Style: &s.Theme.Strong}, {Text: fmt.Sprintf("%.2f", p.Lost)},
				{Text: draw.Count(p.Violators), Style: views.RiskStyle(s.Theme, p.Violators, s.Records())},
				{Text: draw.Signed(p.Violators - points[0].Violators), Style: &s.Theme.Low},
				d.risk(s, p), {Text: planText(s, p)}}
		},
	}
}

// planText names the recodes of a plan in one line.
func planText(s views.State, p *plan.Point) string {
	switch {
	case len(p.Steps) == 0 && p.Violators == 0:
		return "none needed"
	case len(p.Recodes) == 0:
		return "none"
	}
	var recoded []string
	for _, r := range p.Recodes {
		text := views.RecodeText(s, r)
		if !r.Removes {
			text = r.Variable + " " + text
		}
		recoded = append(recoded, draw.Safe(text))
	}
	return strings.Join(recoded, " · ")
}

// planStory describes a plan in at most height lines: its figures, the information loss and the suppressed cells
// of each variable, how many of these can be inferred, the global risk afterwards, and its steps.
func (d *Plans) planStory(s views.State, p *plan.Point, width, height int) []string {
	theme, detail := s.Theme, d.now().Detail
	var lines []string
	add := func(style *draw.Style, text string) {
		lines = append(lines, style.Wrapped(text, width)...)
	}
	lost := fmt.Sprintf("information loss %s, %.2f of %.2f bits", wording.Percent(p.Lost/detail), p.Lost, detail)
	for i, v := range p.Recodes {
		lost += [...]string{": ", ", "}[min(1, i)] + fmt.Sprintf("%s %s→%s (%.2f)", v.Variable, draw.Count(v.Before),
			draw.Count(v.After), v.Lost)
	}
	add(&theme.Plain, lost)
	violators := fmt.Sprintf("remaining violators of k = %d: %s", d.k, draw.Count(p.Violators))
	if p.Violators == 0 {
		violators = "no suppressed cells: recodes only"
	}
	if p.Cells > 0 {
		var cells []string
		for _, c := range p.Suppressed {
			if c.Count > 0 {
				cells = append(cells, c.Name+" "+draw.Count(c.Count))
			}
		}
		violators = wording.Counted(p.Cells, "suppressed cell") + " in " + wording.Counted(p.Records, "record") + ": " +
			strings.Join(cells, ", ")
	}
	add(&theme.Suppressed, violators)
	if o, target := d.outcomes[p], d.scenario.GlobalRiskTarget(); o != nil {
		if p.Cells > 0 {
			add(&theme.Plain, draw.Count(o.inferable)+" of the "+wording.Counted(p.Cells, "suppressed cell")+" can be inferred")
		}
		add(d.risk(s, p).Style, "global risk "+wording.PercentAgainst(o.risk, target)+", target "+wording.Limit(target))
	}
	lines = append(lines, "", theme.Heading.Fit(wording.Counted(len(p.Steps), "step"), width))
	for i := range p.Steps {
		lines = append(lines, planStep(s, fmt.Sprintf("%d  %s", i+1, p.Steps[i].Title), &p.Steps[i], width)...)
	}
	if len(lines) > height && height > 0 {
		lines = append(lines[:height-1], theme.Key.Fit("↓ "+draw.Count(len(lines)-height+1)+" more lines", width))
	}
	return lines
}

// planStep returns the title of a step of a plan, followed by the labels of its variables and categories, as far
// as there is room.
func planStep(s views.State, title string, step *plan.Step, width int) []string {
	const least = 12
	if room := width - draw.Width(title); room >= least && s.Current.Data != nil {
		if meant := s.MeantLines(method.Meanings(step.Method, s.Current.Data), room); len(meant) > 0 {
			return []string{s.Theme.Plain.Render(title) + meant[0]}
		}
	}
	return s.Theme.Plain.Wrapped(title, width)
}

// planPicture draws the frontier in exactly height lines: information loss to the right, cells upwards. It returns
// nil if there is no room for the axes.
func planPicture(s views.State, points []*plan.Point, chosen int, detail float64, single bool, width, height int) []string {
	f := planMap{heading: "suppressed cells", against: "by information loss", chosen: chosen}
	count, mostLost := func(p *plan.Point) float64 { return float64(p.Cells) }, 1e-9
	if single {
		f.heading, count = "violators", func(p *plan.Point) float64 { return float64(p.Violators) }
	}
	for _, p := range points {
		f.points, mostLost = append(f.points, draw.Point{X: p.Lost, Y: count(p)}), max(mostLost, p.Lost)
	}
	f.right, f.up = mostLost, max(1, count(points[0]))
	f.across = draw.TickText{Scale: 100 / max(detail, mostLost),
		Spell: draw.PercentTicks.Spell}
	f.upwards = draw.TickText{Scale: 1, Whole: true, Spell: func(x float64) string { return draw.Count(int(x)) }}
	return f.lines(s, width, height)
}

// planMap is a plot of the plans that are not dominated.
type planMap struct {
	heading, against string
	points, others   []draw.Point // others are dominated
	chosen           int
	right, up        float64 // ends of the axes
	across, upwards  draw.TickText
}

// lines draws a mark for each plan and another for the chosen one, and dots between neighbours or for each of the
// others.
func (f *planMap) lines(s views.State, width, height int) []string {
	p := draw.NewPlot(draw.Span{High: f.right}, draw.Span{High: f.up}, width, height-3)
	if p == nil {
		return nil
	}
	if len(f.points) > 1 && f.others == nil {
		p.Curve(f.points, true, &s.Faint)
	}
	for _, o := range f.others {
		p.Mark(o.X, o.Y, '·', &s.Faint)
	}
	for _, point := range f.points {
		p.Mark(point.X, point.Y, '●', nil)
	}
	p.Mark(f.points[f.chosen].X, f.points[f.chosen].Y, '◆', &s.Theme.Selected)
	return append([]string{s.Heading.Fit(" "+f.heading+" "+f.against, width)},
		p.Lines(s.Theme, f.across, f.upwards)...)
}
