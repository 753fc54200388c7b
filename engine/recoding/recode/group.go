package recode

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Group merges several levels into one. The new level takes the position of the first. An ordered variable stays
// ordered if the levels are neighbours.
//
// Missing cells can be included. Without any level they become a separate level, the last one, and the variable is
// no longer ordered. Suppressed cells stay missing.
type Group struct {
	Variable string
	Levels   []string // set of labels of the levels, which must exist; nil: missing cells only
	// label of the group, or "" for "60-130" if neighbouring numbers or intervals are merged, otherwise the labels
	// joined by "+"
	Label          string
	IncludeMissing bool // include missing cells
}

// GroupSpec describes recode-group for the catalog.
func GroupSpec() method.Spec {
	return method.Spec{
		Name:  "recode-group",
		Title: "Grouping of categories",
		Help: "Merges categories into one, such as rare categories into \"other\". The merged category takes the place of " +
			"the first one, and may take the label of one of them. Without a label, adjacent numbers or intervals get " +
			"their common range, and other labels are joined. Missing values can be merged as well; suppressed cells stay suppressed.",
		Cite:   "Hundepool et al. (2012), Statistical Disclosure Control, section 3.4",
		Key:    "r",
		Sample: `{"variable":"ethnic","levels":["Kesh","other","Veyra"],"label":"other"}`,
		New:    method.From(Group{}),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Group) Params() []method.Param {
	return []method.Param{
		variableParam(&m.Variable),
		method.Levels(&m.Levels, &m.Variable, "levels",
			"categories to merge; none, with include_missing: missing values become a category"),
		method.Text(&m.Label, "label", "label of the merged category").Empty("derived from the categories"),
		method.Switch(&m.IncludeMissing, "include_missing", "merge missing values too"),
	}
}

// Regroup returns the mapping that merges the current levels of the variable.
func (m *Group) Regroup(in method.Input, target *microdata.Column) (method.Regrouping, error) {
	return m.joining(target, "recode-group")
}

// joining is Regroup for the named step.
func (m *Group) joining(target *microdata.Column, step string) (r method.Regrouping, err error) {
	label, err := cleanLabel("label", m.Label)
	if err != nil {
		return r, err
	}
	categories := target.Categories()
	if len(m.Levels) == 0 && m.IncludeMissing {
		return m.ownCategory(target, label)
	}
	members, err := m.members(target)
	if err != nil {
		return r, err
	}
	made := groupLabel(categories.Levels, members)
	label = cmp.Or(label, made)
	after, err := joined(categories.Levels, members, label)
	if err != nil {
		return r, fmt.Errorf("%s %q: %w", step, m.Variable, err)
	}
	r = mapped(target, target, after)
	if r.Title = m.title(label); m.IncludeMissing {
		r.Mapping[0] = r.Mapping[members[0]+1]
	}
	switch {
	case len(members) == 1 && !m.IncludeMissing: // a renaming
		r.Description = renamed(target, m.Levels[0], label, r)
	case label != made:
		named(&r, label)
	}
	if label != made {
		r.Warnings = labelledSo(target, label, m.Levels...)
	}
	return r, nil
}

// ownCategory returns the mapping that makes missing cells the last level.
func (m *Group) ownCategory(target *microdata.Column, label string) (r method.Regrouping, err error) {
	if label == "" {
		return r, method.ParamError("\"label\" is missing: give a label for the category of missing values")
	}
	categories := target.Categories()
	if _, ok := categories.CodeOf(label); ok {
		return r, method.ParamError("\"label\": %q already has a category %q; add it to \"levels\" so that missing values join it, or choose "+
			"another label", m.Variable, wording.Excerpt(label))
	}
	r = mapped(target, target, categories.Levels, append(slices.Clone(categories.Levels), levelOf(label))...)
	r.Mapping[0], r.Ordered, r.Title = uint32(len(r.Levels)), false, m.title(label)
	return r, nil
}

// members returns the distinct indices of the levels to merge, ascending.
func (m *Group) members(column *microdata.Column) ([]int, error) {
	if len(m.Levels) == 0 {
		return nil, method.ParamError("\"levels\" is empty: list the categories of %q to group", m.Variable)
	}
	members, err := placesOf(column, "levels", m.Levels...)
	slices.Sort(members)
	return slices.Compact(members), err
}

// neighbours reports whether the members are consecutive.
func neighbours(members []int) bool {
	return members[len(members)-1]-members[0] == len(members)-1
}

// groupLabel returns the default label of a group: the span of neighbouring numbers or intervals, such as "60-130"
// for "60-69" and "70-130", and "60+" for "60-69" and "70+", otherwise all labels.
func groupLabel(levels []microdata.Level, members []int) string {
	chosen := make([]microdata.Level, len(members))
	labels := make([]string, len(members))
	for i, member := range members {
		chosen[i], labels[i] = levels[member], levels[member].Label
	}
	if spans, ok := microdata.Spans(chosen); ok && neighbours(members) {
		joined, last := spans[0], spans[len(spans)-1]
		alike := joined.First == "" || joined.Bracket == last.Bracket // their notation is the same
		if joined.Last, joined.OpenAbove = last.Last, last.OpenAbove; alike && joined.First+joined.Last != "" {
			return spanLabel(joined)
		}
	}
	return strings.Join(labels, "+")
}

// joined returns the levels with those at the given indices, which are ascending, merged. A label of another level
// is an error.
func joined(levels []microdata.Level, places []int, label string) ([]microdata.Level, error) {
	after := slices.Clone(levels)
	for i, level := range levels {
		if _, joins := slices.BinarySearch(places, i); joins {
			after[i] = levelOf(label)
		} else if level.Label == label {
			return nil, method.ParamError("\"label\": there is another category %q; choose another label, or add that category to the group", wording.Excerpt(label))
		}
	}
	return after, nil
}

// title lists the merged categories.
func (m *Group) title(label string) string {
	labels := slices.Clone(m.Levels)
	if m.IncludeMissing {
		labels = append(labels, "missing")
	}
	return fmt.Sprintf("group %s: %s → %s", m.Variable, list(labels), label)
}

// DefaultLabel returns the default label of the group of m.Levels, or "" if a level is unknown.
func (m *Group) DefaultLabel(column *microdata.Column) string {
	members, err := m.members(column)
	if err != nil {
		return ""
	}
	return groupLabel(column.Categories().Levels, members)
}

// Narrate states that categories were merged.
func (m *Group) Narrate(*method.Report) string {
	missing := ""
	switch {
	case len(m.Levels) == 0:
		return fmt.Sprintf("The missing values of %s became a separate category.", m.Variable)
	case m.IncludeMissing:
		missing = " and its missing values"
	}
	return fmt.Sprintf("Categories of %s%s were grouped.", m.Variable, missing)
}
