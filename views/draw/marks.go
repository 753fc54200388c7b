package draw

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// ChangeMark returns the marks of what was done to the values of a variable:
// recoded, and drawn anew or disturbed; "" where neither was.
func ChangeMark(column *microdata.Column) string {
	mark := ""
	if column == nil {
		return mark
	}
	if column.Recoded() {
		mark = RecodedMark
	}
	if column.Origin() != 0 {
		mark += PerturbedMark
	}
	return mark
}

// The marks behind the name of a variable, the same in every list.
const (
	RecodedMark   = "*"
	PerturbedMark = "~"
)
