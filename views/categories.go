package views

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// NowAndBefore has the current and the original categories of a variable, nil if the variable does not exist.
type NowAndBefore struct{ Now, Before *microdata.Categories }

// Known reports whether the variable exists in the current and in the original data.
func (c NowAndBefore) Known() bool { return c.Now != nil && c.Before != nil }

// Categories returns the current and the original categories of a variable.
func (s State) Categories(variable string) NowAndBefore {
	return NowAndBefore{CategoriesOf(s.Current, variable), CategoriesOf(s.Original, variable)}
}

// CategoriesOf returns the categories of a variable, or nil if it does not exist.
func CategoriesOf(v Version, name string) *microdata.Categories {
	if column := v.Column(name); column != nil {
		return column.Categories()
	}
	return nil
}

// LevelLabel returns the label of a category, or MissingLabel.
func LevelLabel(categories *microdata.Categories, code uint32) string {
	if code == 0 || int(code) > len(categories.Levels) {
		return MissingLabel
	}
	return categories.Levels[code-1].Label
}

// LevelLabelOf is LevelLabel for the current categories of a variable. For missing cells, it names the suppressed ones.
func LevelLabelOf(s State, variable string, categories *microdata.Categories, code uint32) string {
	if code != 0 {
		return LevelLabel(categories, code)
	}
	switch SuppressedCells(s, variable) {
	case 0:
		return MissingLabel
	case categories.Counts()[0]:
		return SuppressedLabel
	}
	return "(missing or suppressed)"
}

// MissingLabel is shown for a missing value.
const MissingLabel = "(missing)"

// SuppressedLabel is shown for a suppressed value.
const SuppressedLabel = "(suppressed)"
