package views

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
)

// NumericVariables is the pane of the variables of numbers: where their values lie, now
// and in the original, and how far they go together.
type NumericVariables struct {
	tablePane
	found map[knownPair]*numericFigures
}

// numericFigures are what is told of a variable.
type numericFigures struct {
	now, before *profile.Spread
	kept        float64 // correlation of the values with those of the original
}

var _ Seeker = (*NumericVariables)(nil)

// NewNumericVariables returns the pane of the variables of numbers.
func NewNumericVariables() *NumericVariables {
	p := &NumericVariables{tablePane: tablePane{id: "numeric-variables", title: "Numeric variables", enter: "inspect"}, found: map[knownPair]*numericFigures{}}
	p.content, p.figures = p.table, p.explain
	return p
}

// Seek looks at one variable after the other. What is known of columns that went away
// is forgotten.
func (p *NumericVariables) Seek(s State) func(ctx context.Context, budget time.Duration) (take func()) {
	names := numericVariables(s)
	for _, name := range names {
		of := pairOf(s, name)
		if p.found[of.known()] != nil {
			continue
		}
		return func(ctx context.Context, _ time.Duration) func() {
			found, err := figuresOf(ctx, of)
			return func() {
				if err != nil {
					return // cancelled
				}
				if len(p.found) > 4*len(names)+16 {
					clear(p.found)
				}
				p.found[of.known()] = found
			}
		}
	}
	return nil
}

func figuresOf(ctx context.Context, of columnPair) (*numericFigures, error) {
	f := &numericFigures{kept: 1}
	var err error
	if f.before, err = profile.NewSpread(ctx, of.before); err != nil {
		return nil, err
	}
	if f.now = f.before; of.now == of.before {
		if !(f.now.SD > 0) {
			f.kept = math.NaN() // none of a constant variable, or of none
		}
		return f, nil
	}
	if f.now, err = profile.NewSpread(ctx, of.now); err != nil {
		return nil, err
	}
	f.kept, err = profile.Correlation(ctx, of.now, of.before)
	return f, err
}

// table has one row per variable, whose cursor is the selected variable.
func (p *NumericVariables) table(s State, _ int) Table {
	names := numericVariables(s)
	if len(names) == 0 {
		return Table{Instead: noNumbers}
	}
	t := Table{
		Columns: []Column{
			{Head: "variable", Least: 8},
			{Head: "n", Kind: Counts, Rank: 7},
			{Head: "missing", Kind: Pairs, Rank: 6, Yields: true},
			{Head: "mean", Kind: Pairs},
			{Head: "sd", Kind: Pairs, Rank: 1},
			{Head: "minimum", Short: "min", Kind: Pairs, Rank: 8},
			{Head: "quartile 1", Short: "q1", Kind: Pairs, Rank: 5},
			{Head: "median", Short: "med.", Kind: Pairs, Rank: 3},
			{Head: "quartile 3", Short: "q3", Kind: Pairs, Rank: 4},
			{Head: "maximum", Short: "max", Kind: Pairs, Rank: 8},
			{Head: "r with original", Short: "r", Kind: Counts, Rank: 2},
		},
		Rows:    len(names),
		Row:     func(row int) []Cell { return p.row(s, names[row]) },
		Follows: true, Selected: slices.Index(names, numericVariable(s)),
		Choose: func(row int) Action { return SelectVariable{names[row]} },
		Open:   func(row int) Action { return ShowVariable{names[row]} },
		Foot: func(width, height int) []string {
			legend := s.markLegend(names)
			if legend == "" || height < 2 {
				return nil
			}
			return []string{"", s.Theme.Faint.Render(Fit(" "+legend, width))}
		},
	}
	return s.withVariableLabels(t, names)
}

func (p *NumericVariables) row(s State, name string) []Cell {
	of := pairOf(s, name)
	style, f := &s.Theme.Plain, p.found[of.known()]
	if changeMark(of.now) != "" {
		style = &s.Theme.Changed
	}
	cells := []Cell{{Text: name, Tail: changeMark(of.now), Style: style}}
	if f == nil {
		return append(cells, Cell{}, Cell{}, Cell{Text: "…", Style: &s.Theme.Faint}, Cell{}, Cell{}, Cell{}, Cell{}, Cell{}, Cell{}, Cell{})
	}
	pair := func(now, before float64) Cell {
		return Cell{Text: shortFigure(now), Was: shortFigure(before), Style: style}
	}
	r := "–"
	if !math.IsNaN(f.kept) {
		r = correlationText(f.kept)
	}
	return append(cells, Cell{Text: Count(f.now.Count), Style: style}, Cell{Text: Count(f.now.Missing), Was: Count(f.before.Missing), Style: style},
		pair(f.now.Mean, f.before.Mean), pair(f.now.SD, f.before.SD), pair(f.now.Least, f.before.Least), pair(f.now.Q1, f.before.Q1),
		pair(f.now.Median, f.before.Median), pair(f.now.Q3, f.before.Q3), pair(f.now.Most, f.before.Most), Cell{Text: r, Style: style})
}

// explain explains the figures of the selected variable.
func (p *NumericVariables) explain(s State) []Figure {
	name := numericVariable(s)
	f := p.found[pairOf(s, name).known()]
	if f == nil {
		return nil
	}
	name = Safe(shortened(name))
	records := []string{wording.Counted(f.now.Count, "record") + " with a number, " + Count(f.now.Missing) + " without", "original " + Count(f.before.Count) + " and " + Count(f.before.Missing)}
	return []Figure{
		{Name: "Mean of " + name, Value: figure(f.now.Mean) + " (" + figure(f.before.Mean) + ")", Definition: "Of the records with a number, each counting once; the original in brackets. Masking that keeps means leaves estimates of totals usable.",
			Formula: "Σ x / n", Values: records, Source: measure.SourceGuide},
		{Name: "Standard deviation of " + name, Value: figure(f.now.SD) + " (" + figure(f.before.SD) + ")", Definition: "The spread about the mean. Groups that share a mean have less of it, noise has more.",
			Formula: "√(Σ (x - mean)² / (n - 1))", Values: records, Source: measure.SourceGuide},
		{Name: "Quartiles of " + name, Value: figure(f.now.Q1) + ", " + figure(f.now.Median) + ", " + figure(f.now.Q3), Definition: "A quarter, half and three quarters of the records with a number lie below; between two records by their distance.",
			Formula: "x at (n - 1) p + 1 in ascending order", Values: []string{"original " + figure(f.before.Q1) + ", " + figure(f.before.Median) + ", " + figure(f.before.Q3)}, Source: measure.SourceGuide},
		{Name: "Correlation of " + name + " with the original", Value: correlationText(f.kept), Definition: "How far the values of the records go with those that the same records had: 1 is up to scale and level unchanged. " +
			"High is good for analyses of records and bad for protection: who knows the original finds the record.",
			Formula: "cov(x', x) / (sd(x') sd(x)), records with both numbers", Values: records, Source: measure.SourceGuide},
	}
}
