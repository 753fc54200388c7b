package draw

import (
	"sort"
)

// HeatMap is a square table of figures with a shade for each. Rows are the original categories, columns the new
// ones.
type HeatMap struct {
	Labels []string
	Size   int // width of the widest figure
	Text   func(row, column int) string
	Shade  func(row, column int) float64 // 0 to 1
	Marks
}

// heatEnds are the upper ends of the shades except the last: 0 is faint, shares above one half are strongest.
var heatEnds = [...]float64{0, 0.02, 0.06, 0.15, 0.5}

// Table returns the map as a table with a cursor of cells.
func (h *HeatMap) Table(s Look, c *Cursor, width int) Table {
	labels, cell := h.sizes(width)
	corner := "from ↓ to →"
	if Width(corner) > labels {
		corner = "↓ →"
	}
	return Table{
		Columns: []Column{{Head: corner, Size: labels, Most: labels}},
		Rows:    len(h.Labels),
		Row: func(row int) []Cell {
			style := &s.Plain
			switch {
			case h.Wrong != nil && h.Wrong(row):
				style = &s.Error
			case row == c.At:
				style = &s.Strong
			}
			return []Cell{{Text: h.Labels[row], Style: style}}
		},
		Sideways: &ColumnScroll{Columns: len(h.Labels), Shaded: true,
			Cell: func(row, column int) Cell { return h.cell(s.Theme, row, column) },
			Column: func(column int) Column {
				return Column{Head: h.Labels[column], Kind: Counts, Size: cell, Least: cell}
			}},
	}
}

func (h *HeatMap) cell(theme *Theme, row, column int) Cell {
	if h.Forbidden != nil && h.Forbidden(row, column) {
		return Cell{Text: "×", Style: &theme.Suppressed}
	}
	return Cell{Text: h.Text(row, column), Style: &theme.Heat[sort.SearchFloat64s(heatEnds[:], h.Shade(row, column))]}
}

// sizes returns the widths of the row labels and of the cells, which are wide enough for the figures and, if there
// is room, for the column labels.
func (h *HeatMap) sizes(width int) (labels, cell int) {
	longest := 4
	for _, label := range h.Labels {
		longest = max(longest, min(Widest, Width(Label(label))))
	}
	labels = min(longest, max(6, width/4))
	room := (width-2-labels)/max(1, len(h.Labels)) - 1
	return labels, max(h.Size, 4, min(longest, room, 14))
}

// Marks are the marks of a matrix while it is being edited.
type Marks struct {
	Forbidden func(row, column int) bool // nil: none
	Wrong     func(row int) bool         // rows that do not sum to 1; nil: none
}
