package views

import (
	"slices"
	"strconv"
	"strings"
)

// sorting is what a table is sorted by: columns, the first before all others.
type sorting []sortedColumn

// sortedColumn is one of them.
type sortedColumn struct {
	id   string // stays the same while columns move
	down bool
}

// turn sorts by a column alone; by one that the table is sorted by alone already,
// the other way round, and then not at all.
func (b *sorting) turn(id string) {
	switch at := b.at(id); {
	case len(*b) != 1 || at < 0:
		*b = sorting{{id: id}}
	default:
		b.next(at)
	}
}

// add sorts by a column where the others are alike; by one of those the other way
// round, and then not any more.
func (b *sorting) add(id string) {
	if at := b.at(id); at >= 0 {
		b.next(at)
		return
	}
	*b = append(slices.Clip(*b), sortedColumn{id: id})
}

func (b *sorting) next(at int) {
	if (*b)[at].down {
		*b = slices.Delete(slices.Clone(*b), at, at+1)
		return
	}
	*b = slices.Clone(*b)
	(*b)[at].down = true
}

func (b sorting) at(id string) int {
	return slices.IndexFunc(b, func(c sortedColumn) bool { return c.id == id })
}

// mark returns the sign of a column for its heading: an arrow, with its place where
// the table is sorted by several.
func (b sorting) mark(id string) string {
	at := b.at(id)
	switch {
	case at < 0:
		return ""
	case len(b) == 1:
		return b[at].arrow()
	}
	return b[at].arrow() + strconv.Itoa(at+1)
}

// String lists the columns with their arrows: "age ↓, sex ↑".
func (b sorting) String() string {
	var text strings.Builder
	for i, c := range b {
		if i > 0 {
			text.WriteString(", ")
		}
		text.WriteString(strings.TrimPrefix(c.id, figureMark) + " " + c.arrow())
	}
	return text.String()
}

// key spells the columns so that no other order is spelled alike.
func (b sorting) key() string {
	var text strings.Builder
	for _, c := range b {
		text.WriteString(c.id + c.arrow() + "\n")
	}
	return text.String()
}

func (c sortedColumn) arrow() string {
	if c.down {
		return "↓"
	}
	return "↑"
}

// figureMark begins the ids of figures; no variable has such a name.
const figureMark = "\x00"
