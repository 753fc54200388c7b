package numeric

import (
	"math"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// NumericCorrelations is the pane of the correlations of the numeric variables, now and in the original, shaded by
// their differences.
type NumericCorrelations struct {
	views.TablePane
	shows correlationShown
	found pairFigures[float64]
}

// correlationShown is which correlations the cells show.
type correlationShown int

const (
	correlationsNow correlationShown = iota
	correlationsBefore
	correlationsDifference
	correlationsShown
)

// mostCorrelated is the maximum number of variables in the table.
const mostCorrelated = 16

var _ views.Seeker = (*NumericCorrelations)(nil)

// NewNumericCorrelations returns the pane of correlations.
func NewNumericCorrelations() *NumericCorrelations {
	p := &NumericCorrelations{TablePane: views.TablePane{PaneID: "numeric-correlations", Heading: "Correlations",
		Move: views.KeyCells()}}
	p.Content, p.Actions, p.Titled, p.OfRow = p.table, p.keys, p.named, p.explain
	return p
}

func (p *NumericCorrelations) keys() []views.KeyAction {
	return []views.KeyAction{views.Handles("d", "switch now/original/difference",
		func() { p.shows = (p.shows + 1) % correlationsShown })}
}

func (p *NumericCorrelations) named(views.State) string {
	return p.Heading + [...]string{" now", ", original", ", now less original"}[p.shows]
}

// variables returns the variables of the table: the first ones, starting with the numeric key variables.
func (p *NumericCorrelations) variables(s views.State) []string {
	names := numericVariables(s)
	return names[:min(mostCorrelated, len(names))]
}

// wanted returns the pairs of columns to correlate.
func (p *NumericCorrelations) wanted(s views.State) (pairs []profile.Versions) {
	names := p.variables(s)
	for i, a := range names {
		for _, b := range names[:i+1] { // including itself, because a constant has no correlation
			x, y := versionsOf(s, a), versionsOf(s, b)
			pairs = append(pairs, profile.Versions{Now: x.Now, Before: y.Now})
			if x.Before != x.Now || y.Before != y.Now {
				pairs = append(pairs, profile.Versions{Now: x.Before, Before: y.Before})
			}
		}
	}
	return pairs
}

// Known returns the number of known correlations.
func (p *NumericCorrelations) Known() int { return len(*p.found.Last()) }

// Seek correlates as many pairs as time allows.
func (p *NumericCorrelations) Seek(s views.State) views.Piece {
	return p.found.seek(p.wanted(s), correlation)
}

// of returns the correlation of two variables, now and before; ok is false while it is not known.
func (p *NumericCorrelations) of(s views.State, a, b string) (now, before float64, ok bool) {
	x, y := versionsOf(s, a), versionsOf(s, b)
	known := func(a, b *microdata.Column) (float64, bool) {
		if r, ok := p.found.find(profile.Versions{Now: a, Before: b}); ok {
			return r, true
		}
		return p.found.find(profile.Versions{Now: b, Before: a})
	}
	now, one := known(x.Now, y.Now)
	before, other := known(x.Before, y.Before)
	return now, before, one && other
}

func (p *NumericCorrelations) table(s views.State, width int) draw.Table {
	names := p.variables(s)
	if len(names) < 2 {
		return draw.Table{Instead: "Correlations need two numeric variables."}
	}
	h := &draw.HeatMap{Labels: names, Size: 5,
		Text: func(row, column int) string { return p.text(s, names[row], names[column]) },
		Shade: func(row, column int) float64 {
			now, before, ok := p.of(s, names[row], names[column])
			if !ok || math.IsNaN(now-before) {
				return 0
			}
			return math.Max(1e-9, math.Abs(now-before)) // so that only unknown differences are faint
		}}
	t := h.Table(s.Look, &p.Cursor, width)
	t.Columns[0].Head = "r"
	t.Foot = s.Footnote("shading: change from the original")
	t.Status = func(width int) []string {
		row, column := p.Cursor.At, p.Cursor.Column
		now, before, ok := p.of(s, names[row], names[column])
		text := "counting …"
		if ok {
			text = correlationText(now) + " (" + correlationText(before) + ")"
		}
		whole := " " + names[row] + ", " + names[column] + ": " + text
		if ok && draw.Width(whole+", difference "+differenceText(now-before)) <= width {
			whole += ", difference " + differenceText(now-before)
		}
		return []string{s.Plain.Fit(whole+s.Meanings(names[row], names[column]), width)}
	}
	return t
}

func (p *NumericCorrelations) text(s views.State, a, b string) string {
	now, before, ok := p.of(s, a, b)
	switch {
	case !ok:
		return "…"
	case p.shows == correlationsBefore:
		return correlationText(before)
	case p.shows == correlationsDifference:
		return differenceText(now - before)
	}
	return correlationText(now)
}

// correlationText formats a correlation with two decimals, or with more if it would otherwise look like 1. A
// difference to 1 below 1e-12 is rounding error.
func correlationText(r float64) string {
	switch {
	case math.IsNaN(r):
		return "–"
	case math.Abs(r) < 1-1e-12 && math.Abs(r) >= 0.995:
		return strconv.FormatFloat(math.Trunc(r*1000)/1000, 'f', 3, 64)
	}
	text := strconv.FormatFloat(r, 'f', 2, 64)
	if text == "-0.00" {
		return "0.00"
	}
	return text
}

// differenceText formats a difference with its sign.
func differenceText(d float64) string {
	text := correlationText(d)
	if d > 0 && text != "0.00" {
		return "+" + text
	}
	return text
}

func (p *NumericCorrelations) explain(s views.State) []views.Figure {
	names := p.variables(s)
	a, b := names[p.Cursor.At], names[p.Cursor.Column]
	now, before, ok := p.of(s, a, b)
	if !ok {
		return nil
	}
	return []views.Figure{{Name: "Correlation of " + a + " and " + b,
		Value: correlationText(now) + " (" + correlationText(before) + ")",
		Definition: "Linear correlation over the records with both values; the original in brackets. Masking variables " +
			"separately weakens it; microaggregation of several variables together usually strengthens it. The shade " +
			"shows the difference, in steps above 0.02, 0.06, 0.15 and 0.5.",
		Formula: "cov(x, y) / (sd(x) sd(y))", Values: []string{"difference " + differenceText(now-before)},
		Source: measure.SourceGuide}}
}
