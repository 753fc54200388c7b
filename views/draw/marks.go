package draw

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// ChangeMark returns the marks of a variable that was recoded or perturbed, or "".
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

// The marks after the name of a variable, the same in every list.
const (
	RecodedMark   = "*"
	PerturbedMark = "~"
)
