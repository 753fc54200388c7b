package microdata

import (
	"math"
	"sort"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/size"
)

// Households lists the records of each household. It is immutable.
type Households struct {
	start  []uint32 // household h has positions start[h] to start[h+1]-1
	record []uint32 // record at each position; nil if the records are in order of households
	of     []uint32 // household of each record; nil if the records are in order of households
	sizes  func() []int
}

// NewHouseholds groups records by the value of the column, of any type. A record with a missing identifier is a
// household of its own. It takes O(records) time if identifiers are in ascending order, which is the common case.
// It returns nil for a grouped dataset.
func NewHouseholds(column *Column) (h *Households) {
	if column.multiplicity != nil {
		return nil
	}
	if numbers := column.StoredAsNumbers(); numbers != nil {
		h = fromAscending(numbers.Values)
	}
	if h == nil {
		h = fromCodes(column.Categories())
	}
	h.sizes = sync.OnceValue(h.countSizes)
	return h
}

// Singles returns households of one record each.
func Singles(records int) *Households {
	h := &Households{start: make([]uint32, records+1)}
	for record := range h.start {
		h.start[record] = uint32(record)
	}
	h.sizes = sync.OnceValue(h.countSizes)
	return h
}

// Bytes returns the memory used by h.
func (h *Households) Bytes() int { return size.Of(h.start, h.record, h.of) }

// Sizes returns the number of households by number of members, from 0; it must not be modified. It is counted on
// first use, in O(households).
func (h *Households) Sizes() []int { return h.sizes() }

func (h *Households) countSizes() (sizes []int) {
	for household := range h.Len() {
		members := h.Members(household)
		for len(sizes) <= members {
			sizes = append(sizes, 0)
		}
		sizes[members]++
	}
	return sizes
}

// SingledOutBySize reports whether no other household has the same number of members.
func (h *Households) SingledOutBySize(household int) bool {
	return h.Sizes()[h.Members(household)] == 1
}

// SingledOut returns the number of records in households of a unique size.
func (h *Households) SingledOut() (records int) {
	for members, households := range h.Sizes() {
		if households == 1 {
			records += members
		}
	}
	return records
}

// fromAscending builds the households if identifiers are in ascending order; nil if they are not, or if a missing
// one splits a household.
func fromAscending(identifiers []float64) *Households {
	h := &Households{}
	last, parted := math.Inf(-1), false
	for record, id := range identifiers {
		switch {
		case id == last && !parted:
			continue
		case id <= last:
			return nil
		}
		if parted = math.IsNaN(id); !parted {
			last = id
		}
		h.start = append(h.start, uint32(record))
	}
	h.start = append(h.start, uint32(len(identifiers)))
	return h
}

// fromCodes builds the households from codes, numbered by their first record.
func fromCodes(categories *Categories) *Households {
	n := categories.Codes.Len()
	household := make([]uint32, len(categories.Levels)+1) // by code, plus 1
	h := &Households{of: make([]uint32, n)}
	sizes := []uint32{}
	together := true
	for record := range n {
		code := categories.Codes.At(record)
		if code == 0 || household[code] == 0 {
			sizes = append(sizes, 0)
			household[code] = uint32(len(sizes))
		}
		h.of[record] = household[code] - 1
		sizes[h.of[record]]++
		together = together && int(h.of[record]) == len(sizes)-1
	}
	h.start = make([]uint32, len(sizes)+1)
	for i, size := range sizes {
		h.start[i+1] = h.start[i] + size
	}
	if together {
		h.of = nil
		return h
	}
	h.record = make([]uint32, n)
	next := append([]uint32(nil), h.start...)
	for record, i := range h.of {
		h.record[next[i]] = uint32(record)
		next[i]++
	}
	return h
}

// Records returns the number of records.
func (h *Households) Records() int { return int(h.start[h.Len()]) }

// Len returns the number of households.
func (h *Households) Len() int { return len(h.start) - 1 }

// Of returns the household of a record.
func (h *Households) Of(record int) int {
	if h.of != nil {
		return int(h.of[record])
	}
	if h.Len() == h.Records() { // households of one record each
		return record
	}
	return sort.Search(h.Len(), func(i int) bool { return int(h.start[i+1]) > record })
}

// Members returns the number of records of a household.
func (h *Households) Members(household int) int {
	return int(h.start[household+1] - h.start[household])
}

// Member returns the i-th record of a household, from 0, in file order.
func (h *Households) Member(household, i int) int { return h.at(h.start[household] + uint32(i)) }

// at returns the record at a position.
func (h *Households) at(place uint32) int {
	if h.record != nil {
		return int(h.record[place])
	}
	return int(place)
}
