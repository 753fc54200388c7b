package keys

import (
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// missingLabel is the label of a missing value in a key.
const missingLabel = "missing"

// Labels returns the labels of a key in the columns of the table, "missing" for a missing value; some is false if
// all values are missing.
func (t *Table) Labels(columns []*microdata.Column, key int) (labels microdata.Combination, some bool) {
	labels = t.Reads(key,
		func(v int) (string, []microdata.Level) { return columns[v].Name(), columns[v].Categories().Levels })
	for v := range columns {
		some = some || t.Codes(v)[key] != 0
	}
	return labels, some
}

// Reads returns the labels of a key, "missing" for a missing value; variable returns the name and the categories
// of variable v.
func (t *Table) Reads(key int, variable func(v int) (name string, levels []microdata.Level)) microdata.Combination {
	read := make(microdata.Combination, t.Variables())
	for v := range read {
		name, levels := variable(v)
		read[v] = microdata.CategoryOf{Variable: name, Label: missingLabel}
		if code := t.Codes(v)[key]; code != 0 {
			read[v].Label = levels[code-1].Label
		}
	}
	return read
}
