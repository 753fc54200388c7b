package draw

import (
	"slices"
	"strconv"
	"strings"
)

// Sorting lists the columns that a table is sorted by, the most significant first.
type Sorting []SortedColumn

// SortedColumn is one column of a Sorting.
type SortedColumn struct {
	Id   string // stays the same if columns move
	Down bool
}

// Turn sorts by one column only. If the table is already sorted by only this column, it reverses the order, and
// then ends sorting.
func (b *Sorting) Turn(id string) {
	switch at := b.At(id); {
	case len(*b) != 1 || at < 0:
		*b = Sorting{{Id: id}}
	default:
		b.next(at)
	}
}

// Add sorts ties by another column. If the table is already sorted by that column, it reverses its order, and then
// removes it.
func (b *Sorting) Add(id string) {
	if at := b.At(id); at >= 0 {
		b.next(at)
		return
	}
	*b = append(slices.Clip(*b), SortedColumn{Id: id})
}

func (b *Sorting) next(at int) {
	if (*b)[at].Down {
		*b = slices.Delete(slices.Clone(*b), at, at+1)
		return
	}
	*b = slices.Clone(*b)
	(*b)[at].Down = true
}

// At returns the index of a column in the sorting, or -1.
func (b Sorting) At(id string) int {
	return slices.IndexFunc(b, func(c SortedColumn) bool { return c.Id == id })
}

// Mark returns the arrow of a column for its heading, with its index if the table is sorted by several columns.
func (b Sorting) Mark(id string) string {
	at := b.At(id)
	switch {
	case at < 0:
		return ""
	case len(b) == 1:
		return b[at].arrow()
	}
	return b[at].arrow() + strconv.Itoa(at+1)
}

// String lists the columns with their arrows: "age ↓, sex ↑".
func (b Sorting) String() string {
	var text strings.Builder
	for i, c := range b {
		if i > 0 {
			text.WriteString(", ")
		}
		text.WriteString(strings.TrimPrefix(c.Id, FigureMark) + " " + c.arrow())
	}
	return text.String()
}

// Key returns a text that identifies the sorting.
func (b Sorting) Key() string {
	var text strings.Builder
	for _, c := range b {
		text.WriteString(c.Id + c.arrow() + "\n")
	}
	return text.String()
}

func (c SortedColumn) arrow() string {
	if c.Down {
		return "↓"
	}
	return "↑"
}

// FigureMark begins the IDs of figures; no variable has such a name.
const FigureMark = "\x00"
