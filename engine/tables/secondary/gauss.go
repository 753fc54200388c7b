package secondary

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/modular"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
)

// Cell is a cell of one or several linked tables.
type Cell struct {
	Contributors int32   // cells with the same ones have the same number; 0: it is empty and published
	Cost         float64 // of suppressing it
	Primary      bool    // it must be suppressed
	Forced       bool    // it must be published
	Absent       bool    // it is neither published nor protected

	basis *basis
}

// ErrForced is wrapped if a cell that must be published reveals a sensitive one.
var ErrForced = errors.New("a cell that must be published reveals a sensitive one")

// ForcedError says which cell that is.
type ForcedError struct{ Cell int }

// Error returns the text of ErrForced with the number of the cell.
func (e *ForcedError) Error() string { return fmt.Sprintf("%v: cell %d", ErrForced, e.Cell) }

// Unwrap returns ErrForced.
func (e *ForcedError) Unwrap() error { return ErrForced }

// Gauss returns the cells to suppress, the primary ones among them. Cells are published in the order of their cost, the
// most expensive first, unless a primary cell, or a sum that must stay secret, would be a linear combination of what is
// published then. The result is the same at every call. Errors wrap ErrForced, or are those of the context.
func Gauss(ctx context.Context, cells []Cell, secret []audit.Sum) (*microdata.Bits, error) {
	g := newGauss(cells, secret)
	hidden := microdata.NewBits(len(cells))
	var order []int32
	for i := range cells {
		if cells[i].Primary {
			hidden.Set(i)
		} else if cells[i].Contributors > 0 && !cells[i].Absent {
			order = append(order, int32(i))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		x, y := &cells[a], &cells[b]
		if x.Forced != y.Forced {
			return boolean(y.Forced) - boolean(x.Forced)
		}
		return cmp.Compare(y.Cost, x.Cost)
	})
	for n, i := range order {
		if n%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if g.free < len(g.published) {
			g.shorten(order[n:])
		}
		column := g.take(i)
		sums := g.sum(column)
		if sums == [2]uint64{} {
			continue
		}
		if _, reveals := g.secret[ratio(sums)]; !reveals {
			g.publish(g.reduced(column))
			continue
		}
		if cells[i].Forced {
			return nil, &ForcedError{int(i)}
		}
		hidden.Set(int(i))
	}
	return hidden, nil
}

func boolean(is bool) int {
	if is {
		return 1
	}
	return 0
}

// entry is what a column has of a group.
type entry struct {
	group  int32
	factor uint64
}

// gauss keeps what is published, and two random tables in which all of that is 0: columns that are multiples of each
// other, but for what is published, have values of the same ratio there.
type gauss struct {
	cells     []Cell
	columns   [][]entry // per cell that is not decided: its column, reduced by what published has no more; nil: as at the start
	published [][]entry // columns; each is 0 at the pivots of earlier ones, and 1 at its own
	pivots    []int32   // of each published column: its group
	pivotOf   []int32   // per group: 1 + the published column whose pivot it is
	having    [][]entry // per group: published columns that have it, not as their pivot, and its factors there
	free      int       // groups that cells have and that are no pivots
	uses      []int32   // per group: columns of cells that have it

	draws  [][2]uint64 // per group: its values in the random tables
	secret map[uint64]int32
	hidden []secret  // what must stay unknown
	parts  [][]entry // per group: those of hidden that have it, and its factors there

	dense   []uint64    // work: per group
	listed  []bool      // work: per group, it is in the list of those that are not 0
	heap    []int32     // work: published columns
	changes [][2]uint64 // work: per group
	stale   []int32     // work: those of hidden whose ratio is not known
}

// secret is what must stay unknown.
type secret struct {
	column []entry
	sums   [2]uint64 // its values in the random tables
	ratio  uint64
	stale  bool // its ratio is not known, or it is a multiple of another one
}

func newGauss(cells []Cell, secret []audit.Sum) *gauss {
	groups := int32(0)
	if len(cells) > 0 {
		groups = cells[0].basis.groups
	}
	g := &gauss{cells: cells, columns: make([][]entry, len(cells)), pivotOf: make([]int32, groups), having: make([][]entry, groups), draws: make([][2]uint64, groups),
		dense: make([]uint64, groups), listed: make([]bool, groups), parts: make([][]entry, groups),
		uses: make([]int32, groups), secret: map[uint64]int32{}, changes: make([][2]uint64, groups)}
	random := rand.New(rand.NewPCG(3, 4))
	for i := range g.draws {
		g.draws[i] = [2]uint64{random.Uint64N(modular.Prime), random.Uint64N(modular.Prime)}
	}
	for i := range cells {
		for _, e := range column(cells, i, modular.One) {
			if g.uses[e.group]++; g.uses[e.group] == 1 {
				g.free++
			}
		}
	}
	for i := range cells { // empty cells are known
		if cells[i].Contributors == 0 {
			if c := g.reduced(column(cells, i, modular.One)); len(c) > 0 {
				g.publish(c)
			}
		}
	}
	for i := range cells {
		if cells[i].Primary {
			g.add(column(cells, i, modular.One))
		}
	}
	for _, sum := range secret {
		var of []entry
		for _, a := range sum {
			of = combined(of, column(cells, a.Cell, a.Factor))
		}
		g.add(of)
	}
	return g
}

// column returns the column of a cell times a factor.
func column(cells []Cell, cell int, factor uint64) []entry {
	c := cells[cell].basis.column(cell)
	for i := range c {
		c[i].factor = modular.Product(c[i].factor, factor)
	}
	return c
}

// combined adds two columns whose groups ascend.
func combined(a, b []entry) []entry {
	var sum []entry
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].group < b[0].group:
			sum, a = append(sum, a[0]), a[1:]
		case a[0].group > b[0].group:
			sum, b = append(sum, b[0]), b[1:]
		default:
			if factor := modular.Sum(a[0].factor, b[0].factor); factor != 0 {
				sum = append(sum, entry{a[0].group, factor})
			}
			a, b = a[1:], b[1:]
		}
	}
	return append(append(sum, a...), b...)
}

// add keeps a column unknown.
func (g *gauss) add(column []entry) {
	s := secret{column: column, sums: g.sum(column)}
	s.ratio = ratio(s.sums)
	if _, twice := g.secret[s.ratio]; twice || s.sums == [2]uint64{} {
		return
	}
	g.secret[s.ratio] = int32(len(g.hidden))
	g.hidden = append(g.hidden, s)
	g.part(int32(len(g.hidden) - 1))
}

// part notes which groups a secret has.
func (g *gauss) part(at int32) {
	for _, e := range g.hidden[at].column {
		g.parts[e.group] = append(g.parts[e.group], entry{at, e.factor})
	}
}

// sum returns the values of a column in the random tables.
func (g *gauss) sum(column []entry) (sums [2]uint64) {
	for _, e := range column {
		addTimes(&sums, e.factor, g.draws[e.group])
	}
	return sums
}

// addTimes adds two numbers times a factor.
func addTimes(sums *[2]uint64, factor uint64, of [2]uint64) {
	for d := range sums {
		sums[d] = modular.Sum(sums[d], modular.Product(factor, of[d]))
	}
}

// ratio returns a number that columns share if they are multiples of each other.
func ratio(sums [2]uint64) uint64 { return modular.Product(sums[0], modular.Inverse(sums[1])) }

// reduced subtracts what is published from a column. The rest is not nil.
func (g *gauss) reduced(of []entry) []entry {
	list := make([]int32, 0, len(of))
	g.heap = g.heap[:0]
	touch := func(group int32) {
		if g.listed[group] {
			return
		}
		g.listed[group] = true
		list = append(list, group)
		if pivot := g.pivotOf[group]; pivot > 0 {
			g.heap = push(g.heap, pivot-1)
		}
	}
	for _, e := range of {
		g.dense[e.group] = e.factor
		touch(e.group)
	}
	for len(g.heap) > 0 {
		var at int32
		at, g.heap = pop(g.heap)
		times := modular.Negative(g.dense[g.pivots[at]])
		if times == 0 {
			continue
		}
		for _, e := range g.published[at] {
			g.dense[e.group] = modular.Sum(g.dense[e.group], modular.Product(times, e.factor))
			touch(e.group)
		}
	}
	rest := make([]entry, 0, len(list))
	for _, group := range list {
		if g.dense[group] != 0 {
			rest = append(rest, entry{group, g.dense[group]})
		}
		g.dense[group], g.listed[group] = 0, false
	}
	return rest
}

// publish adds a reduced column to what is published.
func (g *gauss) publish(column []entry) {
	pivot := g.pivot(column)
	scale := modular.Inverse(pivot.factor)
	at := int32(len(g.published))
	for i := range column {
		column[i].factor = modular.Product(column[i].factor, scale)
		if e := column[i]; e.group != pivot.group {
			g.having[e.group] = append(g.having[e.group], entry{at, e.factor})
		}
	}
	g.published, g.pivots = append(g.published, column), append(g.pivots, pivot.group)
	g.pivotOf[pivot.group] = at + 1
	sums := g.sum(column)
	for d, sum := range sums {
		g.changes[pivot.group][d] = modular.Negative(sum)
	}
	g.heap = push(g.heap[:0], -at)
	g.free--
	g.change()
}

// pivot returns the group of a reduced column from which the fewest others follow.
func (g *gauss) pivot(column []entry) entry {
	follow := func(group int32) int { return len(g.having[group]) + len(g.parts[group]) }
	pivot := column[0]
	for _, e := range column {
		if cmp.Or(cmp.Compare(follow(e.group), follow(pivot.group)), cmp.Compare(g.uses[e.group], g.uses[pivot.group])) < 0 {
			pivot = e
		}
	}
	return pivot
}

// change changes the random tables at the pivot of a published column, and at those of earlier ones that follow from it.
func (g *gauss) change() {
	for len(g.heap) > 0 {
		var last int32
		last, g.heap = pop(g.heap)
		group := g.pivots[-last]
		by := g.changes[group]
		if g.changes[group] = [2]uint64{}; by == [2]uint64{} {
			continue
		}
		addTimes(&g.draws[group], modular.One, by)
		for _, e := range g.having[group] {
			earlier := g.pivots[e.group]
			if g.changes[earlier] == [2]uint64{} {
				g.heap = push(g.heap, -e.group)
			}
			addTimes(&g.changes[earlier], modular.Negative(e.factor), by)
		}
		for _, e := range g.parts[group] {
			s := &g.hidden[e.group]
			if addTimes(&s.sums, e.factor, by); !s.stale {
				s.stale = true
				g.stale = append(g.stale, e.group)
				delete(g.secret, s.ratio)
			}
		}
	}
	for _, at := range g.stale {
		s := &g.hidden[at]
		s.ratio = ratio(s.sums)
		if _, s.stale = g.secret[s.ratio]; !s.stale {
			g.secret[s.ratio] = at
		}
	}
	g.stale = g.stale[:0]
}

// take returns the column of a cell that is decided now.
func (g *gauss) take(cell int32) []entry {
	c := g.columns[cell]
	if g.columns[cell] = nil; c == nil {
		c = column(g.cells, int(cell), modular.One)
	}
	return c
}

// shorten reduces the columns of all cells that are not decided, and of all that must stay unknown, by what is published,
// which is not needed any more then. That many small changes follow from each other costs more than this once in a while.
func (g *gauss) shorten(undecided []int32) {
	for _, cell := range undecided {
		g.columns[cell] = g.reduced(g.take(cell))
	}
	for at := range g.hidden {
		s := &g.hidden[at]
		if s.stale {
			s.column = nil // another one is a multiple of it
			continue
		}
		s.column = g.reduced(s.column)
	}
	g.published, g.pivots = nil, nil
	clear(g.pivotOf)
	clear(g.having)
	clear(g.parts)
	for at := range g.hidden {
		g.part(int32(at))
	}
}
