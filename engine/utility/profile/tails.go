package profile

import (
	"cmp"
	"slices"
	"sort"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Tails tells how many records, and how many of the population, have values up to or
// beyond any threshold: one pass over the records, then O(log n) per question, for a
// threshold that moves. Missing values are on no side. It is immutable.
type Tails struct {
	Values []TailValue // that occur, ascending
}

// TailValue is a value of a variable: its number, or of ordered categories their place,
// counted from 1.
type TailValue struct {
	Value      float64
	Label      string
	Records    int     // with at most this value
	Population float64 // likewise, estimated by the weights; records without
}

// NewTails returns the tails of a numeric variable or ordered categories. weights
// has one for each row; nil: each record counts as one of the population.
func NewTails(column *microdata.Column, weights []float64) *Tails {
	categories := column.Categories()
	counts := categories.Counts()
	var sums []float64
	if weights != nil {
		sums = categories.Sums(weights)
	}
	t := &Tails{}
	for i, level := range categories.Levels {
		if counts[i+1] == 0 {
			continue
		}
		v := TailValue{Value: float64(i + 1), Label: level.Label, Records: counts[i+1], Population: float64(counts[i+1])}
		if column.Numeric() {
			v.Value = level.Value
		}
		if sums != nil {
			v.Population = sums[i+1]
		}
		t.Values = append(t.Values, v)
	}
	t.settle()
	return t
}

// Mapped returns the tails of what the values become.
func (t *Tails) Mapped(becomes func(x float64) float64) *Tails {
	out, records, population := &Tails{}, 0, 0.0
	for _, v := range t.Values {
		out.Values = append(out.Values, TailValue{Value: becomes(v.Value), Records: v.Records - records,
			Population: v.Population - population})
		records, population = v.Records, v.Population
	}
	out.settle()
	return out
}

// settle sorts the values, joins those that are equal, and adds up.
func (t *Tails) settle() {
	slices.SortStableFunc(t.Values, func(a, b TailValue) int { return cmp.Compare(a.Value, b.Value) })
	joined := t.Values[:0]
	for _, v := range t.Values {
		if last := len(joined) - 1; last >= 0 && joined[last].Value == v.Value {
			joined[last].Records += v.Records
			joined[last].Population += v.Population
			continue
		}
		joined = append(joined, v)
	}
	t.Values = joined
	for i := 1; i < len(t.Values); i++ {
		t.Values[i].Records += t.Values[i-1].Records
		t.Values[i].Population += t.Values[i-1].Population
	}
}

// UpTo returns the records, and the population, with a value of at most x.
func (t *Tails) UpTo(x float64) (records int, population float64) {
	at := sort.Search(len(t.Values), func(i int) bool { return t.Values[i].Value > x })
	if at == 0 {
		return 0, 0
	}
	return t.Values[at-1].Records, t.Values[at-1].Population
}

// Above returns those with a greater value.
func (t *Tails) Above(x float64) (records int, population float64) {
	all, people := t.All()
	records, population = t.UpTo(x)
	return all - records, people - population
}

// Below returns those with a smaller value.
func (t *Tails) Below(x float64) (records int, population float64) {
	before, ok := t.Before(x)
	if !ok {
		return 0, 0
	}
	return t.UpTo(before)
}

// Before returns the greatest value below x; false where there is none.
func (t *Tails) Before(x float64) (value float64, ok bool) {
	at := sort.Search(len(t.Values), func(i int) bool { return t.Values[i].Value >= x })
	if at == 0 {
		return 0, false
	}
	return t.Values[at-1].Value, true
}

// All returns the records, and the population, with a value.
func (t *Tails) All() (records int, population float64) {
	if len(t.Values) == 0 {
		return 0, 0
	}
	last := t.Values[len(t.Values)-1]
	return last.Records, last.Population
}

// Moved returns the value so many places further than x; from between two values one
// place leads to the next. It ends at the least and the greatest value.
func (t *Tails) Moved(x float64, by int) float64 {
	if len(t.Values) == 0 {
		return x
	}
	return t.Values[Further(len(t.Values), func(i int) float64 { return t.Values[i].Value }, x, by)].Value
}

// Further returns the place so many places further than x among n ascending values; from
// between two values one place leads to the next. It ends at the least and the greatest.
func Further(n int, value func(i int) float64, x float64, by int) int {
	at := sort.Search(n, func(i int) bool { return value(i) >= x })
	if by > 0 && (at == n || value(at) > x) {
		at--
	}
	return max(0, min(n-1, at+by))
}

// Parts returns the upper ends of at most so many parts that hold all values: each
// value where they are few, else round numbers, of categories every so many.
func (t *Tails) Parts(most int, whole bool) []float64 {
	n := len(t.Values)
	most = max(1, most)
	var ends []float64
	if n <= most {
		for _, v := range t.Values {
			ends = append(ends, v.Value)
		}
		return ends
	}
	low, high := t.Values[0].Value, t.Values[n-1].Value
	if most == 1 {
		return []float64{high}
	}
	bins := RoundBins(low, high, max(2, most), whole)
	for bin := range bins.Count {
		ends = append(ends, decimal(bins.Lower(bin+1)))
	}
	if first := decimal(bins.Lower(0)); first >= low { // the lowest value is a round number
		ends = append([]float64{first}, ends...)
	}
	for len(ends) > 1 && ends[len(ends)-2] >= high {
		ends = ends[:len(ends)-1]
	}
	return ends
}
