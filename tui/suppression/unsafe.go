package suppression

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// UnsafeCells draws the number of cells of cross tables with few records, by the number of variables: before a
// step and, if they differ, after it. The variables come first, then the categories of the chosen one; if there is
// no room for both, categories selects one. It has at most height lines of width cells.
func UnsafeCells(s views.State, unsafe []method.UnsafeVariable, chosen string, categories bool,
	width, height int) []string {
	// both have a name and its unsafe cells by number of variables in the tables
	var variables, levels []method.UnsafeCategory
	var names []string
	for _, v := range unsafe {
		names = append(names, v.Variable)
		variables = append(variables, method.UnsafeCategory{Category: v.Variable, Before: v.Before, After: v.After})
		if v.Variable == chosen {
			levels = slices.Clone(v.Categories)
		}
	}
	if len(variables) == 0 || height < 3 {
		return nil
	}
	for i := range levels {
		levels[i].Category = s.WithCode(chosen, levels[i].Category)
	}
	columns := unsafeColumns(variables, levels)
	table := func(head string, rows []method.UnsafeCategory, names []string, height int) []string {
		t := draw.Table{Columns: slices.Clone(columns), Rows: len(rows),
			Row: func(row int) []draw.Cell { return unsafeRow(s.Theme, &rows[row]) }}
		t.Columns[0].Head = head
		t = s.WithLabels(t, len(names), func(row int) string { return names[row] })
		return t.Lines(s.Look, nil, width, min(height, len(rows)+1), false)
	}
	of := "categories of " + draw.Safe(draw.Shortened(chosen))
	switch rest := height - len(variables) - 2; {
	case len(levels) > 0 && (rest >= 3 && !categories || rest > len(levels)):
		return append(append(table("unsafe combinations", variables, names, height), ""), table(of, levels, nil, rest)...)
	case len(levels) > 0 && categories:
		return table(of, levels, nil, height)
	}
	return table("unsafe combinations", variables, names, height)
}

// unsafeColumns returns the columns of both tables: the name, and one for each number of variables.
func unsafeColumns(variables, levels []method.UnsafeCategory) []draw.Column {
	columns := []draw.Column{{Size: 12, Least: 8}}
	for d := range variables[0].Before {
		columns = append(columns, draw.Column{Head: wording.CountedAs(d+1, "variable", "variables"), Kind: draw.Counts, Size: 5, Rank: d + 1})
	}
	for _, row := range slices.Concat(variables, levels) {
		columns[0].Size = max(columns[0].Size, min(draw.Widest, draw.Width(draw.Safe(draw.Shortened(row.Category)))))
		for d := range row.Before {
			columns[d+1].Size = max(columns[d+1].Size, draw.Width(unsafeText(&row, d)))
		}
	}
	return columns
}

// unsafeRow returns the name and the counts of a row: "12 → 0", or one number if nothing changes.
func unsafeRow(theme *draw.Theme, r *method.UnsafeCategory) []draw.Cell {
	cells := []draw.Cell{{Text: r.Category}}
	for d, before := range r.Before {
		style := &theme.Low
		switch after := r.After[d]; {
		case before == 0 && after == 0:
			style = &theme.Faint
		case after > 0:
			style = &theme.High
		}
		cells = append(cells, draw.Cell{Text: unsafeText(r, d), Style: style})
	}
	return cells
}

func unsafeText(r *method.UnsafeCategory, dimension int) string {
	if r.Before[dimension] == r.After[dimension] {
		return draw.Count(r.Before[dimension])
	}
	return draw.Count(r.Before[dimension]) + " → " + draw.Count(r.After[dimension])
}
