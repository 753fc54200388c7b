package recode

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Rename gives one level of a variable another label. Its place, and with it
// the order of the levels, stays.
type Rename struct {
	Variable string
	Level    string // the label now
	Label    string // the new label, blanks around it left out; one that another level has is an error
}

// RenameSpec describes recode-rename for the catalog.
func RenameSpec() method.Spec {
	return method.Spec{
		Name:  "recode-rename",
		Title: "Rename a category",
		Help: "Changes the label of a category, such as a code into a word. Risk does not change. In SPSS and Stata files, " +
			"a category of a numeric variable keeps its code and gets the new label. If the new label is a number, it " +
			"replaces the code, and the old label is kept.",
		Cite:   "Templ (2017), Statistical Disclosure Control for Microdata, section 4.2.1 (recoding)",
		Key:    "r",
		Sample: `{"variable":"urbrur","level":"rural","label":"country"}`,
		New:    method.From(Rename{}),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Rename) Params() []method.Param {
	return []method.Param{
		variableParam(&m.Variable, microdata.RoleHousehold), // its name may be another
		method.Text(&m.Level, "level", "present label of the category").Needed().CategoryOf(&m.Variable),
		method.Text(&m.Label, "label", "new label").Needed(),
	}
}

// Regroup returns the mapping that leaves every level where it is.
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

// labelledSo warns of a code that has a name as its label, of those that are not to be
// called so.
func labelledSo(target *microdata.Column, name string, levels ...string) []string {
	labels := target.Described().Labels
	for _, code := range slices.Sorted(maps.Keys(labels)) {
		if labels[code] == name && !slices.Contains(levels, code) {
			return []string{fmt.Sprintf("%s has the label %q in the file: two codes with the same label look like one category", code, name)}
		}
	}
	return nil
}

// renamed returns what is said of the levels after one of them alone got another name.
// Called as a number it is another code with the same meaning; any other name leaves its
// code as it is.
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

// codesOf returns, for each level of a column, the code of the file for which it stands:
// its name, or what it was called before; "" for one that a recode made.
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

// Narrate says that a category has another name.
func (m *Rename) Narrate(*method.Report) string {
	return fmt.Sprintf("A category of %s was renamed.", m.Variable)
}
