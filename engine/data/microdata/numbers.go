package microdata

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// OddSpelling is the number of decimals that marks a cell whose spelling is
// kept as text, because the value and a number of decimals do not tell it:
// "1e3", ".5", "5.". A cell with this mark that has no text of its own is spelled
// with as many decimals as tell its value, such as the means of groups.
const OddSpelling = math.MaxUint8

// BarePoint is added to the number of decimals, below 127, of a cell that has
// no digit before the decimal mark: ".5", "-.25".
const BarePoint = 0x80

// Numbers is the storage of a numeric column. The spelling of a cell is its
// value with a number of decimals, the same for all cells or one each, or a
// text of its own; so a file comes out as it came in.
type Numbers struct {
	Values   []float64         // one per record, NaN for missing; must not be modified
	Decimals []uint8           // per record; nil: Uniform holds for all
	Uniform  uint8             // decimals of every cell where Decimals is nil
	Odd      map[uint32]string // spellings of the cells marked OddSpelling, by record
}

func (n *Numbers) decimals(record int) uint8 {
	if n.Decimals == nil {
		return n.Uniform
	}
	return n.Decimals[record]
}

// appendText appends the spelling of a cell that is not missing, with a point
// as decimal mark.
func (n *Numbers) appendText(dst []byte, record int) []byte {
	decimals := n.decimals(record)
	switch {
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

// CalledByText returns a column in which a category of a number that stands in several spellings is called as the first
// of them by their bytes, and not as the first record has it: of records that have no order.
func (c *Column) CalledByText() *Column {
	if c.numbers == nil {
		return c
	}
	out := c.copy()
	out.dictionary = sync.OnceValue(func() *Categories {
		was, text := c.dictionary(), []byte(nil)
		named := &Categories{Levels: slices.Clone(was.Levels), Codes: was.Codes, Ordered: was.Ordered}
		for row := range was.Codes.Len() {
			if code := was.Codes.At(row); code > 0 {
				if text = c.AppendText(text[:0], row); string(text) < named.Levels[code-1].Label {
					named.Levels[code-1].Label = string(text)
				}
			}
		}
		return named
	})
	return out.finish()
}

// validate reports numbers whose parts do not fit together.
func (n *Numbers) validate() error {
	if n.Decimals != nil && len(n.Decimals) != len(n.Values) {
		return fmt.Errorf("%d spellings for %d numbers", len(n.Decimals), len(n.Values))
	}
	return nil
}
