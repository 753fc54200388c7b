package inference

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// revealed are the suppressed cells of a key variable that are inferred correctly, by row.
type revealed struct {
	variable string
	cells    map[uint32]revealedCell
}

type revealedCell struct {
	category   uint32
	determined bool // by something that determines it
}

// add adds the suppressed cell of a row. A cell that can be inferred already stays, and one that was inferred wrongly by something
// surer stays out.
func (r *revealed) add(t *target, row uint32, inferred, determined bool) {
	if r.cells == nil {
		r.cells = map[uint32]revealedCell{}
	}
	cell, known := r.cells[row]
	if known || !inferred {
		category, _ := t.category(t.cells[row])
		r.cells[row] = revealedCell{category, cell.determined || determined}
	}
}

// Filled returns the released data in which the suppressed cells of key variables that are inferred correctly, exactly or
// probably, have their categories, and the number of these cells: those alone that Inferred.Determines if determined, else
// all. The data must be those of in.Current in Find; rows are records. Without the original nothing is inferred correctly,
// and nothing is filled.
func (r *Result) Filled(data *microdata.Dataset, determined bool) (filled *microdata.Dataset, cells int) {
	filled = data
	for _, of := range r.revealed {
		column, ok := data.Column(of.variable)
		if !ok || len(of.cells) == 0 {
			continue
		}
		was := column.Categories()
		codes := microdata.CodesOf(was.Codes.Between(0, column.Len()))
		for row, cell := range of.cells {
			if cell.determined || !determined {
				codes.Set(int(row), cell.category)
				cells++
			}
		}
		filled = filled.With(microdata.NewCategorical(of.variable, microdata.Category,
			&microdata.Categories{Levels: was.Levels, Codes: codes, Ordered: was.Ordered}))
	}
	return filled, cells
}
