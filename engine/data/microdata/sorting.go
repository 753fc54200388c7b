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

// SortKey ranks rows for Sorted, which sorts rows for display. Rows without a value come last in both directions.
type SortKey struct {
	rank       func(row uint32) uint64 // nothing if missing
	descending bool
}

// nothing is the rank of rows without a value. It is not the rank of a number, because its bits are those of a
// NaN.
const nothing = math.MaxUint64

// SortByNumbers ranks rows by a number; NaN counts as missing.
func SortByNumbers(number func(row uint32) float64, descending bool) SortKey {
	return SortKey{func(row uint32) uint64 { return rankOf(number(row)) }, descending}
}

// SortByColumn ranks rows by the values of a variable: numbers by value, ordered levels by their order, and texts
// alphabetically after numbers. It sorts the levels if they are not in order.
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

// Compare orders levels by value, those without a number first, then by label.
func (l Level) Compare(other Level) int {
	return cmp.Or(cmp.Compare(l.Value, other.Value), strings.Compare(l.Label, other.Label))
}

// compareLevels orders levels: numbers by value, then texts.
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

// PlacesOf returns the position of each row in an order of all rows.
func PlacesOf(rows []uint32) []uint32 {
	places := make([]uint32, len(rows))
	for place, row := range rows {
		places[row] = uint32(place)
	}
	return places
}

// rankedRow is a row with its rank.
type rankedRow struct {
	rank uint64
	row  uint32
}

const (
	digit  = 11 // bits per pass; the counts fit into the cache
	digits = (64 + digit - 1) / digit
)

// Sorted returns the rows sorted by a key; the sort is stable and the argument is not modified. It is a radix
// sort: its time depends on the number of rows, not on their contents. To sort by several keys, begin with the
// last. The only error is that of ctx.
func Sorted(ctx context.Context, rows []uint32, key SortKey) ([]uint32, error) {
	cells := make([]rankedRow, len(rows))
	least, most := uint64(nothing), uint64(0)
	for i, row := range rows {
		if parallel.Stopped(ctx, i) {
			return nil, ctx.Err()
		}
		rank := key.rank(row)
		cells[i] = rankedRow{rank, row}
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

// turned reduces the ranks to the smallest range, reversed for descending order, with missing values last. It
// returns the number of bits of the largest rank.
func (k SortKey) turned(cells []rankedRow, least, most uint64) int {
	if least > most {
		least, most = 0, 0 // no values
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

// radixSorted sorts cells by the lowest width bits of their ranks.
func radixSorted(ctx context.Context, cells []rankedRow, width int) ([]rankedRow, error) {
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
	other := make([]rankedRow, len(cells))
	for pass := range passes {
		starts, shift := &counts[pass], pass*digit
		if slices.Contains(starts[:], uint32(len(cells))) {
			continue // all equal, as often the last bits of integers
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
