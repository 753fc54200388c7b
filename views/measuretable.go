package views

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// MostExamined is the number of rows examined at each frame to determine the properties of a table, which can have a
// row for each of very many categories.
const MostExamined = 200

// TableOf returns a table of a measure as a table of the screen, with numbers on the right and bars before drawn
// figures, the original behind. If each row names one variable, the labels of the variables are a column; if a row
// names several, the labels for the row under the cursor are below the table. The last variable named in a row
// becomes the selected one.
func (s State) TableOf(t, original *measure.Table, c *draw.Cursor) draw.Table {
	columns, first := make([]draw.Column, len(t.Columns)), t.Rows[:min(len(t.Rows), MostExamined)]
	amounts := make([]map[int]string, len(t.Columns))
	for c, head := range t.Columns {
		if len(t.Rows) <= MostExamined {
			amounts[c] = t.AmountsOf(c)
		}
		columns[c] = draw.Column{Head: head, Kind: draw.Words, Most: 40}
		if c > 0 {
			columns[c].Rank = c
		}
		for _, row := range first {
			switch row[c].(type) {
			case measure.Percent:
				columns[c].Kind = draw.Percents
			case int, float64, measure.ExpectedCount:
				columns[c].Kind = max(columns[c].Kind, draw.Values)
			case microdata.Combination: // a key pattern has a category of each key variable
				columns[c].Most, columns[c].Least = 120, 20
			}
		}
	}
	table := draw.Table{Columns: columns, Rows: len(t.Rows), None: "no rows", Row: func(row int) []draw.Cell {
		cells := make([]draw.Cell, len(t.Columns))
		for c, value := range t.Rows[row] {
			if percent, ok := value.(measure.Percent); ok {
				cells[c].Share = float64(percent) / 100
			} else {
				cells[c].Text = cmp.Or(amounts[c][row], s.measuredText(value))
			}
		}
		return cells
	}}
	if t.Drawn {
		s.withBars(&table, t, original)
	}
	table.Choose = func(row int) draw.Action {
		if names := s.namedIn(t.Rows[row]); len(names) > 0 {
			return SelectVariable{names[len(names)-1]}
		}
		return draw.Handled{}
	}
	if !slices.ContainsFunc(first, func(row []any) bool { return len(s.namedIn(row)) > 1 }) {
		return s.WithLabels(table, len(first), func(row int) string { return strings.Join(s.namedIn(t.Rows[row]), "") })
	}
	table.Status = func(width int) []string {
		return []string{s.Faint.Fit(strings.TrimPrefix(s.Meanings(s.namedIn(t.Rows[c.At])...), " ·"), width)}
	}
	return table
}

// withBars adds a column of bars before the numbers of the last column.
func (s State) withBars(table *draw.Table, t, original *measure.Table) {
	last, largest, before := len(t.Columns)-1, 0.0, map[string]float64{}
	number := func(row []any) float64 {
		if x := measure.CellNumber(row[last]); x > 0 {
			return x
		}
		return 0
	}
	for _, row := range t.Rows {
		largest = max(largest, number(row))
	}
	if original != nil {
		for _, row := range original.Rows {
			before[fmt.Sprint(row[:last]...)] = number(row)
			largest = max(largest, number(row))
		}
	}
	table.Columns[last].Rank = 0
	table.Columns = slices.Insert(table.Columns, last, draw.Column{Kind: draw.Bars})
	cells := table.Row
	table.Row = func(row int) []draw.Cell {
		of := t.Rows[row]
		return slices.Insert(cells(row), last, draw.Cell{Share: number(of) / max(largest, 1e-300),
			Had: before[fmt.Sprint(of[:last]...)] / max(largest, 1e-300), Style: &s.Bar})
	}
}

// namedIn returns the variables named in a row of a table.
func (s State) namedIn(row []any) (names []string) {
	for _, cell := range row {
		if name, ok := cell.(string); ok && s.Current.Column(name) != nil {
			names = append(names, name)
		}
	}
	return names
}

// measuredText returns the text of a cell of a measure's table, with labels for categories.
func (s State) measuredText(cell any) string {
	if categories, ok := cell.(microdata.Combination); ok {
		return s.WithMeanings(categories)
	}
	return measure.CellText(cell)
}
