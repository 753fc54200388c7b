package session

import (
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// newlyMissing counts, for each of the variables in their order, the cells
// that have a value before and none after.
func newlyMissing(before, after *microdata.Dataset, variables []string) method.Cells {
	cells := make(method.Cells, len(variables))
	for i, name := range variables {
		cells[i].Variable = name
		was, known := before.Column(name)
		is, still := after.Column(name)
		if !known || !still || was == is || was.Len() != is.Len() {
			continue
		}
		for record := range was.Len() {
			if is.Missing(record) && !was.Missing(record) {
				cells[i].Count++
			}
		}
	}
	return cells
}
