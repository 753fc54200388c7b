package views

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// NowAndBefore are the categories of a variable as they are and as they were; nil
// where it is not there.
type NowAndBefore struct{ Now, Before *microdata.Categories }

// Known reports whether the variable is and was there.
func (c NowAndBefore) Known() bool { return c.Now != nil && c.Before != nil }

// Categories returns the categories of a variable as they are and as they were.
func (s State) Categories(variable string) NowAndBefore {
	return NowAndBefore{CategoriesOf(s.Current, variable), CategoriesOf(s.Original, variable)}
}

// CategoriesOf returns the categories of a variable; nil where it is not there.
func CategoriesOf(v Version, name string) *microdata.Categories {
	if column := v.Column(name); column != nil {
		return column.Categories()
	}
	return nil
}

// LevelLabel returns the label of a category, or what stands for a missing value.
func LevelLabel(categories *microdata.Categories, code uint32) string {
	if code == 0 || int(code) > len(categories.Levels) {
		return MissingLabel
	}
	return categories.Levels[code-1].Label
}

// MissingLabel stands where a value is missing.
const MissingLabel = "(missing)"
