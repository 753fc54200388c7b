package mondrian

import (
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// axis is a variable along which regions are cut. It has the current categories and the source values that each
// represents. The loss of a range is measured on source values, so that a variable that was recoded before does
// not appear to lose less.
type axis struct {
	codes   []uint32 // per key; 0: missing
	of      []extent // per code: extent of the category
	source  *microdata.Categories
	place   []float64 // per source code: relative position in the range of the variable, in [0,1]
	nominal bool
	share   float64 // of one source category of a nominal variable
	shared  bool    // the same for all members of a household

	hierarchy *tree   // nil: none given
	weight    float64 // weight of its loss when groups are matched
}

// newAxis positions the source values that occur: numbers by value, others by rank. codes are those of the key
// patterns.
func newAxis(codes []uint32, column *microdata.Column, shared bool) *axis {
	categories := column.Categories()
	a := &axis{codes: codes, source: sourceOf(column), shared: shared}
	a.nominal = !a.source.Ordered
	a.of = categoriesOf(categories, a.source)
	a.place = make([]float64, len(a.source.Levels)+1)
	var occurring []uint32
	numbers := true
	for i, count := range a.source.Counts()[1:] {
		if count > 0 {
			occurring = append(occurring, uint32(i+1))
			numbers = numbers && a.source.Levels[i].NumberLevel()
		}
	}
	if len(occurring) < 2 {
		return a
	}
	a.share = 1 / float64(len(occurring)-1)
	levels := a.source.Levels
	first, last := levels[occurring[0]-1].Value, levels[occurring[len(occurring)-1]-1].Value
	for rank, code := range occurring {
		if numbers && !a.nominal && last > first {
			a.place[code] = placeBetween(first, levels[code-1].Value, last)
		} else {
			a.place[code] = float64(rank) * a.share
		}
	}
	return a
}

// width returns the share of the axis between two source values, or of a number of categories for a nominal
// variable.
func (a *axis) width(from, to uint32, categories int) float64 {
	if a.nominal {
		return float64(max(0, categories-1)) * a.share
	}
	return a.place[to] - a.place[from]
}

// placeBetween returns the relative position of value between first and last. It avoids overflow of their
// difference.
func placeBetween(first, value, last float64) float64 {
	if math.IsInf(last-first, 0) {
		first, value, last = first/2, value/2, last/2
	}
	return (value - first) / (last - first)
}

// sourceOf returns the values from which recodes of a column start, or its current categories if a recode has
// ordered values that had no order.
func sourceOf(column *microdata.Column) *microdata.Categories {
	now := column.Categories()
	if !column.Recoded() {
		return now
	}
	source := column.Unrecoded().Categories()
	if now.Ordered && !source.Ordered {
		return now
	}
	return source
}

// categoriesOf returns the source values of each category, by code, as they occur in the records.
func categoriesOf(now, source *microdata.Categories) []extent {
	of := make([]extent, len(now.Levels)+1)
	records := now.Codes.Len()
	if now == source { // each represents itself
		records = 0
		for code := uint32(1); code < uint32(len(of)); code++ {
			of[code].sources = []uint32{code}
		}
	}
	type pair struct{ code, source uint32 }
	seen := map[pair]bool{}
	for record := range records {
		p := pair{now.Codes.At(record), source.Codes.At(record)}
		if p.code == 0 || seen[p] {
			continue
		}
		seen[p] = true
		if e := &of[p.code]; p.source == 0 {
			e.missing = true
		} else {
			e.sources = append(e.sources, p.source)
		}
	}
	for code := range of {
		if e := &of[code]; len(e.sources) > 0 {
			slices.Sort(e.sources)
			e.from, e.to = e.sources[0], e.sources[len(e.sources)-1]
		}
		if source.Ordered {
			of[code].sources = nil
		}
	}
	return of
}
