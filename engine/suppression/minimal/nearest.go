package minimal

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// The bounds on the work of sharpening.
const (
	compared = 1 << 31 // values compared, in all
	unions   = 1 << 17 // sets joined, per key
)

// sharpening finds the lower bounds of keys for which the enumeration could not finish, by comparing them with every
// other key: the cheapest set for which k records agree outside it is the union of the differences from k of them.
type sharpening struct {
	p          *Problem
	missing    []uint64
	similarity *similarity
	step       int64
}

// sharpenable is a key to be looked at: the price of its cheapest set lies from least to most.
type sharpenable struct {
	key         uint32
	least, most int64
	bundles     []uint32
}

// sharpen raises the bounds of bundles that are open, as far as the work allowed goes. A bundle's group in the greedy
// solution, in which every bundle must be, is a set that does.
func (e *enumeration) sharpen(ctx context.Context, report *progress) error {
	if e.p.Rule.countsWildcards() {
		return ctx.Err() // fewer cells may do
	}
	open := e.sharpenable()
	most := int(e.p.share(compared) / (int64(e.p.keys()) * int64(e.p.variables())))
	if len(open) == 0 {
		return ctx.Err()
	}
	open = open[:min(most, len(open))]
	s := &sharpening{p: e.p, missing: e.missing, similarity: newSimilarity(e.p), step: e.p.priceStep()}
	workers := make([]neighbours, runtime.GOMAXPROCS(0))
	err := parallel.Tasks(ctx, len(open), len(workers), func(worker, i int) {
		workers[worker].s = s
		bound := workers[worker].cheapest(&open[i])
		for _, b := range open[i].bundles {
			e.bound[b] = bound
		}
	})
	report.at(1, 1)
	return err
}

// sharpenable gathers the open bundles by key.
func (e *enumeration) sharpenable() []sharpenable {
	var all []sharpenable
	for i, b := range e.open {
		key, price := e.in.bundles[b].key, e.in.price[e.greedy.group[b]]
		if last := len(all) - 1; last >= 0 && all[last].key == key {
			all[last].most = min(all[last].most, price)
			all[last].bundles = append(all[last].bundles, b)
			continue
		}
		all = append(all, sharpenable{key, e.bound[b], price, e.open[i : i+1 : i+1]})
	}
	return slices.DeleteFunc(all, func(open sharpenable) bool { return open.least >= open.most })
}

// neighbours holds what other keys differ in from one. It belongs to one goroutine.
type neighbours struct {
	s     *sharpening
	near  []neighbour
	lists [][]neighbour // per depth; reused
	limit int64
	work  int
}

// neighbour is a set of variables with the number of records that differ in exactly these.
type neighbour struct {
	set     uint64
	price   int64
	records int64
}

// cheapest returns the price of the cheapest set for the key, or a lower one where the work allowed does not suffice.
func (n *neighbours) cheapest(open *sharpenable) int64 {
	n.look(open)
	missing := n.s.missing[open.key]
	var inside, beyond int64
	least := open.most
	for _, d := range n.near {
		if beyond += d.records; beyond >= int64(n.s.p.K) {
			least = d.price // a set with k records holds one of those from here on
			break
		}
	}
	others := n.near
	if len(others) > 0 && others[0].set == missing {
		inside, others = others[0].records, others[1:]
	}
	n.work = unions
	for least = max(least, open.least); least < open.most; least += n.s.step {
		n.limit = least
		if n.reaches(missing, inside, others, 0) || n.work < 0 {
			return least
		}
	}
	return open.most
}

// look gathers the differences that are cheaper than a set known to do, cheapest first.
func (n *neighbours) look(open *sharpenable) {
	n.near = n.near[:0]
	missing := n.s.missing[open.key]
	for other, count := range n.s.p.Count {
		set := n.s.similarity.differing(open.key, uint32(other)) | missing | n.s.missing[other]
		if price := n.s.similarity.priceOf(set); price < open.most {
			n.near = append(n.near, neighbour{set, price, int64(count)})
		}
	}
	slices.SortFunc(n.near, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(a.price, b.price), cmp.Compare(a.set, b.set))
	})
	distinct := n.near[:0]
	for _, d := range n.near {
		if last := len(distinct) - 1; last >= 0 && distinct[last].set == d.set {
			distinct[last].records += d.records
		} else {
			distinct = append(distinct, d)
		}
	}
	n.near = distinct
}

// reaches reports whether a set that costs no more than the limit holds set and k records: so many inside set already,
// and others. It gives up, with no work left, where that takes too long.
func (n *neighbours) reaches(set uint64, inside int64, others []neighbour, depth int) bool {
	k := int64(n.s.p.K)
	if inside >= k {
		return true
	}
	if len(n.lists) == depth {
		n.lists = append(n.lists, nil)
	}
	for i, first := range others {
		if first.price > n.limit {
			break
		}
		union, within, possible := set|first.set, inside, int64(0)
		list := n.lists[depth][:0]
		for _, d := range others[i:] {
			if d.price > n.limit {
				break
			}
			n.work--
			if d.set&^union == 0 {
				within += d.records
			} else if n.s.similarity.priceOf(union|d.set) <= n.limit {
				list = append(list, d)
				possible += d.records
			}
		}
		n.lists[depth] = list
		if n.work < 0 {
			return false
		}
		if within+possible >= k && n.reaches(union, within, list, depth+1) {
			return true
		}
	}
	return false
}
