package minimal

import (
	"context"
	"runtime"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Limits on the enumeration, in units of work, so that results are the same on every machine.
const (
	leastVisits = 96 << 20 // bundles and staying keys visited, in total
	visits      = 512      // the same per bundle and key, if that is more
	setVisits   = 256      // minimum visits charged for a set
	leastHeld   = 32 << 20 // members of groups kept, in total
	held        = 24       // the same per bundle, if that is more
	maxSets     = 1 << 16  // sets of one price

	fewBundles  = 1 << 13 // up to this number, bundles consider groups of two cells above their cheapest set,
	manyBundles = 1 << 21 // up to this number, of one cell, and above it of none
)

// enumeration goes through the sets of variables in order of price and adds the useful groups to the instance.
// After each price the greedy algorithm assigns the bundles that it can.
type enumeration struct {
	p          *Problem
	missing    []uint64 // per key: the variables missing from the start
	in         *instance
	keys       *packing
	staying    []uint32 // the complete keys of at least k records, which stay as they are
	slack      int64    // bundles consider groups up to this much above their cheapest
	bound      []int64  // per bundle: price of its cheapest set, -1 while unknown
	greedy     *greedy
	projectors []*projector
}

// newEnumeration prepares the enumeration of the sets of p.
func newEnumeration(p *Problem) *enumeration {
	missing := p.missing()
	choosing, staying := p.bundles(missing)
	packed := pack(p)
	in := &instance{k: int64(p.K), bundles: choosing, missing: make([]uint64, len(choosing))}
	e := &enumeration{p: p, missing: missing, in: in, keys: packed, staying: staying,
		bound: make([]int64, len(choosing))}
	for i, b := range choosing {
		in.missing[i] = missing[b.key]
		e.bound[i] = -1
	}
	e.slack = p.slack(p.ofWhole(len(choosing)))
	e.greedy = newGreedy(in)
	e.projectors = e.projectorsOf(in, e.bound)
	return e
}

// projectorsOf returns a projector of bundles for each processor. bound holds the prices of their cheapest sets.
func (e *enumeration) projectorsOf(in *instance, bound []int64) (projectors []*projector) {
	for range runtime.GOMAXPROCS(0) {
		projectors = append(projectors, &projector{p: e.p, table: groupTable{keys: e.keys}, in: in, staying: e.staying,
			bound: bound})
	}
	return projectors
}

// nothingToDo reports whether no cell need be suppressed: every key has k records or, under rules that count
// complete keys, agrees with a staying key.
func (e *enumeration) nothingToDo() bool {
	few := make(map[uint64][]uint32) // per set of missing variables: keys of fewer than k records
	for key, count := range e.p.Count {
		if set := e.missing[key]; count < e.p.K && !e.p.isLikeAll(set) {
			if set == 0 {
				return false
			}
			few[set] = append(few[set], uint32(key))
		}
	}
	table := groupTable{keys: e.keys}
	for set, keys := range few {
		table.reset(set, len(e.staying))
		for _, key := range e.staying {
			table.enter(key)
		}
		if slices.ContainsFunc(keys, func(key uint32) bool { return table.find(table.code(key), key) == unassigned }) {
			return false
		}
	}
	return true
}

// ofWhole returns the number of bundles of the whole file, assuming strata of equal density.
func (p *Problem) ofWhole(bundles int) int {
	if n := p.records(); p.Whole > n && n > 0 {
		return int(float64(bundles) * (float64(p.Whole) / float64(n)))
	}
	return bundles
}

// slack returns how far above their cheapest set bundles consider groups, given the number of bundles.
func (p *Problem) slack(bundles int) int64 {
	dearest := int64(slices.Max(p.Price))
	switch {
	case bundles <= fewBundles:
		return 2 * dearest
	case bundles <= manyBundles:
		return dearest
	}
	return 0
}

// run enumerates sets until every bundle is assigned and has seen the groups worth considering, or until a limit
// is reached.
func (e *enumeration) run(ctx context.Context, report *progress) error {
	sets := newSubsets(e.p)
	active, passive := make([]uint32, len(e.in.bundles)), []uint32(nil)
	for b := range active {
		active[b] = uint32(b)
	}
	everything := int64(len(e.in.bundles) + len(e.staying))
	work := max(e.p.share(leastVisits), visits*everything)
	most := int(max(e.p.share(leastHeld), held*int64(len(e.in.bundles))))
	for len(active) > 0 {
		price, batch, complete := sets.next(maxSets)
		work -= int64(len(batch)) * (everything + setVisits)
		if len(batch) == 0 || work < 0 || len(e.in.members.items) > most {
			e.closeBounds(active, price)
			return nil
		}
		projections, err := e.project(ctx, batch, active, passive)
		if err != nil {
			return err
		}
		if err := e.take(ctx, price, projections); err != nil {
			return err
		}
		if !complete {
			e.closeBounds(active, price)
			return nil
		}
		active, passive = e.split(price+1, active, passive)
		report.at(int64(len(e.in.bundles)-len(active)), int64(len(e.in.bundles)))
	}
	return nil
}

// project projects the file on every set of the batch, on all processors.
func (e *enumeration) project(ctx context.Context, batch []uint64, active, passive []uint32) ([]projection, error) {
	out := make([]projection, len(batch))
	err := parallel.Tasks(ctx, len(batch), min(len(e.projectors), len(batch)), func(worker, at int) {
		out[at] = e.projectors[worker].project(ctx, batch[at], active, passive)
	})
	return out, err
}

// take adds the groups of all sets of one price, notes which bundles have found their cheapest set, and assigns
// the bundles that it can.
func (e *enumeration) take(ctx context.Context, price int64, projections []projection) error {
	first := uint32(e.in.groups())
	e.in.expect(projections)
	for i := range projections {
		projected := &projections[i]
		e.in.addAll(projected, price)
		for _, b := range projected.reached {
			if e.bound[b] < 0 {
				e.bound[b] = price
			}
		}
	}
	return e.greedy.assign(ctx, first)
}

// split moves the bundles that need not consider sets from the given price on from active to passive, and drops
// those that stay as they are.
func (e *enumeration) split(price int64, active, passive []uint32) (still, done []uint32) {
	still = active[:0]
	for _, b := range active {
		g := e.greedy.group[b]
		switch {
		case g != unassigned && e.in.free[g] && e.in.set[g] == e.in.missing[b]: // no other group needs this bundle
		case g == unassigned || price <= max(e.in.price[g], e.bound[b]+e.slack):
			still = append(still, b)
		default:
			passive = append(passive, b)
		}
	}
	return still, passive
}

// closeBounds sets the bound of active bundles without one to the minimum price of the remaining sets.
func (e *enumeration) closeBounds(active []uint32, price int64) {
	for _, b := range active {
		if e.bound[b] < 0 {
			e.bound[b] = max(price, e.p.price(e.in.missing[b]))
		}
	}
}
