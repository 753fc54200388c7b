package views

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// mostLooked is the number of rows that are looked at to see what those of a table are
// like, at each frame: a table may have one for each of very many categories.
const mostLooked = 200

// TableOf is a table of a measure as a table of the screen: numbers on the right. What
// the variables are that its rows name stands in a column; where rows name several,
// under the table for the row with the cursor.
func (s State) TableOf(t *measure.Table, at int) Table {
	columns, first := make([]Column, len(t.Columns)), t.Rows[:min(len(t.Rows), mostLooked)]
	for c, head := range t.Columns {
		columns[c] = Column{Head: head, Kind: Words, Most: 40}
		if c > 0 {
			columns[c].Rank = c
		}
		for _, row := range first {
			switch row[c].(type) {
			case int, float64, measure.Percent:
				columns[c].Kind = Values
			case microdata.Combination: // a key has one of each key variable
				columns[c].Most, columns[c].Least = 120, 20
			}
		}
	}
	table := Table{Columns: columns, Rows: len(t.Rows), None: "it has no rows", Row: func(row int) []Cell {
		cells := make([]Cell, len(t.Columns))
		for c, value := range t.Rows[row] {
			cells[c].Text = s.measuredText(value)
		}
		return cells
	}}
	if !slices.ContainsFunc(first, func(row []any) bool { return len(s.namedIn(row)) > 1 }) {
		return s.withLabels(table, len(first), func(row int) string { return strings.Join(s.namedIn(t.Rows[row]), "") })
	}
	table.Status = func(width int) []string {
		if at >= len(t.Rows) {
			return nil
		}
		return []string{s.Theme.Faint.Render(Fit(strings.TrimPrefix(s.meanings(s.namedIn(t.Rows[at])...), " ·"), width))}
	}
	return table
}

// namedIn returns the variables that a row of a table names.
func (s State) namedIn(row []any) (names []string) {
	for _, cell := range row {
		if name, ok := cell.(string); ok && s.Current.column(name) != nil {
			names = append(names, name)
		}
	}
	return names
}

// measuredText spells a cell of a table of a measure, of categories with what they mean.
func (s State) measuredText(cell any) string {
	if categories, ok := cell.(microdata.Combination); ok {
		return Safe(s.WithMeanings(categories))
	}
	return Safe(measure.CellText(cell))
}
