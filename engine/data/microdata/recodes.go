package microdata

import "github.com/sdcdesk/sdcdesk/engine/base/stat"

// RecodedFrom returns, by code of the source, what recodes made of its category: a code of now, 0 where they made it
// missing. It does not depend on the records: not on those that were suppressed, nor on those that a perturbation gave
// another category later. ok is false where values were replaced by ones that are no categories of the source, and
// where was has other categories than the source.
func (c *Column) RecodedFrom(was *Column) (codes []uint32, ok bool) {
	source := c.Source().Categories().Levels
	if was != c.Source() && !sameArray(source, was.Categories().Levels) {
		return nil, false
	}
	if levels := c.Categories().Levels; c.recodes == nil && sameArray(levels, source) {
		return stat.InOrder(len(levels) + 1), true
	}
	return c.recodes, c.recodes != nil
}

// recodedTo returns what recodes and a further one make of the categories of a source; nil: not known.
func (c *Column) recodedTo(source *Column, mapping []uint32) []uint32 {
	codes, ok := c.RecodedFrom(source)
	if !ok {
		return nil
	}
	out := make([]uint32, len(codes))
	for code, now := range codes {
		out[code] = mapping[now]
	}
	return out
}

// sameArray reports whether two lists of levels are one.
func sameArray(a, b []Level) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }
