package suppress

import (
	"cmp"
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
)

// restoring returns what gives cells back in a stratum to records with which is done what the parts say, untouched ones
// included; nil where that would take long.
func (s *solving) restoring(ctx context.Context, it *stratum, p parts) (*minimal.Restoring, error) {
	combinations := s.combinations()
	if len(combinations)*len(p) > mostCounted {
		return nil, ctx.Err()
	}
	within := make([]minimal.Combination, len(combinations))
	for i, c := range combinations {
		within[i] = c.Combination
	}
	return minimal.NewRestoring(ctx, s.problem(it), within, p)
}

// mostCounted is the number of rows in combinations that are counted at most: where they are more, cells stay blank.
const mostCounted = 1 << 26

// householdRestoring gives back cells that need not be blank any more once whole
// households have lost theirs: to a record a cell of its own, to all members of a
// household a shared one. As many households that are alike as can get a cell back do.
type householdRestoring struct {
	*solving
	within []*minimal.Restoring // per stratum
	*sharing
	losing []int    // the places of those among alike that have lost cells
	sets   []uint64 // of each: what its members have lost at most
	moved  []moved  // reused
}

// moved are records of a stratum that get a cell back.
type moved struct {
	stratum uint32
	parts   parts
}

// restorable reports whether there may be cells that can be given back. Where no
// shared one is lost the solver has left none; with the algorithm that gives
// what another program does none are.
func (s *solving) restorable(lost *sharing) bool {
	shared := s.households.shared()
	return s.m.Algorithm != SDCMicro &&
		slices.ContainsFunc(lost.parts, func(p part) bool { return p.Count > 0 && p.Set&shared != 0 })
}

// restore takes from what is lost the cells that can be given back. No record may violate.
func (s *solving) restore(ctx context.Context, lost *sharing) error {
	r := &householdRestoring{solving: s, sharing: lost, within: make([]*minimal.Restoring, len(s.strata))}
	r.losing = lost.losers()
	for _, at := range r.losing {
		set := uint64(0)
		for member := range lost.members(at) {
			set |= lost.set(lost.row(at, member))
		}
		r.sets = append(r.sets, set)
	}
	all := lost.solved()
	err := parallel.Each(ctx, len(all), func(i int) (err error) {
		r.within[i], err = s.restoring(ctx, s.strata[i], all[i].parts.withUntouched(s.strata[i]))
		return err
	})
	if err != nil || slices.Contains(r.within, nil) {
		return err
	}
	order := s.dearestFirst()
	for idle, next := 0, 0; idle < len(order); next++ {
		given, err := r.giveBack(ctx, order[next%len(order)])
		if err != nil {
			return err
		}
		if idle++; given {
			idle = 0
		}
	}
	return nil
}

// dearestFirst returns the variables by falling price, of equal ones the most important first.
func (s *solving) dearestFirst() []int {
	order := slices.Clone(s.ranks.order)
	slices.Reverse(order)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.ranks.price[b], s.ranks.price[a]) })
	return order
}

// giveBack gives cells of a variable back and reports whether it gave any.
func (r *householdRestoring) giveBack(ctx context.Context, v int) (given bool, err error) {
	shared := r.solving.households.share(r.in.Scenario.Keys[v])
	var together []int
	for i := 0; i < len(r.losing); i++ {
		if i%(1<<10) == 0 && ctx.Err() != nil {
			return given, ctx.Err()
		}
		if r.sets[i]>>v&1 == 0 {
			continue
		}
		at := r.losing[i]
		together = together[:0]
		for member := range r.members(at) {
			if r.set(r.row(at, member))>>v&1 == 0 {
				continue
			}
			if together = append(together, member); !shared {
				given = r.giveTo(v, i, together) || given
				together = together[:0]
			}
		}
		given = len(together) > 0 && r.giveTo(v, i, together) || given
	}
	return given, nil
}

// giveTo gives members of as many households that are alike, and losing, as possible their cells of a variable back,
// and reports whether it gave any: to half as many where they cannot all have them.
func (r *householdRestoring) giveTo(v, losing int, members []int) (given bool) {
	at := r.losing[losing]
	for times := r.alike[at].times; times > 0; {
		if !r.try(v, at, members, times) {
			times /= 2
			continue
		}
		to := at
		if times < r.alike[at].times {
			to = r.part(at, times)
			r.losing, r.sets = append(r.losing, to), append(r.sets, r.sets[losing])
		}
		for _, member := range members {
			row := r.row(to, member)
			r.change(row, r.set(row)&^(1<<v), times)
		}
		if given = true; to == at {
			break
		}
		times = r.alike[at].times
	}
	return given
}

// try gives members of so many households their cells of a variable back, unless a record violates then.
func (r *householdRestoring) try(v, at int, members []int, times int) bool {
	r.moved = r.moved[:0]
	for _, member := range members {
		from := r.sharing.parts[r.sharing.of[r.row(at, member)]]
		to := r.movedIn(r.solving.of[from.Key])
		to.parts = append(to.parts, part{Key: r.solving.number[from.Key], Set: from.Set, Count: times})
	}
	for i, it := range r.moved {
		if !r.within[it.stratum].GiveBack(v, it.parts...) {
			for _, done := range r.moved[:i] {
				r.within[done.stratum].TakeBack(v)
			}
			return false
		}
	}
	return true
}

// movedIn returns those of a stratum.
func (r *householdRestoring) movedIn(stratum uint32) *moved {
	at := slices.IndexFunc(r.moved, func(m moved) bool { return m.stratum == stratum })
	if at < 0 {
		at = len(r.moved)
		r.moved = slices.Grow(r.moved, 1)[:at+1] // with the memory of what stood there
		r.moved[at] = moved{stratum, r.moved[at].parts[:0]}
	}
	return &r.moved[at]
}
