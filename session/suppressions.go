package session

import (
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// newlySuppressed counts the cells that a step suppressed, none for a step that removes or moves records.
func newlySuppressed(before, after *microdata.Dataset, variables []string) method.Counts {
	cells := make(method.Counts, len(variables))
	for i, name := range variables {
		cells[i].Name = name
		is, ok := after.Column(name)
		was, known := before.Column(name)
		if ok && known && after.Grouped() { // rows may have been split
			cells[i].Count = max(0, is.SuppressedCount()-was.SuppressedCount())
			continue
		}
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
