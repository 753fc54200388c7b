package views

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// MostLooked is the number of rows that are looked at to see what those of a table are
// like, at each frame: a table may have one for each of very many categories.
const MostLooked = 200

// TableOf is a table of a measure as a table of the screen: numbers on the right. What
// the variables are that its rows name stands in a column; where rows name several,
// under the table for the row with the cursor.
func (s State) TableOf(t *measure.Table, at int) draw.Table {
	columns, first := make([]draw.Column, len(t.Columns)), t.Rows[:min(len(t.Rows), MostLooked)]
	for c, head := range t.Columns {
		columns[c] = draw.Column{Head: head, Kind: draw.Words, Most: 40}
		if c > 0 {
			columns[c].Rank = c
		}
		for _, row := range first {
			switch row[c].(type) {
			case int, float64, measure.Percent, measure.Expected:
				columns[c].Kind = draw.Values
			case microdata.Combination: // a key has one of each key variable
				columns[c].Most, columns[c].Least = 120, 20
			}
		}
	}
	table := draw.Table{Columns: columns, Rows: len(t.Rows), None: "it has no rows", Row: func(row int) []draw.Cell {
		cells := make([]draw.Cell, len(t.Columns))
		for c, value := range t.Rows[row] {
			cells[c].Text = s.MeasuredText(value)
		}
		return cells
	}}
	if !slices.ContainsFunc(first, func(row []any) bool { return len(s.namedIn(row)) > 1 }) {
		return s.WithLabels(table, len(first), func(row int) string { return strings.Join(s.namedIn(t.Rows[row]), "") })
	}
	table.Status = func(width int) []string {
		if at >= len(t.Rows) {
			return nil
		}
		return []string{s.Faint.Fit(strings.TrimPrefix(s.Meanings(s.namedIn(t.Rows[at])...), " ·"), width)}
	}
	return table
}

// namedIn returns the variables that a row of a table names.
func (s State) namedIn(row []any) (names []string) {
	for _, cell := range row {
		if name, ok := cell.(string); ok && s.Current.Column(name) != nil {
			names = append(names, name)
		}
	}
	return names
}

// MeasuredText spells a cell of a table of a measure, of categories with what they mean.
func (s State) MeasuredText(cell any) string {
	if categories, ok := cell.(microdata.Combination); ok {
		return draw.Safe(s.WithMeanings(categories))
	}
	return draw.Safe(measure.CellText(cell))
}
