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

// assignment assigns each of n rows a different column so that the sum of distances is minimal. Columns have
// prices; a row prefers columns with a small distance minus price. Shortest augmenting paths use only a few
// columns per row. Columns that a row would prefer to its own are added until there are none, which proves that
// the assignment is optimal. [Jonker and Volgenant 1987, Computing 38; columns added as in Volgenant 1996,
// Computers and Operations Research 23]
type assignment struct {
	n        int
	distance func(row, column int) float64
	columns  [][]edge  // by row: candidate columns
	price    []float64 // by column
	columnOf []int     // by row; -1: none
	rowOf    []int     // by column; -1: none
	paths    paths
}

// edge is a column with its distance from a row.
type edge struct {
	column   int
	distance float64
}

// fewColumns is the maximum number of columns added to a row at a time.
const fewColumns = 8

// assign returns the column of each row, in O(n²) time per round and O(n) memory.
func assign(ctx context.Context, n int, distance func(row, column int) float64, meter *progress.Meter) ([]int, error) {
	a := &assignment{n: n, distance: distance, columns: make([][]edge, n), price: make([]float64, n),
		columnOf: slices.Repeat([]int{-1}, n), rowOf: slices.Repeat([]int{-1}, n), paths: newPaths(n)}
	for row := range n { // ensures that the candidates allow an assignment
		a.columns[row] = append(a.columns[row], edge{row, distance(row, row)})
	}
	least := 0 // rows that prefer no other column in the best round so far
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

// look adds to each row the columns that it prefers to its own and, if there are any, removes its column. It
// returns the rows without a column.
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

// prefer adds the best columns of a row among those better than its own.
func (a *assignment) prefer(row int) {
	limit := math.Inf(1)
	if own := a.columnOf[row]; own >= 0 {
		limit = a.distance(row, own) - a.price[own]
		limit -= tolerance(limit)
	}
	var best [fewColumns]edge // in ascending order of distance minus price
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

// tolerance is the improvement required to prefer a column.
func tolerance(x float64) float64 { return 1e-12 * (1 + math.Abs(x)) }

// content reports whether no candidate column is better than a row's own.
func (a *assignment) content(row int) bool {
	own := a.columnOf[row]
	limit := a.distance(row, own) - a.price[own]
	limit -= tolerance(limit)
	return !slices.ContainsFunc(a.columns[row], func(e edge) bool { return e.distance-a.price[e.column] < limit })
}

// paths holds the buffers for a shortest path search.
type paths struct {
	to    []float64 // by column: shortest length so far
	from  []int     // by column: row before it on the path
	state []uint8   // by column: 0 unseen, 1 seen, 2 settled
	seen  []int
	heap  []edge
}

func newPaths(n int) paths {
	return paths{to: make([]float64, n), from: make([]int, n), state: make([]uint8, n)}
}

// augment assigns a column to a row along the shortest path to a free column, reassigning the rows on it, and
// updates the prices of the columns nearer than its end.
func (a *assignment) augment(row int) {
	p := &a.paths
	p.seen, p.heap = p.seen[:0], p.heap[:0]
	a.relax(row, 0)
	end := -1
	for end < 0 {
		next := p.pop()
		if p.state[next.column] == 2 {
			continue // already settled at a smaller distance
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

// relax updates the distances of a row's columns. before is the length of the path to the row.
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

// nearer orders edges by distance, then by column.
func nearer(a, b edge) bool {
	return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.column, b.column)) < 0
}
