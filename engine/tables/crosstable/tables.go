// Package crosstable finds the unsafe cells of cross tables of key variables, which few records share, and the
// cheapest variables that break them up: at least one of each combination with an unsafe cell. [Hundepool and
// others 2012, Statistical Disclosure Control; the manual of mu-Argus 5.1]
package crosstable

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// Table is a combination of key variables to cross-tabulate.
type Table struct {
	Set       uint64 // bit v for variable v
	Threshold int    // maximum number of records of an unsafe cell
}

// Sorted sorts tables by their first variables, and keeps each combination once with its largest threshold.
func Sorted(tables []Table) []Table {
	slices.SortFunc(tables, func(a, b Table) int {
		return cmp.Or(compareSets(a.Set, b.Set), cmp.Compare(b.Threshold, a.Threshold))
	})
	return slices.CompactFunc(tables, func(a, b Table) bool { return a.Set == b.Set })
}

// BySize returns the indices of tables in ascending order of their number of variables.
func BySize(tables []Table) []uint32 {
	places := stat.InOrder(len(tables))
	slices.SortStableFunc(places, func(a, b uint32) int {
		return bits.OnesCount64(tables[a].Set) - bits.OnesCount64(tables[b].Set)
	})
	return places
}

// compareSets orders sets of variables as lists of ascending numbers.
func compareSets(a, b uint64) int {
	for a != 0 && b != 0 {
		if first, second := bits.TrailingZeros64(a), bits.TrailingZeros64(b); first != second {
			return first - second
		}
		a, b = a&(a-1), b&(b-1)
	}
	return bits.Len64(a) - bits.Len64(b)
}

// Variables lists the variables of a set, ascending.
func Variables(set uint64) (variables []int) {
	for ; set != 0; set &= set - 1 {
		variables = append(variables, bits.TrailingZeros64(set))
	}
	return variables
}

// Most is the maximum number of combinations of key variables.
const Most = 5000

// Choices lists the sets of size of n variables, in the order of their first variables. ok is false if there are
// more than Most.
func Choices(n, size int) (sets []uint64, ok bool) {
	if size < 1 || size > n {
		return nil, true
	}
	variables := make([]int, n)
	for v := range variables {
		variables[v] = v
	}
	return Chosen(variables, slices.Repeat([]int{n}, size))
}

// Chosen lists the sets that consist of one of the first upTo[0] variables, one of the first upTo[1] that comes
// after it in variables, and so on. ok is false if there are more than Most.
func Chosen(variables, upTo []int) (sets []uint64, ok bool) {
	var extend func(set uint64, place, from int) bool
	extend = func(set uint64, place, from int) bool {
		if place == len(upTo) {
			sets = append(sets, set)
			return len(sets) <= Most
		}
		for i := from; i < upTo[place]; i++ {
			if !extend(set|1<<variables[i], place+1, i+1) {
				return false
			}
		}
		return true
	}
	ok = extend(0, 0, 0)
	return sets, ok
}
