package inference

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// revealed are the suppressed cells of a key variable that are told rightly.
type revealed struct {
	variable         string
	rows, categories []uint32
}

// add adds the cell of a row that a target asks for; source categories are left out.
func (r *revealed) add(t *target, row uint32) {
	if category, suppressed := t.category(t.cells[row]); suppressed {
		r.rows, r.categories = append(r.rows, row), append(r.categories, category)
	}
}

// Filled returns the released data in which the suppressed cells of key variables that are
// told rightly, exactly or probably, have their categories, and the number of these cells.
// The data must be those of in.Current in Find; rows are records. Without the original
// nothing is told rightly, and nothing is filled.
func (r *Result) Filled(data *microdata.Dataset) (filled *microdata.Dataset, cells int) {
	filled = data
	for _, of := range r.revealed {
		column, ok := data.Column(of.variable)
		if !ok || len(of.rows) == 0 {
			continue
		}
		was := column.Categories()
		codes := microdata.CodesOf(was.Codes.Between(0, column.Len()))
		for i, row := range of.rows {
			codes.Set(int(row), of.categories[i])
		}
		filled = filled.With(microdata.NewCategorical(of.variable, microdata.Category,
			&microdata.Categories{Levels: was.Levels, Codes: codes, Ordered: was.Ordered}))
		cells += len(of.rows)
	}
	return filled, cells
}
