package linkage

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// assignment assigns each of n rows a column of its own, with the least sum of distances.
// Columns have prices; a row prefers the columns whose distance less price is least. Paths
// are looked for among a few columns of each row, and columns that a row would prefer to its
// own are added until there are none: then no other assignment has a lower sum.
// [Jonker and Volgenant 1987, Computing 38; columns added as in Volgenant 1996, Computers and
// Operations Research 23]
type assignment struct {
	n        int
	distance func(row, column int) float64
	columns  [][]edge  // by row: those looked at
	price    []float64 // by column
	columnOf []int     // by row; -1: none
	rowOf    []int     // by column; -1: none
	paths    paths
}

// edge is a column at its distance from a row.
type edge struct {
	column   int
	distance float64
}

// fewColumns is how many columns a row gets at a time.
const fewColumns = 8

// assign returns the column of each row, in time O(n²) for each of some rounds and memory O(n).
func assign(ctx context.Context, n int, distance func(row, column int) float64, meter *progress.Meter) ([]int, error) {
	a := &assignment{n: n, distance: distance, columns: make([][]edge, n), price: make([]float64, n),
		columnOf: slices.Repeat([]int{-1}, n), rowOf: slices.Repeat([]int{-1}, n), paths: newPaths(n)}
	for row := range n { // so that there is an assignment among the columns looked at
		a.columns[row] = append(a.columns[row], edge{row, distance(row, row)})
	}
	least := 0 // rows that prefer no other column, in the best round so far
	for {
		free, err := a.look(ctx)
		if settled := n - len(free); settled > least {
			meter.Add(int64(settled - least))
			least = settled
		}
		if err != nil || len(free) == 0 {
			return a.columnOf, err
		}
		for i, row := range free {
			if parallel.Stopped(ctx, i*parallel.Block/64) {
				return nil, ctx.Err()
			}
			a.augment(row)
		}
	}
}

// look adds to each row the columns that it prefers to its own, parts it from that where there
// are some, and returns the rows without a column.
func (a *assignment) look(ctx context.Context) (free []int, err error) {
	const block = 64
	err = parallel.Tasks(ctx, (a.n+block-1)/block, runtime.GOMAXPROCS(0), func(_, task int) {
		for row := task * block; row < min((task+1)*block, a.n); row++ {
			a.prefer(row)
		}
	})
	for row := range a.n {
		own := a.columnOf[row]
		if own >= 0 && !a.content(row) {
			a.columnOf[row], a.rowOf[own] = -1, -1
			own = -1
		}
		if own < 0 {
			free = append(free, row)
		}
	}
	return free, err
}

// prefer adds the columns that a row likes best, of those better than its own.
func (a *assignment) prefer(row int) {
	limit := math.Inf(1)
	if own := a.columnOf[row]; own >= 0 {
		limit = a.distance(row, own) - a.price[own]
		limit -= tolerance(limit)
	}
	var best [fewColumns]edge // in ascending order of distance less price
	count := 0
	for column := range a.n {
		reduced := a.distance(row, column) - a.price[column]
		if reduced >= limit {
			continue
		}
		at := min(count, fewColumns-1)
		for ; at > 0 && best[at-1].distance > reduced; at-- {
			best[at] = best[at-1]
		}
		best[at] = edge{column, reduced}
		if count = min(count+1, fewColumns); count == fewColumns {
			limit = best[count-1].distance
		}
	}
	for _, e := range best[:count] {
		known := func(other edge) bool { return other.column == e.column }
		if !slices.ContainsFunc(a.columns[row], known) {
			a.columns[row] = append(a.columns[row], edge{e.column, a.distance(row, e.column)})
		}
	}
}

// tolerance is how much better a column has to be to be preferred.
func tolerance(x float64) float64 { return 1e-12 * (1 + math.Abs(x)) }

// content reports whether no column looked at is better than a row's own.
func (a *assignment) content(row int) bool {
	own := a.columnOf[row]
	limit := a.distance(row, own) - a.price[own]
	limit -= tolerance(limit)
	return !slices.ContainsFunc(a.columns[row], func(e edge) bool { return e.distance-a.price[e.column] < limit })
}

// paths is the room for the search of a path.
type paths struct {
	to    []float64 // by column: the least sum so far
	from  []int     // by column: the row before it
	state []uint8   // by column: 0 unseen, 1 seen, 2 settled
	seen  []int
	heap  []edge
}

func newPaths(n int) paths {
	return paths{to: make([]float64, n), from: make([]int, n), state: make([]uint8, n)}
}

// augment gives a row a column along the path of least sum to a free one, on which rows
// change theirs, and moves the prices of the columns nearer than its end.
func (a *assignment) augment(row int) {
	p := &a.paths
	p.seen, p.heap = p.seen[:0], p.heap[:0]
	a.relax(row, 0)
	end := -1
	for end < 0 {
		next := p.pop()
		if p.state[next.column] == 2 {
			continue // it was seen nearer
		}
		p.state[next.column] = 2
		if other := a.rowOf[next.column]; other < 0 {
			end = next.column
		} else {
			own := a.distance(other, next.column) - a.price[next.column]
			a.relax(other, next.distance-own)
		}
	}
	for _, column := range p.seen {
		if p.state[column] == 2 {
			a.price[column] += p.to[column] - p.to[end]
		}
		p.state[column] = 0
	}
	for column := end; ; {
		other := p.from[column]
		before := a.columnOf[other]
		a.columnOf[other], a.rowOf[column] = column, other
		if other == row {
			return
		}
		column = before
	}
}

// relax sees the columns of a row from which what is before it has such a sum.
func (a *assignment) relax(row int, before float64) {
	p := &a.paths
	for _, e := range a.columns[row] {
		sum := before + e.distance - a.price[e.column]
		switch p.state[e.column] {
		case 2:
			continue
		case 0:
			p.state[e.column] = 1
			p.seen = append(p.seen, e.column)
		case 1:
			if sum >= p.to[e.column] {
				continue
			}
		}
		p.to[e.column], p.from[e.column] = sum, row
		p.push(edge{e.column, sum})
	}
}

func (p *paths) push(e edge) {
	p.heap = append(p.heap, e)
	for at := len(p.heap) - 1; at > 0; {
		parent := (at - 1) / 2
		if !nearer(p.heap[at], p.heap[parent]) {
			return
		}
		p.heap[at], p.heap[parent] = p.heap[parent], p.heap[at]
		at = parent
	}
}

func (p *paths) pop() edge {
	top, last := p.heap[0], len(p.heap)-1
	p.heap[0] = p.heap[last]
	p.heap = p.heap[:last]
	for at := 0; ; {
		child := 2*at + 1
		if child >= last {
			return top
		}
		if child+1 < last && nearer(p.heap[child+1], p.heap[child]) {
			child++
		}
		if !nearer(p.heap[child], p.heap[at]) {
			return top
		}
		p.heap[at], p.heap[child] = p.heap[child], p.heap[at]
		at = child
	}
}

// nearer orders by distance, and by column where it is the same.
func nearer(a, b edge) bool {
	return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.column, b.column)) < 0
}
