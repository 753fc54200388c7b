package draw

import (
	"slices"
	"strconv"
	"strings"
)

// Sorting is what a table is sorted by: columns, the first before all others.
type Sorting []SortedColumn

// SortedColumn is one of them.
type SortedColumn struct {
	Id   string // stays the same while columns move
	Down bool
}

// Turn sorts by a column alone; by one that the table is sorted by alone already,
// the other way round, and then not at all.
func (b *Sorting) Turn(id string) {
	switch at := b.At(id); {
	case len(*b) != 1 || at < 0:
		*b = Sorting{{Id: id}}
	default:
		b.next(at)
	}
}

// Add sorts by a column where the others are alike; by one of those the other way
// round, and then not any more.
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

// At returns the place of a column among those that are sorted by; -1 where it is none.
func (b Sorting) At(id string) int {
	return slices.IndexFunc(b, func(c SortedColumn) bool { return c.Id == id })
}

// Mark returns the sign of a column for its heading: an arrow, with its place where
// the table is sorted by several.
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

// Key spells the columns so that no other order is spelled alike.
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

// FigureMark begins the ids of figures; no variable has such a name.
const FigureMark = "\x00"
