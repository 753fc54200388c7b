package microdata

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
)

// Compositions are what is known of households where rows stand for several records each: of which rows their
// members are, and how many households are composed alike. The zero value has none.
type Compositions struct {
	start []uint32 // of the rows of each, but for the first
	rows  []uint32
	times []uint32
}

// Add adds so many households, each with one member of every row that is named; a row that is named twice has two. The
// rows are sorted in place.
func (c *Compositions) Add(rows []uint32, households uint32) {
	slices.Sort(rows)
	c.rows = append(c.rows, rows...)
	c.start, c.times = append(c.start, uint32(len(c.rows))), append(c.times, households)
}

// of returns the rows of a composition.
func (c *Compositions) of(i int) []uint32 {
	from := uint32(0)
	if i > 0 {
		from = c.start[i-1]
	}
	return c.rows[from:c.start[i]]
}

// Households returns the households of rows that stand for so many records each; records that are in none of the
// compositions are a household each. They do not depend on the order of the compositions, which are not to be used
// any more. More members of a row than it has records, or more than 4,294,967,295 of it in none, are an error that
// wraps ErrMultiplicity. It takes O(n log n) time in the number of households, with 4 bytes for each member and 8 for
// each composition.
func (c *Compositions) Households(multiplicity []int) (*Households, error) {
	left := slices.Clone(multiplicity)
	for i, times := range c.times {
		for _, row := range c.of(i) {
			if int(row) >= len(left) || left[row] < int(times) {
				return nil, fmt.Errorf("%w: households have more members of a row than it has records", ErrMultiplicity)
			}
			left[row] -= int(times)
		}
	}
	for row, records := range left {
		if records > math.MaxUint32 {
			return nil, fmt.Errorf("%w: %d records without a household are more than %d", ErrMultiplicity, records,
				uint32(math.MaxUint32))
		}
		if records > 0 {
			c.Add([]uint32{uint32(row)}, uint32(records))
		}
	}
	return c.merged(), nil
}

// merged returns the households with equal compositions made one, in the order of their rows.
func (c *Compositions) merged() *Households {
	type place struct{ first, at uint32 }
	order := make([]place, len(c.times))
	for i := range order {
		order[i] = place{c.of(i)[0], uint32(i)}
	}
	slices.SortFunc(order, func(a, b place) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return slices.Compare(c.of(int(a.at)), c.of(int(b.at)))
	})
	h := &Households{start: []uint32{0}, record: make([]uint32, 0, len(c.rows)), times: []uint32{}}
	for i, p := range order {
		rows, times := c.of(int(p.at)), c.times[p.at]
		if i > 0 && slices.Equal(rows, c.of(int(order[i-1].at))) {
			h.times[len(h.times)-1] += times
			continue
		}
		h.record = append(h.record, rows...)
		h.start, h.times = append(h.start, uint32(len(h.record))), append(h.times, times)
	}
	h.sizes = sync.OnceValue(h.countSizes)
	return h
}

// fromGroups returns the households of codes of rows that stand for several records each.
func fromGroups(codes Codes, levels int, multiplicity []int) *Households {
	members := make([][]uint32, levels+1)
	for row, records := range multiplicity {
		if code := codes.At(row); code > 0 {
			members[code] = append(members[code], slices.Repeat([]uint32{uint32(row)}, records)...)
		}
	}
	all := &Compositions{}
	for _, rows := range members {
		if len(rows) > 0 {
			all.Add(rows, 1)
		}
	}
	h, _ := all.Households(multiplicity) // it has the members that there are
	return h
}

// WithHouseholds returns a column that rows are not counted by, with the households that records with equal values of
// it form.
func (c *Column) WithHouseholds(h *Households) *Column {
	out := c.copy()
	out.households = h
	return out.finish()
}

// MostInHouseholds is the number of records up to which it is held of which rows the members of households are: 12
// bytes for each record at most, and 20 more while a file is read.
const MostInHouseholds = 100_000_000

// TellsHouseholds reports whether it is known which records have equal values: of a column that rows are not counted
// by it is with WithHouseholds, until rows are taken apart or values are recoded; of one that they are counted by up to
// MostInHouseholds records.
func (c *Column) TellsHouseholds() bool {
	if c.Uncounted() {
		return c.households != nil && c.Source() == c
	}
	return c.multiplicity == nil || c.Records() <= MostInHouseholds
}

// MostFirst puts what members of a household lose, sets of cells, into an order in which of those with one key, which
// ascend, the ones that lose more come first: which of them is which is not told by their keys.
func MostFirst(keys []uint32, sets []uint64) {
	for from, to := 0, 0; from < len(keys); from = to {
		for to = from + 1; to < len(keys) && keys[to] == keys[from]; to++ {
		}
		slices.SortFunc(sets[from:to], func(a, b uint64) int { return cmp.Compare(b, a) })
	}
}
