package keys

import "github.com/sdcdesk/sdcdesk/engine/microdata"

// missingLabel stands among the labels of a key for a variable without a value.
const missingLabel = "missing"

// Labels returns how a key reads in the columns that the table is of, "missing"
// where it has no value; some is false where it has none at all.
func (t *Table) Labels(columns []*microdata.Column, key int) (labels []string, some bool) {
	labels = make([]string, len(columns))
	for v, column := range columns {
		labels[v] = missingLabel
		if code := t.Codes(v)[key]; code != 0 {
			labels[v], some = column.Categories().Levels[code-1].Label, true
		}
	}
	return labels, some
}
