package microdata

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// Shortest as Numbers.Decimals formats each number with as few decimals as it needs.
const Shortest = math.MaxUint8

// Numbers is the storage of a numeric column. All numbers are written with the same number of decimals, so that
// the text does not reveal which cells a step changed.
type Numbers struct {
	Values   []float64 // one per record, NaN for missing; must not be modified
	Decimals uint8     // of every number, including trailing zeros, or Shortest
}

// appendText appends the text of a nonmissing cell, with a decimal point.
func (n *Numbers) appendText(dst []byte, record int) []byte {
	return n.appendValue(dst, n.Values[record])
}

// appendValue appends the text of a number.
func (n *Numbers) appendValue(dst []byte, value float64) []byte {
	if n.Decimals == Shortest {
		return appendShortest(dst, value)
	}
	return AppendDecimal(dst, value, int(n.Decimals))
}

// Label returns the label of the level of a number.
func (n *Numbers) Label(value float64) string { return string(n.appendValue(nil, value)) }

// suppressed returns the numbers with the cells of the set made missing.
func (n *Numbers) suppressed(s *store.Store, cells *Bits) *Numbers {
	out := *n
	out.Values = cloned(s, n.Values)
	cells.Each(func(record int) { out.Values[record] = math.NaN() })
	return &out
}
