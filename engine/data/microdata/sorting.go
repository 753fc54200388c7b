package microdata

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// SortKey gives every row a rank, by which Sorted puts rows into order for looking at
// them. Rows without a value come last in both directions.
type SortKey struct {
	rank       func(row uint32) uint64 // missing: nothing
	descending bool
}

// nothing is the rank of rows without a value. No number has it: it is that of a
// NaN.
const nothing = math.MaxUint64

// SortByNumbers ranks rows by a number; NaN is no value.
func SortByNumbers(number func(row uint32) float64, descending bool) SortKey {
	return SortKey{func(row uint32) uint64 { return rankOf(number(row)) }, descending}
}

// SortByColumn ranks rows by the values of a variable: numbers by their size, levels
// with an order in it, texts by their letters, after the numbers among them. It
// costs the time of sorting the levels where they are in no order.
func SortByColumn(column *Column, descending bool) SortKey {
	if numbers := column.StoredAsNumbers(); numbers != nil {
		values := numbers.Values
		return SortByNumbers(func(row uint32) float64 { return values[row] }, descending)
	}
	categories := column.Categories()
	ranks, codes := ranksOf(categories), categories.Codes
	return SortKey{func(row uint32) uint64 { return ranks[codes.At(int(row))] }, descending}
}

// ranksOf returns the rank of each code.
func ranksOf(categories *Categories) []uint64 {
	places := stat.InOrder(len(categories.Levels))
	if !categories.Ordered {
		inOrder := func(a, b uint32) int { return compareLevels(&categories.Levels[a], &categories.Levels[b]) }
		if !slices.IsSortedFunc(places, inOrder) {
			slices.SortFunc(places, inOrder)
		}
	}
	ranks := make([]uint64, len(places)+1)
	ranks[0] = nothing
	for rank, place := range places {
		ranks[place+1] = uint64(rank)
	}
	return ranks
}

// Compare orders levels by their values, those without one first, then by their labels.
func (l Level) Compare(other Level) int {
	return cmp.Or(cmp.Compare(l.Value, other.Value), strings.Compare(l.Label, other.Label))
}

// compareLevels orders levels: numbers by their size, then texts.
func compareLevels(a, b *Level) int {
	switch number, other := a.Value == a.Value, b.Value == b.Value; {
	case number && other && a.Value != b.Value:
		return cmp.Compare(a.Value, b.Value)
	case number && !other:
		return -1
	case other && !number:
		return 1
	}
	return strings.Compare(a.Label, b.Label)
}

// rankOf returns the rank of a number.
func rankOf(x float64) uint64 {
	if x != x {
		return nothing
	}
	return stat.OrderBits(x)
}

// PlacesOf returns the place that each row has in an order of all of them.
func PlacesOf(rows []uint32) []uint32 {
	places := make([]uint32, len(rows))
	for place, row := range rows {
		places[row] = uint32(place)
	}
	return places
}

// ranked is a row with its rank.
type ranked struct {
	rank uint64
	row  uint32
}

const (
	digit  = 11 // bits that one pass sorts by: their counts stay in the cache
	digits = (64 + digit - 1) / digit
)

// Sorted returns rows in the order of a key; those that are alike stay in the order
// they have. The given rows stay as they are. Sorting is by radix: it costs time in
// the number of rows for each key, not in what they hold. By several keys is by the
// last of them first. Errors: that of ctx.
func Sorted(ctx context.Context, rows []uint32, key SortKey) ([]uint32, error) {
	cells := make([]ranked, len(rows))
	least, most := uint64(nothing), uint64(0)
	for i, row := range rows {
		if parallel.Stopped(ctx, i) {
			return nil, ctx.Err()
		}
		rank := key.rank(row)
		cells[i] = ranked{rank, row}
		if rank != nothing {
			least, most = min(least, rank), max(most, rank)
		}
	}
	cells, err := radixSorted(ctx, cells, key.turned(cells, least, most))
	if err != nil {
		return nil, err
	}
	result := make([]uint32, len(rows))
	for i := range cells {
		result[i] = cells[i].row
	}
	return result, nil
}

// turned makes the ranks of cells as small as they can be, the other way round
// where the order is descending, the missing last. It returns the number of bits
// they take.
func (k SortKey) turned(cells []ranked, least, most uint64) int {
	if least > most {
		least, most = 0, 0 // no value at all
	}
	for i := range cells {
		switch rank := &cells[i].rank; {
		case *rank == nothing:
			*rank = most - least + 1
		case k.descending:
			*rank = most - *rank
		default:
			*rank -= least
		}
	}
	return bits.Len64(most - least + 1)
}

// radixSorted sorts cells by so many bits of their ranks, the lowest first.
func radixSorted(ctx context.Context, cells []ranked, width int) ([]ranked, error) {
	passes := (width + digit - 1) / digit
	var counts [digits][1 << digit]uint32
	for i, cell := range cells {
		if parallel.Stopped(ctx, i) {
			return nil, ctx.Err()
		}
		for pass := range passes {
			counts[pass][cell.rank>>(pass*digit)&(1<<digit-1)]++
		}
	}
	other := make([]ranked, len(cells))
	for pass := range passes {
		starts, shift := &counts[pass], pass*digit
		if slices.Contains(starts[:], uint32(len(cells))) {
			continue // all are alike here, as the last bits of whole numbers are
		}
		next := uint32(0)
		for value, count := range starts {
			starts[value] = next
			next += count
		}
		for i, cell := range cells {
			if parallel.Stopped(ctx, i) {
				return nil, ctx.Err()
			}
			at := &starts[cell.rank>>shift&(1<<digit-1)]
			other[*at] = cell
			*at++
		}
		cells, other = other, cells
	}
	return cells, nil
}
