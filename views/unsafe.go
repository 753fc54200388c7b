package views

import (
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// unsafeRow is a variable or a category with its unsafe cells by the number of
// variables of the tables, before and after a step.
type unsafeRow struct {
	name          string
	before, after []int
}

// UnsafeCells draws the cells of few records in cross tables, by the number of
// their variables: those before a step and, where they differ, those after it.
// The variables come first and then the categories of the chosen one; where there
// is no room for both, categories tells which. It has at most height lines of
// width cells.
func UnsafeCells(s State, unsafe []method.UnsafeVariable, chosen string, categories bool, width, height int) []string {
	var variables, levels []unsafeRow
	for _, v := range unsafe {
		variables = append(variables, unsafeRow{Safe(v.Variable), v.Before, v.After})
		for _, c := range v.Categories {
			if v.Variable == chosen {
				levels = append(levels, unsafeRow{Safe(shortened(c.Category)), c.Before, c.After})
			}
		}
	}
	if len(variables) == 0 || height < 3 {
		return nil
	}
	columns := unsafeColumns(variables, levels)
	table := func(head string, rows []unsafeRow, height int) []string {
		t := Table{Columns: slices.Clone(columns), Rows: len(rows), Row: func(row int) []Cell { return rows[row].cells(s.Theme) }}
		t.Columns[0].Head = head
		return t.Lines(s, nil, width, min(height, len(rows)+1), false)
	}
	of := "of " + Safe(shortened(chosen))
	switch rest := height - len(variables) - 2; {
	case len(levels) > 0 && (rest >= 3 && !categories || rest > len(levels)):
		return append(append(table("unsafe cells", variables, height), ""), table(of, levels, rest)...)
	case len(levels) > 0 && categories:
		return table(of, levels, height)
	}
	return table("unsafe cells", variables, height)
}

// unsafeColumns are the columns of both tables: the name, and one for each number
// of variables.
func unsafeColumns(variables, levels []unsafeRow) []Column {
	columns := []Column{{Size: 12, Least: 8}}
	for d := range variables[0].before {
		columns = append(columns, Column{Head: fmt.Sprintf("in %d", d+1), Kind: Counts, Size: 5, Rank: d + 1})
	}
	for _, row := range slices.Concat(variables, levels) {
		columns[0].Size = max(columns[0].Size, min(widest, Width(row.name)))
		for d := range row.before {
			columns[d+1].Size = max(columns[d+1].Size, Width(row.text(d)))
		}
	}
	return columns
}

// cells returns the name and the counts of a row.
func (r unsafeRow) cells(theme *Theme) []Cell {
	cells := []Cell{{Text: r.name}}
	for d := range r.before {
		style := &theme.Low
		switch {
		case r.before[d] == 0 && r.after[d] == 0:
			style = &theme.Faint
		case r.after[d] > 0:
			style = &theme.High
		}
		cells = append(cells, Cell{Text: r.text(d), Style: style})
	}
	return cells
}

// text is "12 → 0", or one number where nothing changes.
func (r unsafeRow) text(dimension int) string {
	if r.before[dimension] == r.after[dimension] {
		return Count(r.before[dimension])
	}
	return Count(r.before[dimension]) + " → " + Count(r.after[dimension])
}
