package secondary

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/branch"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Optimal searches for the cheapest suppression that protects as Widen does, starting from one that does. bound is a cost of
// secondary cells below which no suppression protects; if the best one costs as much, it is optimal. Each attack that
// succeeds gives a set of cells of which one must be suppressed. The cheapest cells that meet all sets found cost at most
// what the optimum does; if they protect, they are the optimum. Errors are those of the context.
//
// Source: M. Fischetti and J. J. Salazar, Solving the cell suppression problem on tabular data with linear constraints,
// Management Science 47 (2001), which adds constraints to a linear program in this way.
func Optimal(ctx context.Context, e *tabular.Equations, cells []Cell, hidden *microdata.Bits, i *Intervals) (best *microdata.Bits, bound float64, err error) {
	o := &optimum{attacker: attacker{i, e, cells}, place: map[int]int{}, whole: true}
	for c := range cells {
		if one := &cells[c]; !one.Primary && !one.Forced && !one.Absent && one.Contributors > 0 {
			o.candidates, o.whole = append(o.candidates, c), o.whole && one.Cost == math.Trunc(one.Cost)
		}
	}
	slices.SortStableFunc(o.candidates, func(a, b int) int { return cmp.Compare(cells[b].Cost, cells[a].Cost) })
	for at, c := range o.candidates {
		o.place[c] = at
	}
	o.improve(o.hiding(hidden))
	for idle := 0; idle < patience && bound < o.least; idle++ {
		pattern, cost := o.cheapest(ctx)
		if cost > bound*(1+gain) {
			bound, idle = cost, -1
		}
		before, least := len(o.sets), o.least
		if pattern == nil || bound >= least {
			break
		}
		if err := o.complete(ctx, pattern); err != nil {
			return nil, 0, err
		}
		if len(o.sets) == before {
			break // what meets all sets protects
		}
		if o.least < least {
			idle = -1
		}
	}
	if bound > o.least*(1-2*gain) {
		bound = o.least
	}
	return o.published(o.best), bound, ctx.Err()
}

const (
	patience = 10   // rounds of Optimal without progress
	gain     = 1e-6 // share of a cost that is an error of rounding
)

// optimum is a search for the cheapest suppression.
type optimum struct {
	attacker
	candidates []int       // cells that can be secondary, the expensive ones first
	place      map[int]int // cells: their place among the candidates
	whole      bool        // all costs are integers
	sets       [][]int     // one cell of each must be suppressed
	best       []bool
	least      float64 // what the best costs
}

// improve takes a suppression that protects, if it is cheaper than the best.
func (o *optimum) improve(hidden []bool) {
	cost := 0.0
	for _, c := range o.candidates {
		if hidden[c] {
			cost += o.cells[c].Cost
		}
	}
	if o.best == nil || cost < o.least {
		o.best, o.least = hidden, cost
	}
}

// cheapest returns the cheapest suppression found that has a cell of each set, and a cost that none is below; nil: none was
// found. Candidates are the cells of a space from 0 for published to 1 for suppressed, sets are sums of at least 1.
func (o *optimum) cheapest(ctx context.Context) (pattern []bool, bound float64) {
	price, e := make([]float64, len(o.candidates), len(o.candidates)+len(o.sets)), &tabular.Equations{}
	for _, set := range o.sets {
		row := []int32{int32(len(price))}
		for _, c := range set {
			row, price[o.place[c]] = append(row, int32(o.place[c])), o.cells[c].Cost
		}
		e.Append(row...)
		price = append(price, 0)
	}
	full := func(at int) float64 {
		if k := at - len(o.candidates); k >= 0 {
			return float64(len(o.sets[k]))
		}
		return 1
	}
	empty := func(at int) float64 {
		if at >= len(o.candidates) {
			return 1
		}
		return 0
	}
	space := audit.NewSpace(e, full, audit.Bounds{Low: empty, High: full})
	space.Price(func(at int) float64 { return price[at] })
	space.Minimise()
	const nodes = 200
	search := branch.Search{Nodes: nodes, Decide: o.decide, Cost: func(value func(int) float64) (sum float64) {
		for at := range o.candidates {
			sum += price[at] * value(at)
		}
		return sum
	}}
	if search.Run(ctx, space, len(price)); search.Best == nil {
		return nil, 0
	}
	pattern = o.hiding(microdata.NewBits(len(o.cells)))
	for at, c := range o.candidates {
		pattern[c] = pattern[c] || price[at] > 0 && search.Best.Value(at) > half
	}
	if bound = search.Bound() * (1 - gain); o.whole {
		bound = math.Ceil(bound)
	}
	return pattern, bound
}

// half is between a suppressed and a published cell.
const half = 0.5

// decide decides on the cell that is closest to half.
func (o *optimum) decide(space *audit.Space) (ways []*audit.Space, done bool) {
	middle, apart := -1, half-gain
	for at := range o.candidates {
		if d := math.Abs(space.Value(at) - half); d < apart {
			middle, apart = at, d
		}
	}
	for _, to := range []float64{0, 1} {
		if middle < 0 {
			return nil, true
		}
		if way := space.Clone(); way.Push(middle, to == 1, to, false) {
			ways = append(ways, way)
		}
	}
	return ways, false
}

// complete adds cells to a suppression until it protects, publishes those that are not needed, and takes it if it is the
// cheapest.
func (o *optimum) complete(ctx context.Context, hidden []bool) error {
	attacks, err := o.attacks(ctx, hidden)
	for ; err == nil && len(attacks) > 0; attacks, err = o.attacks(ctx, hidden) {
		for _, a := range attacks {
			if ctx.Err() == nil && o.succeeds(a, hidden) {
				set := o.needed(a, hidden)
				o.sets = append(o.sets, set)
				hidden[set[len(set)-1]] = true // the cheapest
			}
		}
	}
	for _, c := range o.candidates {
		if err == nil && hidden[c] {
			hidden[c] = false
			attacks, err = o.attacks(ctx, hidden)
			hidden[c] = len(attacks) > 0
		}
	}
	if err == nil {
		o.improve(hidden)
	}
	return err
}

// needed returns cells of which one must be suppressed to prevent an attack, the expensive ones first: it succeeds if they
// are published, even with all others suppressed, but not with one of them suppressed as well.
func (o *optimum) needed(a attack, hidden []bool) []int {
	all := slices.Clone(hidden)
	var published []int
	for _, c := range o.candidates {
		if !all[c] {
			published, all[c] = append(published, c), true
		}
	}
	succeeds := func(published []int) bool {
		some := slices.Clone(all)
		for _, c := range published {
			some[c] = false
		}
		return o.succeeds(a, some)
	}
	// Junker, QuickXplain, AAAI 2004.
	var explain func(given []int, more bool, of []int) []int
	explain = func(given []int, more bool, of []int) []int {
		if more && succeeds(given) {
			return nil
		}
		if len(of) <= 1 {
			return of
		}
		const parts = 2
		first, second := of[:len(of)/parts], of[len(of)/parts:]
		cheap := explain(slices.Concat(given, first), true, second)
		return slices.Concat(explain(slices.Concat(given, cheap), len(cheap) > 0, first), cheap)
	}
	return explain(nil, false, published)
}
