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

// eachRestored calls give with the variables, dearest first, until none of them
// gives anything back.
func (s *solving) eachRestored(give func(variable int) (given bool, err error)) error {
	order := slices.Clone(s.ranks.order)
	slices.Reverse(order)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.ranks.price[b], s.ranks.price[a]) })
	for idle := 0; ; {
		for _, v := range order {
			given, err := give(v)
			if err != nil {
				return err
			}
			if idle++; given {
				idle = 0
			}
			if idle == len(order) {
				return nil
			}
		}
	}
}

// householdRestoring gives back cells that need not be blank any more once whole
// households have lost theirs: to a record a cell of its own, to all members of a
// household a shared one.
type householdRestoring struct {
	*solving
	within []*minimal.Restoring // per stratum
	*splitting
	records []int   // that have lost cells
	moved   []moved // reused
}

// moved are records of a stratum that get a cell back.
type moved struct {
	stratum uint32
	parts   parts
}

// restorable reports whether there may be cells that can be given back. Where no
// shared one is lost the solver has left none; with the algorithm that gives
// what another program does none are.
func (s *solving) restorable(lost *splitting) bool {
	shared := s.households.shared()
	return s.m.Algorithm != SDCMicro &&
		slices.ContainsFunc(lost.parts, func(p part) bool { return p.Count > 0 && p.Set&shared != 0 })
}

// restore takes from what is lost the cells that can be given back. No record may violate.
func (s *solving) restore(ctx context.Context, lost *splitting) error {
	r := &householdRestoring{solving: s, splitting: lost, within: make([]*minimal.Restoring, len(s.strata))}
	for record := range lost.of {
		if lost.set(record) != 0 {
			r.records = append(r.records, record)
		}
	}
	all := lost.solved()
	err := parallel.Each(ctx, len(all), func(i int) (err error) {
		r.within[i], err = s.restoring(ctx, s.strata[i], all[i].parts.withUntouched(s.strata[i]))
		return err
	})
	if err != nil || slices.Contains(r.within, nil) {
		return err
	}
	return s.eachRestored(func(v int) (bool, error) { return r.giveBack(ctx, v) })
}

// giveBack gives cells of a variable back and reports whether it gave any. A
// household is tried once, with its first member that has lost the cell.
func (r *householdRestoring) giveBack(ctx context.Context, v int) (given bool, err error) {
	shared := r.households.share(r.in.Scenario.Keys[v])
	var together []int
	for i, record := range r.records {
		if i%(1<<10) == 0 && ctx.Err() != nil {
			return given, ctx.Err()
		}
		if r.set(record)>>v&1 == 0 {
			continue
		}
		if together = append(together[:0], record); shared {
			together = r.members(together[:0], record, v)
		}
		if together[0] != record || !r.try(v, together) {
			continue
		}
		for _, member := range together {
			r.change(member, r.set(member)&^(1<<v))
		}
		given = true
	}
	return given, nil
}

// members appends the members of a record's household that have lost the cells
// of a variable.
func (r *householdRestoring) members(to []int, record, v int) []int {
	household := r.households.Of(record)
	for i := range r.households.Members(household) {
		if member := r.households.Member(household, i); r.set(member)>>v&1 == 1 {
			to = append(to, member)
		}
	}
	return to
}

// try gives records their cells of a variable back, unless a record violates then.
func (r *householdRestoring) try(v int, records []int) bool {
	r.moved = r.moved[:0]
	for _, record := range records {
		from := r.splitting.parts[r.splitting.of[record]]
		to := r.movedIn(r.solving.of[from.Key])
		to.parts = append(to.parts, part{Key: r.solving.number[from.Key], Set: from.Set, Count: 1})
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
