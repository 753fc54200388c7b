package profile

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Value is a distinct value with its number of records.
type Value struct {
	Label   string
	Number  float64 // NaN for text
	Records int
	Weight  float64
	Code    uint32 // code of the level among the variable's categories
}

// Values has the distinct values of a variable: numbers in ascending order, others in the order of their levels.
type Values struct {
	All     []Value
	records int
	weight  float64
}

// Order is the order in which values are sorted.
type Order uint8

// Orders of values.
const (
	ByValue   Order = iota // in their own order
	ByRecords              // most frequent first
	ByWeight
	ByLabel
)

// Values counts the distinct values. The time is that of sorting for a variable stored as numbers, otherwise that
// of one pass. It returns the error of ctx, if any.
func (p *Profile) Values(ctx context.Context) (*Values, error) {
	var v *Values
	if numbers := p.Column.StoredAsNumbers(); numbers != nil {
		v = ofNumbers(p.Column, numbers, p.Weights)
	} else {
		v = ofLevels(p.Column.Categories(), p.Weights)
	}
	for _, value := range v.All {
		v.records += value.Records
		v.weight += value.Weight
	}
	return v, ctx.Err()
}

func ofLevels(categories *microdata.Categories, weights []float64) *Values {
	counts := categories.Counts()
	sums := make([]float64, len(categories.Levels)+1)
	for row, weight := range weights {
		sums[categories.Codes.At(row)] += weight
	}
	v := &Values{}
	for i, level := range categories.Levels {
		if counts[i+1] > 0 {
			v.All = append(v.All, Value{level.Label, level.Value, counts[i+1], sums[i+1], uint32(i + 1)})
		}
	}
	return v
}

func ofNumbers(column *microdata.Column, numbers *microdata.Numbers, weights []float64) *Values {
	type cell struct {
		x   float64
		row uint32
	}
	cells := make([]cell, 0, len(numbers.Values))
	for row, x := range numbers.Values {
		if x == x {
			cells = append(cells, cell{x, uint32(row)})
		}
	}
	slices.SortFunc(cells, func(a, b cell) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		default:
			return cmp.Compare(a.row, b.row)
		}
	})
	v := &Values{}
	for i, c := range cells {
		if i == 0 || c.x != cells[i-1].x {
			v.All = append(v.All, Value{Label: column.Text(int(c.row)), Number: c.x, Code: uint32(len(v.All) + 1)})
		}
		last := &v.All[len(v.All)-1]
		last.Records += column.RecordsAt(int(c.row))
		if weights != nil {
			last.Weight += weights[c.row]
		}
	}
	return v
}

// Distinct returns the number of distinct values.
func (v *Values) Distinct() int { return len(v.All) }

// Places returns the indices in All of the values whose label contains a text, ignoring case, sorted by order;
// ties stay in their own order.
func (v *Values) Places(order Order, text string) []uint32 {
	text = strings.ToLower(text)
	places := make([]uint32, 0, len(v.All))
	for i := range v.All {
		if text == "" || strings.Contains(strings.ToLower(v.All[i].Label), text) {
			places = append(places, uint32(i))
		}
	}
	var compare func(a, b *Value) int
	switch order {
	case ByRecords:
		compare = func(a, b *Value) int { return cmp.Compare(b.Records, a.Records) }
	case ByWeight:
		compare = func(a, b *Value) int { return cmp.Compare(b.Weight, a.Weight) }
	case ByLabel:
		compare = func(a, b *Value) int { return compareText(a.Label, b.Label) }
	case ByValue:
		return places
	}
	slices.SortStableFunc(places, func(a, b uint32) int { return compare(&v.All[a], &v.All[b]) })
	return places
}

// Top returns the first most values in the given order, in one pass over all.
func (v *Values) Top(order Order, most int) []Value {
	by := func(i uint32) float64 {
		switch order {
		case ByRecords:
			return -float64(v.All[i].Records)
		case ByWeight:
			return -v.All[i].Weight
		case ByValue, ByLabel:
		}
		return float64(i)
	}
	var places []uint32
	for i := range v.All {
		place := uint32(i)
		if len(places) == most && (most == 0 || by(place) >= by(places[most-1])) {
			continue
		}
		if len(places) < most {
			places = append(places, place)
		}
		at := len(places) - 1
		for ; at > 0 && by(place) < by(places[at-1]); at-- {
			places[at] = places[at-1]
		}
		places[at] = place
	}
	top := make([]Value, 0, len(places))
	for _, place := range places {
		top = append(top, v.All[place])
	}
	return top
}

// Once returns the number of values that only one record has.
func (v *Values) Once() int {
	once := 0
	for i := range v.All {
		if v.All[i].Records == 1 {
			once++
		}
	}
	return once
}

// Weight returns the sum of the weights of all values.
func (v *Values) Weight() float64 { return v.weight }

// Quantile returns the p quantile (type 7) of the numbers, for p from 0 to 1. It is NaN for texts or without
// values.
func (v *Values) Quantile(p float64) float64 {
	if v.records == 0 {
		return math.NaN()
	}
	h := p * float64(v.records-1)
	low := v.at(int(math.Floor(h)))
	if part := h - math.Floor(h); part > 0 {
		if high := v.at(int(math.Floor(h)) + 1); high != low {
			return low + part*(high-low)
		}
	}
	return low
}

// at returns the number of the record with the given index, from 0, in ascending order.
func (v *Values) at(place int) float64 {
	for _, value := range v.All {
		if place -= value.Records; place < 0 {
			return value.Number
		}
	}
	return v.All[len(v.All)-1].Number
}

// WeightedQuantile returns the smallest number up to which at least the share p of the weights lies, or NaN
// without weights.
func (v *Values) WeightedQuantile(p float64) float64 {
	if v.weight == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, value := range v.All {
		if sum += value.Weight; sum >= p*v.weight {
			return value.Number
		}
	}
	return v.All[len(v.All)-1].Number
}

// compareText orders words as in a dictionary: by letters first, ignoring case.
func compareText(a, b string) int {
	if c := strings.Compare(strings.ToLower(a), strings.ToLower(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}
