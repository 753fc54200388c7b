package views

import (
	"fmt"
	"slices"

	"charm.land/lipgloss/v2"

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
	fields := unsafeFields(variables, levels, width)
	first := unsafeTable(s, "unsafe cells", variables, fields, width)
	second := unsafeTable(s, "of "+Safe(shortened(chosen)), levels, fields, width)
	switch {
	case len(levels) == 0:
		return cutAt(s, first, width, height)
	case len(first)+1+len(second) <= height:
		return append(append(first, ""), second...)
	case categories:
		return cutAt(s, second, width, height)
	}
	if rest := height - len(first) - 1; rest >= 3 {
		return append(append(first, ""), cutAt(s, second, width, rest)...)
	}
	return cutAt(s, first, width, height)
}

// unsafeFields are the columns: the name, and one for each number of variables.
func unsafeFields(variables, levels []unsafeRow, width int) []field {
	fields := []field{{size: 12}}
	for d := range variables[0].before {
		fields = append(fields, field{head: fmt.Sprintf("in %d", d+1), right: true, size: 5, rank: d + 1})
	}
	for _, row := range slices.Concat(variables, levels) {
		fields[0].size = max(fields[0].size, min(24, Width(row.name)))
		for d := range row.before {
			fields[d+1].size = max(fields[d+1].size, Width(row.text(d)))
		}
	}
	fields[0].least = 8
	arrange(fields, width-1)
	spread(fields, width-1)
	return fields
}

// text is "12 → 0", or one number where nothing changes.
func (r unsafeRow) text(dimension int) string {
	if r.before[dimension] == r.after[dimension] {
		return Count(r.before[dimension])
	}
	return Count(r.before[dimension]) + " → " + Count(r.after[dimension])
}

func unsafeTable(s State, head string, rows []unsafeRow, fields []field, width int) []string {
	fields = slices.Clone(fields)
	fields[0].head = head
	lines := []string{headings(s, fields, 1, width)}
	for _, row := range rows {
		l := newLine(width, nil)
		l.gap(1)
		l.left(&s.Theme.Plain, row.name, fields[0].size)
		for d := range row.before {
			f := fields[d+1]
			if f.size == 0 {
				continue
			}
			style := &s.Theme.Low
			switch {
			case row.before[d] == 0 && row.after[d] == 0:
				style = &s.Theme.Faint
			case row.after[d] > 0:
				style = &s.Theme.High
			}
			l.gap(1)
			l.right(unsafeStyle(s, style), row.text(d), f.size)
		}
		lines = append(lines, l.String())
	}
	return lines
}

func unsafeStyle(s State, style *lipgloss.Style) *lipgloss.Style {
	if s.Stale {
		return &s.Theme.Faint
	}
	return style
}

// cutAt cuts lines at a height and says how many are left out.
func cutAt(s State, lines []string, width, height int) []string {
	if len(lines) <= height {
		return lines
	}
	more := fmt.Sprintf(" … %s more", Count(len(lines)-height+1))
	return append(slices.Clip(lines[:height-1]), s.Theme.Faint.Render(Fit(more, width)))
}
