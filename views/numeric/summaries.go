package numeric

import (
	"context"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// NumericVariables is the pane of the numeric variables: summaries of their values, now and in the original, and
// the correlation of both.
type NumericVariables struct {
	views.TablePane
	figures pairFigures[*numericFigures]
	marked  map[string]bool // variables to mask together
}

// numericFigures are the figures of a variable.
type numericFigures struct {
	now, before *profile.Spread
	kept        float64 // correlation of current and original values
}

var _ views.Seeker = (*NumericVariables)(nil)

// NewNumericVariables returns the pane of the numeric variables.
func NewNumericVariables() *NumericVariables {
	p := &NumericVariables{TablePane: views.TablePane{PaneID: "numeric-variables", Heading: "Numeric variables",
		Enter: "inspect"}}
	p.marked = map[string]bool{}
	p.Content, p.Explained, p.Titled = p.table, p.explain, p.titled
	p.Actions = func() []views.KeyAction {
		return []views.KeyAction{views.EmitsFrom("space", "mark", func(s views.State) draw.Action {
			names, name := numericVariables(s), numericVariable(s)
			if name == "" {
				return draw.Handled{}
			}
			p.marked[name] = !p.marked[name]
			return views.SelectVariable{Name: names[min(slices.Index(names, name)+1, len(names)-1)]}
		})}
	}
	return p
}

// Marked returns the marked variables in the order of the file.
func (p *NumericVariables) Marked(s views.State) []string {
	var marked []string
	for _, name := range numericVariables(s) {
		if p.marked[name] {
			marked = append(marked, name)
		}
	}
	return marked
}

// Meant returns the marked variables, or the current one if none is marked, or none if the file has no numeric
// variable.
func (p *NumericVariables) Meant(s views.State) []string {
	marked := p.Marked(s)
	if name := numericVariable(s); len(marked) == 0 && name != "" {
		return []string{name}
	}
	return marked
}

// titled returns the title with the number of records that the last masking step left unchanged.
func (p *NumericVariables) titled(s views.State) string {
	steps := s.Standing()
	for i := len(steps) - 1; i >= 0; i-- {
		if report := steps[i].Report; report != nil && report.Unmasked != nil && report.Unmasked.Keeping > 0 {
			return p.Heading + " · step " + draw.Count(i+1) + " left " + wording.Counted(report.Unmasked.Keeping, "record") +
				" without a value"
		}
	}
	return p.Heading
}

// Known returns the number of variables with known figures.
func (p *NumericVariables) Known() int { return len(*p.figures.Last()) }

// Seek computes the figures of one variable after the other.
func (p *NumericVariables) Seek(s views.State) views.Piece {
	var wanted []profile.Versions
	for _, name := range numericVariables(s) {
		wanted = append(wanted, versionsOf(s, name))
	}
	return p.figures.seek(wanted, figuresOf)
}

func figuresOf(ctx context.Context, of profile.Versions) (*numericFigures, error) {
	now, before, err := of.Spreads(ctx)
	f := &numericFigures{now, before, 1}
	switch {
	case err != nil:
	case of.Now != of.Before:
		f.kept, err = correlation(ctx, of)
	case !(now.SD > 0):
		f.kept = math.NaN() // a constant has no correlation
	}
	return f, err
}

// table has one row per variable; its cursor is the selected variable.
func (p *NumericVariables) table(s views.State, _ int) draw.Table {
	names := numericVariables(s)
	if len(names) == 0 {
		return draw.Table{Instead: noNumbers}
	}
	t := draw.Table{
		Columns: []draw.Column{
			{Head: "variable", Least: 8},
			{Head: "n", Kind: draw.Counts, Rank: 7},
			{Head: "missing", Kind: draw.Pairs, Rank: 6, Yields: true},
			{Head: "mean", Kind: draw.Pairs},
			{Head: "sd", Kind: draw.Pairs, Rank: 1},
			{Head: "min", Kind: draw.Pairs, Rank: 8},
			{Head: "Q1", Kind: draw.Pairs, Rank: 5},
			{Head: "median", Kind: draw.Pairs, Rank: 3},
			{Head: "Q3", Kind: draw.Pairs, Rank: 4},
			{Head: "max", Kind: draw.Pairs, Rank: 8},
			{Head: "r now/orig.", Kind: draw.Counts, Rank: 2},
		},
		Row: func(row int) []draw.Cell { return p.row(s, names[row]) },
		Foot: func(width, height int) []string {
			return append(s.Footnote(s.MarkLegend(names))(width, height), passedOver(s, width)...)
		},
	}
	return s.OfVariables(t, names, numericVariable(s))
}

// passedOver returns lines on the records that applied steps left unchanged because a value is missing.
func passedOver(s views.State, width int) (lines []string) {
	for i, step := range s.Standing() {
		if step.Report != nil && step.Report.Unmasked != nil {
			text := "step " + draw.Count(i+1) + ": " + draw.Safe(step.Report.Unmasked.String())
			lines = append(lines, s.Warning.Indented(text, 1, width)...)
		}
	}
	return lines
}

func (p *NumericVariables) row(s views.State, name string) []draw.Cell {
	of := versionsOf(s, name)
	style, f := &s.Plain, p.figures.of(of)
	if draw.ChangeMark(of.Now) != "" {
		style = &s.Changed
	}
	title := draw.Cell{Text: name, Tail: draw.ChangeMark(of.Now), Style: style}
	if p.marked[name] {
		title.Tail += "✓"
	}
	if f == nil {
		return []draw.Cell{title, {}, {}, {Text: "…", Style: &s.Faint}, {}, {}, {}, {}, {}, {}, {}}
	}
	pair := func(now, before float64) draw.Cell {
		texts := draw.ShortFigures(now, before)
		return draw.Cell{Text: texts[0], Was: texts[1], Style: style}
	}
	r := "–"
	if !math.IsNaN(f.kept) {
		r = correlationText(f.kept)
	}
	return []draw.Cell{title, {Text: draw.Count(f.now.Count), Style: style},
		{Text: draw.Count(f.now.Missing), Was: draw.Count(f.before.Missing), Style: style},
		pair(f.now.Mean, f.before.Mean), pair(f.now.SD, f.before.SD), pair(f.now.Least, f.before.Least),
		pair(f.now.Q1, f.before.Q1),
		pair(f.now.Median, f.before.Median), pair(f.now.Q3, f.before.Q3), pair(f.now.Most, f.before.Most),
		{Text: r, Style: style}}
}

// explain explains the figures of the selected variable.
func (p *NumericVariables) explain(s views.State) []views.Figure {
	name := numericVariable(s)
	f := p.figures.of(versionsOf(s, name))
	if f == nil {
		return nil
	}
	records := []string{wording.Counted(f.now.Count, "record") + " with a value, " + draw.Count(f.now.Missing) +
		" without", "original " + draw.Count(f.before.Count) + " and " + draw.Count(f.before.Missing)}
	return []views.Figure{
		{Name: "Mean of " + name, Value: draw.FigureText(f.now.Mean) + " (" + draw.FigureText(f.before.Mean) + ")",
			Definition: "Unweighted mean of the records with a value; the original in brackets. Masking that preserves means keeps " +
				"estimates of totals usable.",
			Formula: "Σ x / n", Values: records, Source: measure.SourceGuide},
		{Name: "Standard deviation of " + name, Value: draw.FigureText(f.now.SD) + " (" + draw.FigureText(f.before.SD) + ")",
			Definition: "Spread around the mean. Microaggregation reduces it; noise increases it.",
			Formula:    "√(Σ (x - mean)² / (n - 1))", Values: records, Source: measure.SourceGuide},
		{Name: "Quartiles of " + name, Value: draw.FigureText(f.now.Q1) + ", " + draw.FigureText(f.now.Median) + ", " +
			draw.FigureText(f.now.Q3),
			Definition: "Values below which a quarter, half and three quarters of the records lie, interpolated between two records.",
			Formula:    "x at (n - 1) p + 1 in ascending order",
			Values: []string{"original " + draw.FigureText(f.before.Q1) + ", " + draw.FigureText(f.before.Median) + ", " +
				draw.FigureText(f.before.Q3)}, Source: measure.SourceGuide},
		{Name: "Correlation of " + name + " with the original", Value: correlationText(f.kept),
			Definition: "Correlation of each record's value with its original value: 1 means unchanged up to location and scale. " +
				"A high correlation helps record-level analysis but weakens protection: an intruder who knows the original " +
				"value can find the record.",
			Formula: "cov(x', x) / (sd(x') sd(x)), records with both values", Values: records, Source: measure.SourceGuide},
	}
}
