// Package crosstable counts the cells of cross tables of key variables that few
// records share, and finds the variables that break them up: those of the least
// cost that have one in each combination whose cell is unsafe. [Hundepool and
// others 2012, Statistical Disclosure Control; the manual of mu-Argus 5.1]
package crosstable

import (
	"cmp"
	"math/bits"
	"slices"
)

// Table is a combination of key variables whose cells are counted.
type Table struct {
	Set       uint64 // bit v for variable v
	Threshold int    // records up to which a cell is unsafe
}

// Sorted orders tables by their first variables, each once with its largest
// threshold.
func Sorted(tables []Table) []Table {
	slices.SortFunc(tables, func(a, b Table) int {
		return cmp.Or(compareSets(a.Set, b.Set), cmp.Compare(b.Threshold, a.Threshold))
	})
	return slices.CompactFunc(tables, func(a, b Table) bool { return a.Set == b.Set })
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

// SetOf returns variables as a set, bit v for variable v.
func SetOf(variables []int) uint64 {
	set := uint64(0)
	for _, v := range variables {
		set |= 1 << v
	}
	return set
}

// Most is the number of combinations of key variables that are
// gone through at most.
const Most = 5000

// Choose returns the number of subsets of a size; more than Most
// where they are too many to be counted.
func Choose(n, size int) int {
	count := 1
	for i := 1; i <= min(size, n-size); i++ {
		if count = count * (n - i + 1) / i; count > Most {
			return count
		}
	}
	return count
}

// Choices lists the combinations of so many of n variables, ascending.
func Choices(n, size int) [][]int {
	if size < 1 || size > n {
		return nil
	}
	chosen := make([]int, size)
	for i := range chosen {
		chosen[i] = i
	}
	var all [][]int
	for {
		all = append(all, slices.Clone(chosen))
		last := size - 1
		for last >= 0 && chosen[last] == n-size+last {
			last--
		}
		if last < 0 {
			return all
		}
		chosen[last]++
		for i := last + 1; i < size; i++ {
			chosen[i] = chosen[i-1] + 1
		}
	}
}
