package microdata

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// recoding describes how a recode made categories from earlier ones.
type recoding struct {
	levels  []Level   // levels before
	mapping []uint32  // new code by code before, including missing
	codes   Codes     // codes before
	earlier *recoding // the recode before this one; nil if none
}

// with returns the categories with other codes of the same levels.
func (c *Categories) with(codes Codes) *Categories {
	made := c.made
	if codes.base != c.Codes.base { // releases the codes before recodes
		made = made.bare()
	}
	return &Categories{Levels: c.Levels, Codes: codes, Ordered: c.Ordered, made: made}
}

// bare returns the chain of recodes without their codes.
func (r *recoding) bare() *recoding {
	if r == nil {
		return nil
	}
	return &recoding{levels: r.levels, mapping: r.mapping, earlier: r.earlier.bare()}
}

// Mapped returns categories in which code l has become mapping[l] of the given levels; mapping has one entry per
// code, including missing (0).
func (c *Categories) Mapped(levels []Level, mapping []uint32, ordered bool) *Categories {
	return &Categories{Levels: levels, Codes: c.Codes.Mapped(len(levels), mapping), Ordered: ordered,
		made: &recoding{c.Levels, mapping, c.Codes, c.made}}
}

// Earlier returns the categories before the last recode and its mapping of their codes. ok is false if there was
// no recode, or if codes changed since, by suppression or perturbation.
func (c *Categories) Earlier() (earlier *Categories, mapping []uint32, ok bool) {
	made := c.made
	if made == nil || made.codes.base != c.Codes.base || made.codes.missing != c.Codes.missing {
		return nil, nil, false
	}
	return &Categories{Levels: made.levels, Codes: made.codes, made: made.earlier, multiplicity: c.multiplicity}, made.mapping, true
}

// MadeOf returns, by code of before, the code of c that recodes turn it into, 0 for missing. It depends on the
// recodes only, not on later suppression or perturbation of records. ok is false if the values do not derive from
// before by recodes. The result must not be modified.
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

// OriginalCounts returns, by code of c, the number of records whose category in before is recoded to it; nil if
// that is not known or c is before.
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

// through returns the composition of two mappings.
func through(first, second []uint32) []uint32 {
	out := make([]uint32, len(first))
	for code, now := range first {
		out[code] = second[now]
	}
	return out
}

// sameArray reports whether two lists of levels share their array.
func sameArray(a, b []Level) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// Redrawn returns the number of records whose category differs from that before, and the number with a value both
// before and now. ok is false if the levels differ.
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
