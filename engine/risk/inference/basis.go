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

// basis has the data for guessing a target from the other key variables: the distinct combinations of its cells
// with these variables. The true categories of suppressed cells are not part of them.
type basis struct {
	keys  []string // key variables, including the target's
	own   int      // index of the target's variable
	table *keys.Table
	cells []uint32 // by combination

	mutex sync.Mutex
	known map[string][]uint32 // cached results of guesses by the variables left out
}

// newBasis returns the basis of a target, or nil if there are no other key variables.
func (s *search) newBasis(ctx context.Context, t *target) (*basis, error) {
	scenario := s.version.Scenario.Clone()
	scenario.Weight = ""
	scenario.Keys = slices.DeleteFunc(slices.Sorted(slices.Values(s.keys)), func(name string) bool {
		_, ok := s.data.Column(name)
		return !ok
	})
	b := &basis{keys: scenario.Keys, own: slices.Index(scenario.Keys, t.variable), known: map[string][]uint32{}}
	if len(b.keys) < 2 {
		return nil, nil
	}
	var err error
	if t.recoded {
		b.table, err = b.withCells(ctx, s.data, t)
	} else {
		b.table, err = s.version.Under(&scenario).Table(ctx)
	}
	if err != nil {
		return nil, err
	}
	b.cells = slices.Clone(b.table.Codes(b.own))
	for key, cell := range b.cells {
		if cell == 0 && !t.recoded {
			b.cells[key] = t.categories + 1
		}
	}
	return b, nil
}

// withCells returns the combinations with the cells of a target instead of its categories.
func (b *basis) withCells(ctx context.Context, data *microdata.Dataset, t *target) (*keys.Table, error) {
	var columns []*microdata.Column
	for _, name := range b.keys {
		column, _ := data.Column(name)
		columns = append(columns, column)
	}
	cells := &microdata.Categories{Levels: make([]microdata.Level, len(t.counts)-1), Codes: t.cells.codes()}
	for i := range cells.Levels {
		cells.Levels[i].Label = fmt.Sprint(i)
	}
	columns[b.own] = microdata.NewCategorical("", microdata.Category, cells)
	return keys.New(ctx, columns, nil)
}

// visible returns, for each combination, the set of other key variables that are neither missing nor left out, as
// bits.
func (b *basis) visible(without []string) []uint64 {
	may := uint64(0)
	for v, name := range b.keys {
		if v != b.own && !slices.Contains(without, name) {
			may |= 1 << v
		}
	}
	sets := make([]uint64, b.table.Keys())
	for key := range sets {
		sets[key] = may &^ b.table.MissingIn(uint32(key))
	}
	return sets
}

// guesses returns, for each combination, the most frequent category of the other records that agree with it on all
// other key variables that are not missing, except those in without. If suppressed is set, it does so only for
// combinations with a suppressed cell. It returns nil if there are no other key variables.
func (b *basis) guesses(ctx context.Context, t *target, without []*microdata.Column, suppressed bool) (of []uint32, err error) {
	if b == nil {
		return nil, nil
	}
	var names []string
	for _, column := range without {
		if slices.Contains(b.keys, column.Name()) {
			names = append(names, column.Name())
		}
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	left := fmt.Sprintf("%q", names)
	if of, known := b.known[left]; known {
		return of, nil
	}
	of = make([]uint32, b.table.Keys())
	sets := b.visible(names)
	patterns := map[uint64][]uint32{} // combinations to guess, by their visible variables
	for key, set := range sets {
		if cell := b.cells[key]; cell > t.categories || cell > 0 && !suppressed {
			patterns[set] = append(patterns[set], uint32(key))
		}
	}
	counting := *t
	counting.weights = b.table.Counts()
	for set, asked := range patterns {
		groups, err := b.agreeing(ctx, set)
		if err != nil {
			return nil, err
		}
		b.guess(newCounter(&counting), groups, asked, of)
	}
	b.known[left] = of
	return of, nil
}

// guess sets the guesses of asked combinations from the others of their group.
func (b *basis) guess(c *counter, groups *grouping, asked, of []uint32) {
	asks := make([]bool, len(b.cells))
	for _, key := range asked {
		asks[key] = true
	}
	for i := range groups.groups() {
		group := groups.group(i)
		if !slices.ContainsFunc(group, func(key uint32) bool { return asks[key] }) {
			continue
		}
		c.take(group, visibleCells{rowCells{wide: b.cells}, rivalBits})
		for _, key := range group {
			if asks[key] {
				of[key] = c.guess(b.cells[key])
			}
		}
	}
}

// agreeing groups the combinations that agree on the given variables. A missing value is a separate category.
func (b *basis) agreeing(ctx context.Context, set uint64) (*grouping, error) {
	g := b.table.Groups()
	of := &keys.Groups{Counts: g.Counts}
	for v := range b.keys {
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
	return newPartition(microdata.CodesOf(numbers), table.Keys(), nil).groups(), nil
}
