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
// most expensive first, unless a primary cell, or a difference that must stay unknown, would be a linear combination of
// what is published then. apart are such combinations: a cell minus Times another one. The result is the same at every
// call. Errors wrap ErrForced, or are those of the context.
func Gauss(ctx context.Context, cells []Cell, apart []Apart) (*microdata.Bits, error) {
	g := newGauss(cells, apart)
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
		column := g.reduced(column(cells, int(i), modular.One))
		if len(column) == 0 {
			continue
		}
		if _, reveals := g.secret[ratio(g.sum(column))]; !reveals {
			g.publish(column)
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

// Apart is a combination of two cells that must stay unknown: Cell minus Times the other one, modulo the prime of
// package modular.
type Apart struct {
	Cell, Other int
	Times       uint64
}

// entry is what a column has of a group.
type entry struct {
	group  int32
	factor uint64
}

// gauss keeps what is published in a triangular form, and reduces by it what must stay unknown.
type gauss struct {
	published [][]entry // columns; each is 0 at the pivots of earlier ones
	pivots    []int32   // of each published column: its group
	pivotOf   []int32   // per group: 1 + the published column whose pivot it is

	secrets [][]entry   // columns of what must stay unknown, 0 at all pivots
	sums    [][2]uint64 // of each: its factors times the random numbers
	secret  map[uint64]int32
	having  [][]int32 // per group: secrets that have it, or had it
	uses    []int32   // per group: columns of cells that have it

	draws  [][2]uint64 // per group: two random numbers
	dense  []uint64    // work: per group
	listed []bool      // work: per group, it is in the list of those that are not 0
	heap   []int32     // work: published columns to subtract
}

func newGauss(cells []Cell, apart []Apart) *gauss {
	groups := int32(0)
	if len(cells) > 0 {
		groups = cells[0].basis.groups
	}
	g := &gauss{pivotOf: make([]int32, groups), having: make([][]int32, groups), draws: make([][2]uint64, groups),
		dense: make([]uint64, groups), listed: make([]bool, groups),
		uses: make([]int32, groups), secret: map[uint64]int32{}}
	random := rand.New(rand.NewPCG(3, 4))
	for i := range g.draws {
		g.draws[i] = [2]uint64{random.Uint64N(modular.Prime), random.Uint64N(modular.Prime)}
	}
	for i := range cells {
		for _, e := range column(cells, i, modular.One) {
			g.uses[e.group]++
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
			g.add(g.reduced(column(cells, i, modular.One)))
		}
	}
	for _, a := range apart {
		g.add(g.reduced(combined(column(cells, a.Cell, modular.One), column(cells, a.Other, modular.Negative(a.Times)))))
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

// add keeps a column that must stay unknown.
func (g *gauss) add(column []entry) {
	if len(column) == 0 {
		return
	}
	at, sums := int32(len(g.secrets)), g.sum(column)
	if _, twice := g.secret[ratio(sums)]; twice {
		return
	}
	g.secret[ratio(sums)] = at
	g.secrets, g.sums = append(g.secrets, column), append(g.sums, sums)
	for _, e := range column {
		g.having[e.group] = append(g.having[e.group], at)
	}
}

// sum returns the factors of a column times the random numbers of their groups, added up.
func (g *gauss) sum(column []entry) (sums [2]uint64) {
	for _, e := range column {
		for d := range sums {
			sums[d] = modular.Sum(sums[d], modular.Product(e.factor, g.draws[e.group][d]))
		}
	}
	return sums
}

// ratio returns a number that columns share if they are multiples of each other.
func ratio(sums [2]uint64) uint64 { return modular.Product(sums[0], modular.Inverse(sums[1])) }

// reduced subtracts what is published from a column.
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
	var rest []entry
	for _, group := range list {
		if g.dense[group] != 0 {
			rest = append(rest, entry{group, g.dense[group]})
		}
		g.dense[group], g.listed[group] = 0, false
	}
	return rest
}

// publish adds a reduced column to what is published, and reduces what must stay unknown by it.
func (g *gauss) publish(column []entry) {
	pivot := column[0]
	for _, e := range column {
		if cmp.Or(cmp.Compare(len(g.having[e.group]), len(g.having[pivot.group])),
			cmp.Compare(g.uses[e.group], g.uses[pivot.group])) < 0 {
			pivot = e
		}
	}
	scale := modular.Inverse(pivot.factor)
	for i := range column {
		column[i].factor = modular.Product(column[i].factor, scale)
	}
	sums := g.sum(column)
	for _, at := range g.having[pivot.group] {
		has := slices.IndexFunc(g.secrets[at], func(e entry) bool { return e.group == pivot.group })
		if has >= 0 {
			g.reduceSecret(at, column, sums, modular.Negative(g.secrets[at][has].factor))
		}
	}
	g.having[pivot.group] = nil
	g.published, g.pivots = append(g.published, column), append(g.pivots, pivot.group)
	g.pivotOf[pivot.group] = int32(len(g.published))
}

// reduceSecret adds a published column times a factor to a column that must stay unknown.
func (g *gauss) reduceSecret(at int32, published []entry, sums [2]uint64, times uint64) {
	old := g.secrets[at]
	for _, e := range old {
		g.dense[e.group], g.listed[e.group] = e.factor, true
	}
	for _, e := range published {
		if !g.listed[e.group] {
			g.listed[e.group] = true
			old = append(old, entry{group: e.group})
			g.having[e.group] = append(g.having[e.group], at)
		}
		g.dense[e.group] = modular.Sum(g.dense[e.group], modular.Product(times, e.factor))
	}
	kept := old[:0]
	for _, e := range old {
		if e.factor = g.dense[e.group]; e.factor != 0 {
			kept = append(kept, e)
		}
		g.dense[e.group], g.listed[e.group] = 0, false
	}
	g.secrets[at] = kept
	if before := ratio(g.sums[at]); g.secret[before] == at {
		delete(g.secret, before)
	}
	for d := range sums {
		g.sums[at][d] = modular.Sum(g.sums[at][d], modular.Product(times, sums[d]))
	}
	now := ratio(g.sums[at])
	if _, twice := g.secret[now]; twice {
		g.secrets[at] = nil
		return
	}
	g.secret[now] = at
}
