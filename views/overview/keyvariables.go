package overview

import (
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// NewKeyVariables returns the pane of key variables: number of categories, rarest category, missing and suppressed
// cells, now and in the original.
func NewKeyVariables() views.Pane {
	return &views.TablePane{PaneID: "key-variables", Heading: "Key variables", Enter: "inspect", Content: keyVariableTable,
		Explained: keyVariableFigures}
}

// keyVariableTable has one row per key variable; its cursor is the selected variable.
func keyVariableTable(s views.State, _ int) draw.Table {
	names := s.Keys()
	t := draw.Table{
		Columns: []draw.Column{
			{Head: "variable", Least: 14},
			{Head: "values", Kind: draw.Pairs},
			{Head: "rarest", Kind: draw.Pairs, Rank: 2, Yields: true},
			{Head: "missing", Kind: draw.Counts, Size: 9, Least: 7, Rank: 3},
			{Head: "suppressed", Kind: draw.Counts, Size: 7, Rank: 1},
		},
		Row:  func(row int) []draw.Cell { return keyVariableRow(s, names[row]) },
		Foot: s.Footnote(s.MarkLegend(names)),
	}
	if len(names) == 0 {
		t.Instead = "No key variable is chosen. Press v, then press k to mark the variables an intruder may know."
	}
	return s.OfVariables(t, names, s.Selected.Variable)
}

func keyVariableRow(s views.State, name string) []draw.Cell {
	c := s.Categories(name)
	if !c.Known() {
		return []draw.Cell{{Text: name + " is not in the file", Style: &s.Error}}
	}
	column, _ := s.Current.Data.Column(name)
	style, sign := &s.Plain, draw.ChangeMark(column)
	if sign == "" {
		sign = " "
	} else {
		style = &s.Changed
	}
	suppressed, suppressedCells := &s.Faint, column.SuppressedCount()
	if suppressedCells > 0 {
		suppressed = &s.Suppressed
	}
	return []draw.Cell{
		{Text: name, Tail: sign, Style: style},
		{Text: draw.Count(c.Now.Occurring()), Was: draw.Count(c.Before.Occurring()), Style: style},
		{Text: draw.Count(c.Now.Smallest()), Was: draw.Count(c.Before.Smallest()), Style: style},
		{Text: draw.Count(max(0, c.Now.Counts()[0]-suppressedCells))},
		{Text: draw.Count(suppressedCells), Style: suppressed},
	}
}

// nowAndOriginal formats a number with its original: "8 (98)".
func nowAndOriginal(now, before int) string { return draw.Count(now) + " (" + draw.Count(before) + ")" }

// keyVariableFigures explains the columns for the selected variable.
func keyVariableFigures(s views.State) []views.Figure {
	c := s.Categories(s.Selected.Variable)
	if !c.Known() {
		return nil
	}
	name := s.Selected.Variable
	return []views.Figure{
		{Name: "Categories of " + name, Value: nowAndOriginal(c.Now.Occurring(), c.Before.Occurring()),
			Definition: "Number of categories with at least one record, without missing values; the original in brackets. With fewer " +
				"categories, combinations are less rare.",
			Formula: "number of distinct values",
			Source:  measure.SourceTempl + ", chapter 3"},
		{Name: "Smallest category of " + name, Value: nowAndOriginal(c.Now.Smallest(), c.Before.Smallest()),
			Definition: "Number of records in the rarest category. A person in a rare category is easy to isolate.",
			Formula:    "smallest number of records of a category that occurs",
			Source:     measure.SourceTempl + ", chapter 3"},
		{Name: "Suppressed cells of " + name, Value: draw.Count(views.SuppressedCells(s, s.Selected.Variable)),
			Definition: "Suppressed cells, excluding cells that a recode or a missing-value code made missing.",
			Formula:    "number of suppressed cells",
			Values: []string{"missing or suppressed now: " + draw.Count(c.Now.Counts()[0]),
				"missing in the original: " + draw.Count(c.Before.Counts()[0])},
			Source: measure.SourceTempl + ", section 4.2.2"},
	}
}
