package microdata

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// OddSpelling is the number of decimals that marks a cell whose spelling is
// kept as text, because the value and a number of decimals do not tell it:
// "1e3", ".5", "5.". A cell with this mark that has no text of its own is spelled
// with as many decimals as tell its value, such as the means of groups.
const OddSpelling = math.MaxUint8

// Shortest is the number of decimals of a variable whose numbers have different ones: as few as tell each.
const Shortest = OddSpelling - 1

// BarePoint is added to the number of decimals, below 127, of a cell that has
// no digit before the decimal mark: ".5", "-.25".
const BarePoint = 0x80

// Numbers is the storage of a numeric column. The spelling of a cell is its
// value with a number of decimals, the same for all cells or one each, or a
// text of its own; so a file comes out as it came in.
type Numbers struct {
	Values   []float64         // one per record, NaN for missing; must not be modified
	Decimals []uint8           // per record; nil: Uniform holds for all
	Uniform  uint8             // decimals of every cell where Decimals is nil; Shortest: their own
	Odd      map[uint32]string // spellings of the cells marked OddSpelling, by record
}

// DecimalsOf returns a function that returns the decimals of the cell of a record. Where they differ, a missing one has
// those of the first number.
func (n *Numbers) DecimalsOf() func(record int) uint8 {
	switch {
	case n.Decimals != nil:
		return func(record int) uint8 { return n.Decimals[record] }
	case n.Uniform != Shortest:
		return func(int) uint8 { return n.Uniform }
	}
	first := uint8(0)
	if at := slices.IndexFunc(n.Values, func(x float64) bool { return x == x }); at >= 0 {
		first = shortest(n.Values[at])
	}
	return func(record int) uint8 {
		if x := n.Values[record]; x == x {
			return shortest(x)
		}
		return first
	}
}

// shortest returns the fewest decimals that tell a number; OddSpelling where these are many.
func shortest(x float64) uint8 {
	const most, exact = 15, 1 << 53
	scale := 1.0
	for decimals := range uint8(most) {
		if whole := math.Round(x * scale); math.Abs(whole) < exact && whole/scale == x {
			return decimals
		}
		scale *= 10
	}
	_, fraction, _ := strings.Cut(strconv.FormatFloat(x, 'f', -1, 64), ".")
	return uint8(min(len(fraction), OddSpelling))
}

// appendText appends the spelling of a cell that is not missing, with a point
// as decimal mark.
func (n *Numbers) appendText(dst []byte, record int) []byte {
	decimals := n.Uniform
	if n.Decimals != nil {
		decimals = n.Decimals[record]
	}
	switch {
	case decimals == Shortest:
		return strconv.AppendFloat(dst, n.Values[record], 'f', -1, 64)
	case decimals == OddSpelling:
		if text, ok := n.Odd[uint32(record)]; ok {
			return append(dst, text...)
		}
		return strconv.AppendFloat(dst, n.Values[record], 'f', -1, 64)
	case decimals&BarePoint != 0:
		return AppendBare(dst, n.Values[record], int(decimals&^BarePoint))
	default:
		return AppendDecimal(dst, n.Values[record], int(decimals))
	}
}

// suppressed returns the numbers with the cells of the set made missing.
func (n *Numbers) suppressed(s *store.Store, cells *Bits) *Numbers {
	out := *n
	out.Values = cloned(s, n.Values)
	cells.Each(func(record int) { out.Values[record] = math.NaN() })
	return &out
}

// validate reports numbers whose parts do not fit together.
func (n *Numbers) validate() error {
	if n.Decimals != nil && len(n.Decimals) != len(n.Values) {
		return fmt.Errorf("%d spellings for %d numbers", len(n.Decimals), len(n.Values))
	}
	return nil
}
