package streamed

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
)

// Together says how records are numbered whose households have their turn: by what they lose; or draw.
type Together struct {
	Variable string  // that tells which records form a household
	Numeric  bool    // it is compared as a number
	Shares   []Share // where they have their turn
}

// Share is what members of some households lose: of those whose members have keys that add up to Kind, in their order
// from First to Last, counted from 1, the member of a key that is the so-manieth of it, from 1. Households of other
// kinds lose nothing, which has the number 0.
type Share struct{ Kind, Key, Member, First, Last, Loses int64 }

// mostTries is how often numbers are drawn until households that lose cells are told from all others by their sums: of
// ten million kinds of households once in twenty times the first are not enough.
const mostTries = 200

// tellApart numbers the keys so that those of the members of households that lose cells add up to another sum than
// those of any other kind of households; keyOf has the keys of rows.
func (t *together) tellApart(households *microdata.Households, keys int, keyOf func(row int) uint32) error {
	most := 1
	for household := range households.Len() {
		most = max(most, households.Members(household))
	}
	t.numbers = make([]int64, keys)
	for try := range mostTries {
		stream := random.Stream(uint64(try), "keys of households", 0)
		for key := range t.numbers {
			t.numbers[key] = 1 + int64(stream.Uint64()>>(2+bits.Len(uint(most))))
		}
		if t.toldApart(households, keyOf) {
			return nil
		}
	}
	return fmt.Errorf("there are too many kinds of households to tell which lose cells")
}

// toldApart reports whether sums do.
func (t *together) toldApart(households *microdata.Households, keyOf func(row int) uint32) bool {
	losing := make(map[int64]*kind, len(t.kinds))
	for _, k := range t.kinds {
		sum := k.sum(t.numbers)
		if losing[sum] != nil {
			return false
		}
		losing[sum] = k
	}
	var members []uint32
	for household := range households.Len() {
		sum := int64(0)
		for i := range households.Members(household) {
			sum += t.numbers[keyOf(households.Member(household, i))]
		}
		k := losing[sum]
		if k == nil {
			continue
		}
		members = members[:0]
		for i := range households.Members(household) {
			members = append(members, keyOf(households.Member(household, i)))
		}
		if slices.Sort(members); !slices.Equal(members, k.members) {
			return false
		}
	}
	return true
}

// sum returns what the numbers of the members' keys add up to.
func (k *kind) sum(numbers []int64) (sum int64) {
	for _, key := range k.members {
		sum += numbers[key]
	}
	return sum
}

// Numbering returns how records are numbered whose households have their turn, or draw; nil: they do by themselves.
func (d *Deal) Numbering() *Together {
	t := d.together
	if t == nil {
		return nil
	}
	out := &Together{Variable: t.variable, Numeric: t.numeric}
	for _, k := range t.kinds {
		out.Shares = k.shares(out.Shares, t.numbers)
	}
	slices.SortFunc(out.Shares, func(a, b Share) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Member, b.Member), cmp.Compare(a.First, b.First))
	})
	return out
}

// shares appends what the members of households of a kind lose.
func (k *kind) shares(to []Share, numbers []int64) []Share {
	sum, member := k.sum(numbers), int64(0)
	for i, key := range k.members {
		if member++; i > 0 && k.members[i-1] != key {
			member = 1
		}
		next := Share{Kind: sum, Key: numbers[key], Member: member, First: 1}
		for _, run := range k.runs {
			loses := int64(run.sets[i])
			if next.Last > 0 && next.Loses != loses {
				to = append(to, next)
				next.First = next.Last + 1
			}
			next.Loses, next.Last = loses, next.Last+int64(run.households)
		}
		to = append(to, next)
		next.First, next.Last, next.Loses = next.Last+1, math.MaxInt64, 0
		to = append(to, next)
	}
	return to
}

// pack appends keys as the text that a kind is found by.
func pack(to []byte, keys []uint32) []byte {
	for _, key := range keys {
		to = binary.LittleEndian.AppendUint32(to, key)
	}
	return to
}
