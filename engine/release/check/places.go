package check

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// points finds neighbouring variables that are the two coordinates of places: degrees with
// four decimals and more, of which each value of one goes with one value of the other.
func (r *release) points() {
	columns := r.data.Columns()
	for i := range len(columns) - 1 {
		a, b := columns[i], columns[i+1]
		if !r.degrees(a) || !r.degrees(b) {
			continue
		}
		of, with := levelsOf(a), levelsOf(b)
		within := math.Max(of.largest(), with.largest()) <= 180 && math.Min(of.largest(), with.largest()) <= 90
		if within && (of.oneSided() || with.oneSided()) && paired(of, with) {
			for _, column := range []*microdata.Column{a, b} {
				r.identify(column.Name(), identity{content: spot, title: "coordinates"})
			}
		}
	}
}

// degrees reports whether the values of a variable may be degrees: numbers with four
// decimals and more that several records share.
func (r *release) degrees(c *microdata.Column) bool {
	if c.Kind() != microdata.Number || c.Origin() != 0 || r.contents[c.Name()] != amount || r.named(c) {
		return false
	}
	l := levelsOf(c)
	return l.distinct >= 3*rareLevels && 20*l.distinct <= 19*l.present && l.precise(leastDecimals+1)
}

// largest returns the largest of the sampled values, without sign.
func (l levels) largest() (most float64) {
	for _, level := range l.sampled {
		most = max(most, math.Abs(level.Value))
	}
	return most
}

// oneSided reports whether all sampled values are at least 1, or at most -1.
func (l levels) oneSided() bool {
	return l.most(100, func(level microdata.Level) bool { return level.Value >= 1 }) ||
		l.most(100, func(level microdata.Level) bool { return level.Value <= -1 })
}

// paired reports whether each value of one variable goes with one value of the other, but
// for few of them.
func paired(a, b levels) bool {
	most := max(a.distinct, b.distinct)
	most += most / 50
	seen := map[[2]uint32]struct{}{}
	for _, pairs := range microdata.Pairs(a.Codes, b.Codes) {
		for _, pair := range pairs {
			if pair[0] != 0 && pair[1] != 0 {
				seen[pair] = struct{}{}
			}
		}
		if len(seen) > most {
			return false
		}
	}
	return len(seen) > 0
}

// splitDates finds dates in three neighbouring variables: one of all days of a month, one
// of twelve months and one of more than ten years.
func (r *release) splitDates() {
	columns := r.data.Columns()
	parts := make([]int, len(columns))
	for i, column := range columns {
		if column.Kind() == microdata.Whole && !r.named(column) {
			parts[i] = levelsOf(column).partOfDate()
		}
	}
	for i := range len(columns) - 2 {
		if parts[i]|parts[i+1]|parts[i+2] == day|month|year {
			for _, column := range columns[i : i+3] {
				r.identify(column.Name(), identity{content: date})
			}
		}
	}
}

const (
	day = 1 << iota
	month
	year
)

// partOfDate returns the part of dates that whole numbers may be; 0: none.
func (l levels) partOfDate() int {
	least, most := math.Inf(1), math.Inf(-1)
	for _, level := range l.sampled {
		least, most = min(least, level.Value), max(most, level.Value)
	}
	switch {
	case least == 1 && most >= 28 && most <= 31 && l.distinct >= 25:
		return day
	case least == 1 && most == 12 && l.distinct == 12:
		return month
	case least >= 1850 && most < 2100 && l.distinct > rareLevels:
		return year
	}
	return 0
}
