package inference

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// revealedCells has the suppressed cells of a key variable that are inferred correctly, by row.
type revealedCells struct {
	variable string
	cells    map[uint32]revealedCell
}

type revealedCell struct {
	category   uint32
	determined bool // inferred from something that determines it
}

// add adds a correctly inferred cell, unless a surer trial has already inferred it wrongly. For a cell added
// before it only updates whether it is determined.
func (r *revealedCells) add(t *target, row uint32, inferred, determined bool) {
	if r.cells == nil {
		r.cells = map[uint32]revealedCell{}
	}
	cell, known := r.cells[row]
	if known || !inferred {
		category, _ := t.category(t.cells.at(row))
		r.cells[row] = revealedCell{category, cell.determined || determined}
	}
}

// Filled returns the released data with the correctly inferred suppressed cells of key variables filled in,
// whether inferred exactly or probably, and the number of these cells. If determined is set, it fills only cells
// with Inferred.Determines. data must be the data of in.Current in Find, with records as rows. Without the
// original no cell is known to be inferred correctly, and none is filled.
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
