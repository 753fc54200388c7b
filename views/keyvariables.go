package views

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// NewKeyVariables returns the pane of key variables: categories, the rarest
// category, missing and suppressed cells of each, as they are and as they were.
func NewKeyVariables() Pane {
	return &tablePane{id: "key-variables", title: "Key variables", enter: "inspect", content: keyVariableTable, figures: keyVariableFigures}
}

// keyVariableTable has one row per key variable, whose cursor is the selected
// variable.
func keyVariableTable(s State, _ int) Table {
	names := s.keys()
	t := Table{
		Columns: []Column{
			{Head: "variable", Least: 14},
			{Head: "categories", Short: "categ.", Kind: Pairs},
			{Head: "smallest", Kind: Pairs, Rank: 2, Yields: true},
			{Head: "missing", Kind: Counts, Size: 9, Least: 7, Rank: 3},
			{Head: "suppressed", Short: "suppr.", Kind: Counts, Size: 7, Rank: 1},
		},
		Rows:    len(names),
		Row:     func(row int) []Cell { return keyVariableRow(s, names[row]) },
		Follows: true, Selected: slices.Index(names, s.Selected.Variable),
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
	if len(names) == 0 {
		t.Instead = "No key variable is chosen. Press v and mark with k the variables an intruder may know."
	}
	return s.withVariableLabels(t, names)
}

func keyVariableRow(s State, name string) []Cell {
	now, before := categoriesOf(s.Current, name), categoriesOf(s.Original, name)
	if now == nil || before == nil {
		return []Cell{{Text: name + " is not in the file", Style: &s.Theme.Error}}
	}
	column, _ := s.Current.Data.Column(name)
	style, sign := &s.Theme.Plain, changeMark(column)
	if sign == "" {
		sign = " "
	} else {
		style = &s.Theme.Changed
	}
	suppressed, blanks := &s.Theme.Faint, column.SuppressedCount()
	if blanks > 0 {
		suppressed = &s.Theme.Suppressed
	}
	return []Cell{
		{Text: name, Tail: sign, Style: style},
		{Text: Count(now.Occurring()), Was: Count(before.Occurring()), Style: style},
		{Text: Count(now.Smallest()), Was: Count(before.Smallest()), Style: style},
		{Text: Count(now.Counts()[0])},
		{Text: Count(blanks), Style: suppressed},
	}
}

// both spells a figure with that of the original behind it: "8 (98)".
func both(now, before int) string { return Count(now) + " (" + Count(before) + ")" }

// keyVariableFigures explains the columns for the selected variable.
func keyVariableFigures(s State) []Figure {
	now, before := categoriesOf(s.Current, s.Selected.Variable), categoriesOf(s.Original, s.Selected.Variable)
	if now == nil || before == nil {
		return nil
	}
	name := Safe(shortened(s.Selected.Variable))
	return []Figure{
		{Name: "Categories of " + name, Value: both(now.Occurring(), before.Occurring()),
			Definition: "How many categories occur, missing values not counted; in brackets in the original data. The fewer the categories, the less rare are their combinations.",
			Formula:    "number of distinct values",
			Source:     measure.SourceTempl + ", chapter 3"},
		{Name: "Smallest category of " + name, Value: both(now.Smallest(), before.Smallest()),
			Definition: "The number of records of the rarest category. Who has a category of few records is easily singled out.",
			Formula:    "least number of records of a category that occurs",
			Source:     measure.SourceTempl + ", chapter 3"},
		{Name: "Suppressed cells of " + name, Value: Count(suppressedCells(s, s.Selected.Variable)),
			Definition: "Cells that a suppression made missing. Those that a recode left out or that were set to missing are not among them.",
			Formula:    "number of cells that are marked as suppressed",
			Values:     []string{"missing now: " + Count(now.Counts()[0]), "missing in the original: " + Count(before.Counts()[0])},
			Source:     measure.SourceTempl + ", section 4.2.2"},
	}
}
