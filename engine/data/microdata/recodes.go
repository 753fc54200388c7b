package microdata

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// recoding is how categories were made of earlier ones.
type recoding struct {
	levels  []Level   // the earlier ones
	mapping []uint32  // by code of the earlier ones, missing included
	codes   Codes     // of the earlier ones
	earlier *recoding // how these were made; nil: see Categories
}

// with returns the categories with other codes of the same levels.
func (c *Categories) with(codes Codes) *Categories {
	made := c.made
	if codes.base != c.Codes.base { // the codes that recodes made are let go
		made = made.bare()
	}
	return &Categories{Levels: c.Levels, Codes: codes, Ordered: c.Ordered, made: made}
}

// bare returns how categories were made without the codes of the earlier ones.
func (r *recoding) bare() *recoding {
	if r == nil {
		return nil
	}
	return &recoding{levels: r.levels, mapping: r.mapping, earlier: r.earlier.bare()}
}

// Mapped returns categories in which code l has become mapping[l] of the given levels: mapping
// has one entry per code, missing (0) included.
func (c *Categories) Mapped(levels []Level, mapping []uint32, ordered bool) *Categories {
	return &Categories{Levels: levels, Codes: c.Codes.Mapped(len(levels), mapping), Ordered: ordered,
		made: &recoding{c.Levels, mapping, c.Codes, c.made}}
}

// Earlier returns the categories that a recode made these of, and what it made of their codes; ok is false where none
// did, or where the codes of records do not follow from them, as after a suppression or a perturbation.
func (c *Categories) Earlier() (earlier *Categories, mapping []uint32, ok bool) {
	made := c.made
	if made == nil || made.codes.base != c.Codes.base || made.codes.blank != c.Codes.blank {
		return nil, nil, false
	}
	return &Categories{Levels: made.levels, Codes: made.codes, made: made.earlier, multiplicity: c.multiplicity}, made.mapping, true
}

// MadeOf returns, by code of earlier categories, what recodes made of each: a code of c, 0 where they made it
// missing. It does not depend on the records: not on those that were suppressed, nor on those that a perturbation gave
// another category later. ok is false where values were replaced by ones that are no categories of before. Not to be
// modified.
func (c *Categories) MadeOf(before *Categories) (codes []uint32, ok bool) {
	if sameArray(c.Levels, before.Levels) {
		return stat.InOrder(len(c.Levels) + 1), true
	}
	for made := c.made; made != nil; made = made.earlier {
		if codes == nil {
			codes = made.mapping
		} else {
			codes = through(made.mapping, codes)
		}
		if sameArray(made.levels, before.Levels) {
			return codes, true
		}
	}
	return nil, false
}

// OriginalCounts returns by code of c how many records of before have a category that recodes made this one; nil where
// that is not known, and where the two are one.
func (c *Categories) OriginalCounts(before *Categories) []int {
	if c == nil || before == nil || c == before || c.Codes.Len() != before.Codes.Len() {
		return nil
	}
	codes, ok := c.MadeOf(before)
	if !ok {
		return nil
	}
	counts := make([]int, len(c.Levels)+1)
	for code, records := range before.Counts() {
		counts[codes[code]] += records
	}
	return counts
}

// through returns a mapping followed by another one.
func through(first, second []uint32) []uint32 {
	out := make([]uint32, len(first))
	for code, now := range first {
		out[code] = second[now]
	}
	return out
}

// sameArray reports whether two lists of levels are one.
func sameArray(a, b []Level) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// Redrawn says how many records have another category of a variable than before, and how
// many have one both now and then; ok is false where the categories are not the same.
func Redrawn(now, before *Categories) (changed, present int, ok bool) {
	same := func(a, b Level) bool { return a.Label == b.Label }
	if now == nil || before == nil || now.Codes.Len() != before.Codes.Len() ||
		!slices.EqualFunc(now.Levels, before.Levels, same) {
		return 0, 0, false
	}
	for first, pairs := range Pairs(before.Codes, now.Codes) {
		for i, pair := range pairs {
			if pair[0] == 0 || pair[1] == 0 {
				continue
			}
			records := 1
			if now.multiplicity != nil {
				records = now.multiplicity[first+i]
			}
			present += records
			if pair[0] != pair[1] {
				changed += records
			}
		}
	}
	return changed, present, true
}
