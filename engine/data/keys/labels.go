package keys

import (
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// missingLabel stands among the categories of a key for a variable without a value.
const missingLabel = "missing"

// Labels returns how a key reads in the columns that the table is of, "missing"
// where it has no value; some is false where it has none at all.
func (t *Table) Labels(columns []*microdata.Column, key int) (labels microdata.Combination, some bool) {
	labels = t.Reads(key,
		func(v int) (string, []microdata.Level) { return columns[v].Name(), columns[v].Categories().Levels })
	for v := range columns {
		some = some || t.Codes(v)[key] != 0
	}
	return labels, some
}

// Reads returns how a key reads, given the name and the categories of each variable of
// the table; "missing" where it has no value.
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
