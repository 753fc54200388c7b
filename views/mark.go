package views

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// changeMark returns the marks of what was done to the values of a variable:
// recoded, and drawn anew or disturbed; "" where neither was.
func changeMark(column *microdata.Column) string {
	mark := ""
	if column == nil {
		return mark
	}
	if column.Recoded() {
		mark = recodedMark
	}
	if column.Origin() != 0 {
		mark += perturbedMark
	}
	return mark
}

// The marks behind the name of a variable, the same in every list.
const (
	recodedMark   = "*"
	perturbedMark = "~"
)
