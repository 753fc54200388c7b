package fileio

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// wants reports whether a variable is to be read.
func (f *Format) wants(name string) bool {
	return len(f.Columns) == 0 || slices.Contains(f.Columns, name)
}

// wantedAmong reports variables that are to be read and that the file does not
// have; the error wraps ErrFormat.
func (f *Format) wantedAmong(names []string) error {
	var absent []string
	for _, name := range f.Columns {
		if !slices.Contains(names, name) && !slices.Contains(names, f.Renamed[name]) {
			absent = append(absent, name)
		}
	}
	if len(absent) == 0 {
		return nil
	}
	return failure(ErrFormat, "%s to be read %s not in the file: %s; check the names", wording.Counted(len(absent), "variable"), wording.Verb(len(absent), "are"), quotedNames(absent))
}

// keep leaves the variables in the table that are to be read.
func (t *Table) keep(f *Format) {
	if len(f.Columns) == 0 {
		return
	}
	var names []string
	var kinds []microdata.Kind
	rows := make([][]string, len(t.Rows))
	for i, name := range t.Names {
		if !f.wants(name) {
			continue
		}
		names, kinds = append(names, name), append(kinds, t.Kinds[i])
		for row := range t.Rows {
			rows[row] = append(rows[row], t.Rows[row][i])
		}
	}
	t.Names, t.Kinds, t.Rows = names, kinds, rows
}
