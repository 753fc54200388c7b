package recode

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Rename changes the label of one level of a variable. Its position stays the same.
type Rename struct {
	Variable string
	Level    string // current label
	Label    string // new label, without surrounding blanks; it must not be that of another level
}

// RenameSpec describes recode-rename for the catalog.
func RenameSpec() method.Spec {
	return method.Spec{
		Name:  "recode-rename",
		Title: "Renaming of a category",
		Help: "Changes the label of a category, such as a code into a word. Risk does not change. In SPSS and Stata files, " +
			"a category of a numeric variable keeps its code and gets the new label. If the new label is a number, it " +
			"replaces the code, and the old label is kept.",
		Cite:   "Templ (2017), Statistical Disclosure Control for Microdata, section 4.2.1",
		Key:    "r",
		Sample: `{"variable":"urbrur","level":"rural","label":"country"}`,
		New:    method.From(Rename{}),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Rename) Params() []method.Param {
	return []method.Param{
		variableParam(&m.Variable, microdata.RoleHousehold), // renaming is allowed
		method.Text(&m.Level, "level", "current label of the category").Needed().CategoryOf(&m.Variable),
		method.Text(&m.Label, "label", "new label").Needed(),
	}
}

// Regroup returns the mapping that keeps every level in place.
func (m *Rename) Regroup(in method.Input, target *microdata.Column) (r method.Regrouping, err error) {
	label := strings.TrimSpace(m.Label)
	if label == "" {
		return r, method.ParamError("\"label\" is empty: a category needs a label")
	}
	if _, err = placesOf(target, "level", m.Level); err == nil {
		r, err = (&Group{Variable: m.Variable, Levels: []string{m.Level}, Label: m.Label}).joining(target, "recode-rename")
	}
	r.Title, r.Done = fmt.Sprintf("rename %s: %s → %s", m.Variable, m.Level, label), "relabelled"
	return r, err
}

// labelledSo warns if a code other than levels already has the name as its label.
func labelledSo(target *microdata.Column, name string, levels ...string) []string {
	labels := target.Described().Labels
	for _, code := range slices.Sorted(maps.Keys(labels)) {
		if labels[code] == name && !slices.Contains(levels, code) {
			return []string{fmt.Sprintf("%s has the label %q in the file: two codes with the same label look like one category", code, name)}
		}
	}
	return nil
}

// renamed returns the description after one level was renamed. A number is a new code with the same meaning; any
// other name leaves the code as it is.
func renamed(target *microdata.Column, level, name string, r method.Regrouping) *microdata.Description {
	before, said := target.Categories().Levels, target.Description()
	if !levelOf(name).NumberLevel() {
		return said.Renamed(before, r.Levels, codesOf(target), r.Ordered)
	}
	was := target.Described()
	word := was.Labels[level]
	if _, called := was.CodeOf[level]; called && word == "" {
		word = level
	}
	said = said.Regrouped(before, r.Levels, r.Mapping, r.Ordered)
	if word == "" || name == level {
		return said
	}
	return said.WithLabels(map[string]string{name: word})
}

// codesOf returns the code in the file of each level of a column, or "" for a level made by a recode: its label,
// or the code before it was renamed.
func codesOf(column *microdata.Column) []string {
	levels, said := column.Categories().Levels, column.Described()
	codes, parts := make([]string, len(levels)), make([][]microdata.Level, len(levels)+1)
	c, err := composedOf(column)
	if err == nil {
		parts = c.parts()
	}
	for i, level := range levels {
		code, called := said.CodeOf[level.Label]
		of := parts[i+1]
		switch {
		case called:
			codes[i] = code
		case len(of) == 1 && of[0].Label == level.Label && c.now[0] != uint32(i+1):
			codes[i] = level.Label
		}
	}
	return codes
}

// Narrate states that a category was renamed.
func (m *Rename) Narrate(*method.Report) string {
	return fmt.Sprintf("A category of %s was renamed.", m.Variable)
}
