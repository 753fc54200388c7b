// Package smallcounts rounds the small inner cells of a table of counts, so that no small count is published and the
// rounded table adds up.
//
// Source: O. Langsrud and J. Heldal, An algorithm for small count rounding of tabular data, Privacy in Statistical
// Databases, 2018.
//
//	counts := smallcounts.Round(table, 3)
package smallcounts

import (
	"container/heap"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// rounding is a table whose small inner cells are 0 or the base.
type rounding struct {
	groups  [][]int32 // per cell: its inner cells
	within  [][]int32 // per inner cell: the cells that contain it
	rounded []int     // per inner cell
	excess  []int     // per cell: rounded minus true count
}

// Round returns the rounded count of every cell of a table of counts. Inner cells with a count between 0 and the base
// become 0 or the base, all others keep their counts, and sums are those of the rounded inner cells. The base is 2 or more.
func Round(t *tabular.Table, base int) []int {
	r := &rounding{groups: t.Groups(func(int) bool { return true }), excess: make([]int, len(t.Cells))}
	for at := range t.Cells {
		if t.Inner(at) {
			r.rounded = append(r.rounded, int(t.Cells[at].Value))
		}
	}
	r.within = make([][]int32, len(r.rounded))
	for cell, of := range r.groups {
		for _, inner := range of {
			r.within[inner] = append(r.within[inner], int32(cell))
		}
	}
	r.round(base)
	counts := make([]int, len(t.Cells))
	for cell, of := range r.groups {
		for _, inner := range of {
			counts[cell] += r.rounded[inner]
		}
	}
	return counts
}

// round sets as many small inner cells to the base as their counts amount to, each time the one whose cells lack most;
// the others become 0.
func (r *rounding) round(base int) {
	var waiting lacking
	sum := 0
	for inner, count := range r.rounded {
		if count > 0 && count < base {
			sum += count
			r.add(inner, -count)
			waiting = append(waiting, candidate{inner: inner})
		}
	}
	for i := range waiting {
		waiting[i].lack = r.lack(waiting[i].inner)
	}
	heap.Init(&waiting)
	for left := int(math.Round(float64(sum) / float64(base))); left > 0 && len(waiting) > 0; {
		top := &waiting[0]
		if lack := r.lack(top.inner); lack < top.lack { // a neighbour was set
			top.lack = lack
			heap.Fix(&waiting, 0)
			continue
		}
		r.add(heap.Pop(&waiting).(candidate).inner, base)
		left--
	}
}

// add adds to an inner cell.
func (r *rounding) add(inner, n int) {
	r.rounded[inner] += n
	for _, cell := range r.within[inner] {
		r.excess[cell] += n
	}
}

// lack returns by how much the cells of an inner cell are too small.
func (r *rounding) lack(inner int) (lack int) {
	for _, cell := range r.within[inner] {
		lack -= r.excess[cell]
	}
	return lack
}

// candidate is an inner cell that may become the base.
type candidate struct{ inner, lack int }

// lacking is a heap of candidates, those first whose published cells lack most.
type lacking []candidate

// Len implements heap.Interface.
func (l lacking) Len() int { return len(l) }

// Less implements heap.Interface.
func (l lacking) Less(i, j int) bool {
	return l[i].lack > l[j].lack || l[i].lack == l[j].lack && l[i].inner < l[j].inner
}

// Swap implements heap.Interface.
func (l lacking) Swap(i, j int) { l[i], l[j] = l[j], l[i] }

// Push implements heap.Interface.
func (l *lacking) Push(x any) { *l = append(*l, x.(candidate)) }

// Pop implements heap.Interface.
func (l *lacking) Pop() any {
	last := (*l)[len(*l)-1]
	*l = (*l)[:len(*l)-1]
	return last
}
