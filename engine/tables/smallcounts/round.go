// Package smallcounts rounds the small inner cells of a table of counts, so that no small count is published and the
// rounded table adds up.
//
// Source: O. Langsrud and J. Heldal, An algorithm for small count rounding of tabular data, Privacy in Statistical
// Databases, 2018.
//
//	counts, err := smallcounts.Round(table, 3, published)
package smallcounts

import (
	"container/heap"
	"errors"
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// ErrBase is wrapped by errors about the base of rounding.
var ErrBase = errors.New("no base of rounding")

// roundedTable is a table whose small inner cells are 0 or the base.
type roundedTable struct {
	base    int
	groups  [][]int32 // per published cell: its inner cells; nil: not published
	within  [][]int32 // per inner cell: the published cells that contain it
	counts  []int     // per inner cell
	rounded []int
	small   []bool // per inner cell: it is rounded
	excess  []int  // per cell: rounded minus true count
}

// Round returns the rounded count of every cell. Inner cells are rounded to 0 or the base if they are part of a
// published cell with a count between them, before or after rounding; all others keep their counts. Errors wrap ErrBase.
func Round(t *tabular.Table, base int, published func(cell int) bool) ([]int, error) {
	if base < 2 {
		return nil, fmt.Errorf("%w: it is %d; choose 2 or more", ErrBase, base)
	}
	r := newRounding(t, base, published)
	for r.find() {
		r.round()
	}
	return r.counted(t), nil
}

func newRounding(t *tabular.Table, base int, published func(cell int) bool) *roundedTable {
	r := &roundedTable{base: base, groups: t.Groups(func(int) bool { return true }), excess: make([]int, len(t.Cells))}
	for at := range t.Cells {
		if t.Inner(at) {
			r.counts = append(r.counts, t.Cells[at].N)
		}
	}
	r.rounded = append(r.rounded, r.counts...)
	r.small, r.within = make([]bool, len(r.counts)), make([][]int32, len(r.counts))
	for cell, of := range r.groups {
		if !published(cell) {
			r.groups[cell] = nil
			continue
		}
		for _, inner := range of {
			r.within[inner] = append(r.within[inner], int32(cell))
		}
	}
	return r
}

// find marks the inner cells of small published cells, and reports whether there are any that were not marked.
func (r *roundedTable) find() (more bool) {
	for _, of := range r.groups {
		count := 0
		for _, inner := range of {
			count += r.rounded[inner]
		}
		if count == 0 || count >= r.base {
			continue
		}
		for _, inner := range of {
			if !r.small[inner] && r.counts[inner] > 0 {
				r.small[inner], more = true, true
			}
		}
	}
	return more
}

// round sets as many marked cells to the base as their counts amount to, each time the one whose published cells lack
// most; the others become 0.
func (r *roundedTable) round() {
	clear(r.excess)
	var waiting candidateHeap
	sum := 0
	for inner, is := range r.small {
		if !is {
			continue
		}
		sum += r.counts[inner]
		r.rounded[inner] = 0
		r.add(inner, -r.counts[inner])
		waiting = append(waiting, candidate{inner: inner})
	}
	for i := range waiting {
		waiting[i].lack = r.lack(waiting[i].inner)
	}
	heap.Init(&waiting)
	for left := int(math.Round(float64(sum) / float64(r.base))); left > 0 && len(waiting) > 0; {
		top := &waiting[0]
		if lack := r.lack(top.inner); lack < top.lack { // a neighbour was set
			top.lack = lack
			heap.Fix(&waiting, 0)
			continue
		}
		chosen := heap.Pop(&waiting).(candidate)
		r.rounded[chosen.inner] = r.base
		r.add(chosen.inner, r.base)
		left--
	}
}

// add adds to an inner cell.
func (r *roundedTable) add(inner, n int) {
	for _, cell := range r.within[inner] {
		r.excess[cell] += n
	}
}

// lack returns by how much the published cells of an inner cell are too small.
func (r *roundedTable) lack(inner int) (lack int) {
	for _, cell := range r.within[inner] {
		lack -= r.excess[cell]
	}
	return lack
}

// counted returns the rounded count of every cell.
func (r *roundedTable) counted(t *tabular.Table) []int {
	counts := make([]int, len(t.Cells))
	for cell, of := range t.Groups(func(int) bool { return true }) {
		for _, inner := range of {
			counts[cell] += r.rounded[inner]
		}
	}
	return counts
}

// candidate is an inner cell that may become the base.
type candidate struct{ inner, lack int }

// candidateHeap is a heap of candidates, those first whose published cells lack most.
type candidateHeap []candidate

// Len implements heap.Interface.
func (l candidateHeap) Len() int { return len(l) }

// Less implements heap.Interface.
func (l candidateHeap) Less(i, j int) bool {
	return l[i].lack > l[j].lack || l[i].lack == l[j].lack && l[i].inner < l[j].inner
}

// Swap implements heap.Interface.
func (l candidateHeap) Swap(i, j int) { l[i], l[j] = l[j], l[i] }

// Push implements heap.Interface.
func (l *candidateHeap) Push(x any) { *l = append(*l, x.(candidate)) }

// Pop implements heap.Interface.
func (l *candidateHeap) Pop() any {
	last := (*l)[len(*l)-1]
	*l = (*l)[:len(*l)-1]
	return last
}
