package session

import (
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// suppressedCells counts, for each of the variables in their order, the cells
// that suppression made missing and that are so still. Cells that a recode left
// out or that were set to missing are none.
func suppressedCells(data *microdata.Dataset, variables []string) method.Cells {
	cells := make(method.Cells, len(variables))
	for i, name := range variables {
		cells[i].Variable = name
		if column, ok := data.Column(name); ok {
			cells[i].Count = column.SuppressedCount()
		}
	}
	return cells
}

// newlySuppressed counts the cells that a step suppressed. A step that takes
// records out or moves them suppresses none.
func newlySuppressed(before, after *microdata.Dataset, variables []string) method.Cells {
	cells := make(method.Cells, len(variables))
	for i, name := range variables {
		cells[i].Variable = name
		is, ok := after.Column(name)
		was, known := before.Column(name)
		if !ok || !known || was == is || !before.SameRecords(after) {
			continue
		}
		is.Suppressed().Each(func(record int) {
			if !was.Suppressed().Has(record) {
				cells[i].Count++
			}
		})
	}
	return cells
}

// newlyMissing counts, for each of the variables in their order, the cells that
// have a value in the source and none now, for whatever reason.
func newlyMissing(data *microdata.Dataset, variables []string) method.Cells {
	cells := make(method.Cells, len(variables))
	for i, name := range variables {
		cells[i].Variable = name
		column, ok := data.Column(name)
		if !ok || column.Source() == column {
			continue
		}
		source := column.Source()
		for record := range column.Len() {
			if column.Missing(record) && !source.Missing(record) {
				cells[i].Count++
			}
		}
	}
	return cells
}
