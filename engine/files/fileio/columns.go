package fileio

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

const mostVariables = statfile.MostVariables

// checkNumber returns an error that wraps ErrLimit if a file has too many variables.
func checkNumber(variables int) error {
	if variables > mostVariables {
		return failure(ErrLimit, "the file exceeds %s variables, the limit; check the delimiter",
			wording.Number(mostVariables))
	}
	return nil
}

// checkNames returns an error that wraps ErrLimit if there are too many variables or a name is too long.
func checkNames(spelled []string) error {
	for i, name := range spelled {
		if utf8.RuneCountInString(name) > statfile.MostName {
			return failure(ErrLimit,
				"the name of variable %s exceeds %s characters, the limit; check the file type",
				wording.Number(i+1), wording.Number(statfile.MostName))
		}
	}
	return checkNumber(len(spelled))
}

// wants reports whether a variable is selected for reading.
func (f *Format) wants(name string) bool {
	return len(f.Columns) == 0 || slices.Contains(f.Columns, name) || name == f.Count && name != ""
}

// wantedAmong returns an error that wraps ErrFormat if a selected variable is not in the file.
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
	advice := "check the names"
	if at := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, absent[0]) }); at >= 0 {
		advice = "did you mean " + quotedName(names[at])
	}
	return failure(ErrFormat, "%s to read %s not in the file: %s; %s", wording.Counted(len(absent), "variable"),
		wording.Verb(len(absent), "are"), quotedNames(absent), advice)
}

// Described returns the description of a variable from the file or its codebook.
func (t *Table) Described(variable int) microdata.Description {
	if t.said == nil || t.said[variable] == nil {
		return microdata.Description{}
	}
	return *t.said[variable]
}

// kept returns the table of the selected variables, with the table of all in All.
func (t *Table) kept(f *Format) *Table {
	if len(f.Columns) == 0 {
		return t
	}
	out := &Table{Rows: make([][]string, len(t.Rows)), Warnings: t.Warnings, All: t}
	for i, name := range t.Names {
		if !f.wants(name) {
			continue
		}
		d := t.Described(i)
		out.Names, out.Kinds, out.said = append(out.Names, name), append(out.Kinds, t.Kinds[i]), append(out.said, &d)
		for row, cells := range t.Rows {
			cell := ""
			if i < len(cells) {
				cell = cells[i]
			}
			out.Rows[row] = append(out.Rows[row], cell)
		}
	}
	return out
}
