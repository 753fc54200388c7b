package profile

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// Value is a distinct value with the records that have it.
type Value struct {
	Label   string
	Number  float64 // NaN for text
	Records int
	Weight  float64
}

// Values are the distinct values of a variable: numbers in ascending order, others
// in the order of their levels.
type Values struct {
	All     []Value
	records int
	weight  float64
}

// Order is what values are sorted by.
type Order uint8

// The orders of values.
const (
	ByValue   Order = iota // as they come
	ByRecords              // the most frequent first
	ByLabel
)

// Values counts the distinct values. It costs the time of sorting for a variable
// that is stored as numbers, else that of one pass. Errors: that of ctx.
func (p *Profile) Values(ctx context.Context) (*Values, error) {
	var v *Values
	if numbers := p.Column.StoredAsNumbers(); numbers != nil {
		v = ofNumbers(p.Column, numbers, p.weights)
	} else {
		v = ofLevels(p.Column.Categories(), p.weights)
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
			v.All = append(v.All, Value{level.Label, level.Value, counts[i+1], sums[i+1]})
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
			v.All = append(v.All, Value{Label: column.Text(int(c.row)), Number: c.x})
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

// Sorted returns the values in an order; those that are alike in it stay as they
// come.
func (v *Values) Sorted(order Order) []Value {
	sorted := slices.Clone(v.All)
	switch order {
	case ByRecords:
		slices.SortStableFunc(sorted, func(a, b Value) int { return cmp.Compare(b.Records, a.Records) })
	case ByLabel:
		slices.SortStableFunc(sorted, func(a, b Value) int { return compareText(a.Label, b.Label) })
	case ByValue:
	}
	return sorted
}

// Quantile returns the p quantile of the numbers, p from 0 to 1: type 7; NaN for a
// text or where there is no value.
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

// at returns the number of the record at a place, from 0, in ascending order.
func (v *Values) at(place int) float64 {
	for _, value := range v.All {
		if place -= value.Records; place < 0 {
			return value.Number
		}
	}
	return v.All[len(v.All)-1].Number
}

// WeightedQuantile returns the smallest number up to which at least the share p of
// the weights lies; NaN without weights.
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

// compareText orders words as people look for them: by letters first, whatever
// their case.
func compareText(a, b string) int {
	if c := strings.Compare(strings.ToLower(a), strings.ToLower(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}
