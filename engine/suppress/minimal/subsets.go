package minimal

import (
	"container/heap"
	"math/bits"
	"slices"
)

// pricedSet is a set of variables with its price.
type pricedSet struct {
	price int64
	set   uint64
	last  int // place, in the order of prices, of the dearest variable
}

// subsets yields the sets of variables by price, and within a price in the order of suppression.
type subsets struct {
	price   []int64 // ascending
	at      []int   // variable of each price
	place   []int   // place of each variable in the order of suppression
	waiting pricedHeap
}

// newSubsets starts with the empty set.
func newSubsets(p *Problem) *subsets {
	s := &subsets{at: make([]int, p.variables()), place: make([]int, p.variables())}
	for i, v := range p.TieOrder {
		s.place[v] = i
	}
	for v := range s.at {
		s.at[v] = v
	}
	slices.SortStableFunc(s.at, func(a, b int) int { return p.Price[a] - p.Price[b] })
	for _, v := range s.at {
		s.price = append(s.price, int64(p.Price[v]))
	}
	s.waiting = pricedHeap{{last: -1}}
	return s
}

// next returns all sets of the next price, at most limit of them; complete tells whether there are no more of it.
// It returns no sets when there are none left.
func (s *subsets) next(limit int) (price int64, sets []uint64, complete bool) {
	if len(s.waiting) == 0 {
		return 0, nil, true
	}
	price = s.waiting[0].price
	for len(s.waiting) > 0 && s.waiting[0].price == price && len(sets) < limit {
		sets = append(sets, s.pop())
	}
	complete = len(s.waiting) == 0 || s.waiting[0].price > price
	slices.SortFunc(sets, s.compare)
	return price, sets, complete
}

// pop takes the cheapest waiting set and puts its two successors in its place: the one with a further variable, and the
// one with the dearest variable exchanged for the next. So every set comes up once.
func (s *subsets) pop() uint64 {
	top := heap.Pop(&s.waiting).(pricedSet)
	next := top.last + 1
	if next == len(s.price) {
		return top.set
	}
	bit := uint64(1) << s.at[next]
	heap.Push(&s.waiting, pricedSet{top.price + s.price[next], top.set | bit, next})
	if top.last >= 0 {
		exchanged := top.set&^(1<<s.at[top.last]) | bit
		heap.Push(&s.waiting, pricedSet{top.price - s.price[top.last] + s.price[next], exchanged, next})
	}
	return top.set
}

// compare orders sets by their variables written in the order of suppression.
func (s *subsets) compare(a, b uint64) int {
	first := len(s.place)
	sign := 0
	for differ := a ^ b; differ != 0; differ &= differ - 1 {
		v := bits.TrailingZeros64(differ)
		if s.place[v] < first {
			first, sign = s.place[v], 1
			if a>>v&1 == 1 {
				sign = -1
			}
		}
	}
	return sign
}

// pricedHeap implements heap.Interface, cheapest first.
type pricedHeap []pricedSet

func (h pricedHeap) Len() int { return len(h) }
func (h pricedHeap) Less(i, j int) bool {
	if h[i].price != h[j].price {
		return h[i].price < h[j].price
	}
	return h[i].set < h[j].set
}
func (h pricedHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *pricedHeap) Push(x any) { *h = append(*h, x.(pricedSet)) }

// Pop implements heap.Interface.
func (h *pricedHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
