package check

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// points finds pairs of neighbouring variables with coordinates of places: degrees with at least four decimals,
// whose values correspond one to one.
func (r *release) points() {
	for i, b := range r.variables[min(1, len(r.variables)):] {
		a := r.variables[i]
		if !r.degrees(a) || !r.degrees(b) || !a.within(180) || !b.within(180) || !a.within(90) && !b.within(90) {
			continue
		}
		if (a.oneSided() || b.oneSided()) && paired(a, b) {
			a.identity = identity{content: spot, title: "coordinates"}
			b.identity = a.identity
		}
	}
}

// degrees reports whether the values of a variable may be degrees: numbers with at least four decimals that
// several records share.
func (r *release) degrees(v *variable) bool {
	return v.Kind() == microdata.Number && v.Origin() == 0 && v.content == amount && !r.named(v) &&
		v.distinct >= 3*rareLevels && 20*v.distinct <= 19*v.present && v.precise(leastDecimals+1)
}

// within reports whether the absolute value of all sampled values is at most limit.
func (v *variable) within(limit float64) bool {
	return v.most(100, func(level microdata.Level) bool { return math.Abs(level.Value) <= limit })
}

// oneSided reports whether all sampled values are at least 1, or all at most -1.
func (v *variable) oneSided() bool {
	return v.most(100, func(level microdata.Level) bool { return level.Value >= 1 }) ||
		v.most(100, func(level microdata.Level) bool { return level.Value <= -1 })
}

// paired reports whether the values of two variables correspond one to one, with few exceptions.
func paired(a, b *variable) bool {
	most := max(a.distinct, b.distinct)
	most += most / 50
	seen := map[[2]uint32]struct{}{}
	for _, pairs := range microdata.Pairs(a.levels.Codes, b.levels.Codes) {
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

// splitDates finds dates divided into three neighbouring variables: all days of a month, twelve months, and more
// than ten years.
func (r *release) splitDates() {
	for i := range max(0, len(r.variables)-2) {
		three, parts := r.variables[i:i+3], 0
		for _, v := range three {
			if !r.named(v) {
				parts |= v.partOfDate()
			}
		}
		if parts == day|month|year {
			for _, v := range three {
				v.identity = identity{content: date}
			}
		}
	}
}

const (
	day = 1 << iota
	month
	year
)

// partOfDate returns which part of a date the integers may be, or 0.
func (v *variable) partOfDate() int {
	switch least, most := v.least, v.largest; {
	case v.Kind() != microdata.Whole:
	case least == 1 && most >= 28 && most <= 31 && v.distinct >= 25:
		return day
	case least == 1 && most == 12 && v.distinct == 12:
		return month
	case least >= 1850 && most < 2100 && v.distinct > rareLevels:
		return year
	}
	return 0
}
