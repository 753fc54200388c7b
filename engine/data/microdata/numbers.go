package microdata

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// Shortest is the number of decimals of numbers that are spelled with as few as each needs.
const Shortest = math.MaxUint8

// Numbers is the storage of a numeric column. All are spelled with one number of decimals, so that no spelling reveals
// which cells a step changed.
type Numbers struct {
	Values   []float64 // one per record, NaN for missing; must not be modified
	Decimals uint8     // of every number, zeros at the end too; Shortest: as few as each needs
}

// appendText appends the spelling of a cell that is not missing, with a point
// as decimal mark.
func (n *Numbers) appendText(dst []byte, record int) []byte {
	if n.Decimals == Shortest {
		return appendShortest(dst, n.Values[record])
	}
	return AppendDecimal(dst, n.Values[record], int(n.Decimals))
}

// suppressed returns the numbers with the cells of the set made missing.
func (n *Numbers) suppressed(s *store.Store, cells *Bits) *Numbers {
	out := *n
	out.Values = cloned(s, n.Values)
	cells.Each(func(record int) { out.Values[record] = math.NaN() })
	return &out
}
