package inference

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// basis has what the base of a target is guessed from: the distinct combinations of its
// cells and of the other key variables.
type basis struct {
	others []string // the other key variables
	table  *keys.Table
	cells  []uint32 // by combination

	mutex sync.Mutex
	known map[string][]bool // what right returned, by what was left out
}

// newBasis returns the basis of a target; nil where there are no other key variables.
func newBasis(ctx context.Context, data *microdata.Dataset, t *target, names []string) (*basis, error) {
	b := &basis{known: map[string][]bool{}}
	var columns []*microdata.Column
	for _, name := range names {
		if column, ok := data.Column(name); ok && name != t.variable {
			b.others, columns = append(b.others, name), append(columns, column)
		}
	}
	if len(columns) == 0 {
		return nil, nil
	}
	cells := &microdata.Categories{Levels: make([]microdata.Level, len(t.counts)-1), Codes: microdata.CodesOf(t.cells)}
	for i := range cells.Levels {
		cells.Levels[i].Label = fmt.Sprint(i)
	}
	columns = append(columns, microdata.NewCategorical("", microdata.Category, cells))
	var err error
	if b.table, err = keys.New(ctx, columns, nil); err == nil {
		b.cells = b.table.Codes(len(b.others))
	}
	return b, err
}

// visible returns, of each combination, the other key variables that it has and that are
// not left out, as bits.
func (b *basis) visible(without []string) []uint64 {
	may := uint64(0)
	for v, name := range b.others {
		if !slices.Contains(without, name) {
			may |= 1 << v
		}
	}
	sets := make([]uint64, b.table.Keys())
	for key := range sets {
		sets[key] = may &^ b.table.MissingIn(uint32(key))
	}
	return sets
}

// right says of each combination whether its category is the most frequent one of the
// other records that agree with it on all other key variables that it has, but for some
// that are left out.
func (b *basis) right(ctx context.Context, t *target, without []string) ([]bool, error) {
	without = slices.DeleteFunc(without, func(name string) bool { return !slices.Contains(b.others, name) })
	b.mutex.Lock()
	defer b.mutex.Unlock()
	left := fmt.Sprintf("%q", without)
	if right, known := b.known[left]; known {
		return right, nil
	}
	right, err := b.guessed(ctx, t, without)
	b.known[left] = right
	return right, err
}

// guessed is right, computed.
func (b *basis) guessed(ctx context.Context, t *target, without []string) ([]bool, error) {
	right, sets := make([]bool, b.table.Keys()), b.visible(without)
	patterns := map[uint64][]uint32{} // the combinations with a cell, by what they have
	for key, set := range sets {
		if b.cells[key] != 0 {
			patterns[set] = append(patterns[set], uint32(key))
		}
	}
	of := *t
	of.weights = b.table.Counts()
	for set, with := range patterns {
		groups, err := b.agreeing(ctx, set)
		if err != nil {
			return nil, err
		}
		guess(&of, groups, b.cells, with, right)
	}
	return right, nil
}

// guess marks those combinations for which the others of their group guess rightly.
func guess(t *target, groups *grouping, cells, with []uint32, right []bool) {
	c := newCounter(t)
	asks := make([]bool, len(cells))
	for _, key := range with {
		asks[key] = true
	}
	shown := showing{cells, rivalBits}
	for i := range groups.groups() {
		group := groups.group(i)
		if !slices.ContainsFunc(group, func(key uint32) bool { return asks[key] }) {
			continue
		}
		c.take(group, shown)
		for _, key := range group {
			if asks[key] {
				right[key] = c.guesses(shown.at(key))
			}
		}
	}
}

// agreeing groups the combinations by what they have of some variables. Those without a
// value are apart from those that have one.
func (b *basis) agreeing(ctx context.Context, set uint64) (*grouping, error) {
	g := b.table.Groups()
	of := &keys.Groups{Counts: g.Counts}
	for v := range b.others {
		if set>>v&1 == 1 {
			of.Codes, of.Levels = append(of.Codes, g.Codes[v]), append(of.Levels, g.Levels[v])
		}
	}
	if len(of.Codes) == 0 {
		order := stat.InOrder(len(b.cells))
		return &grouping{starts: []uint32{0, uint32(len(order))}, rows: order}, nil
	}
	table, err := keys.FromGroups(ctx, of)
	if err != nil {
		return nil, err
	}
	numbers := make([]uint32, len(b.cells))
	for key, number := range table.RowKeys() {
		numbers[key] = number + 1
	}
	groups := grouped(nil, nil, numbers, table.Keys())
	return &groups, nil
}
