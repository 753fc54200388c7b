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
	cells  lost
}

// restorable reports whether there may be cells that can be given back. Where no
// shared one is lost the solver has left none; with the algorithm that gives
// what another program does none are.
func (s *solving) restorable(cells lost) bool {
	shared := uint64(0)
	for v, name := range s.in.Scenario.Keys {
		if s.households.share(name) {
			shared |= 1 << v
		}
	}
	return s.m.Algorithm != SDCMicro && slices.ContainsFunc(cells, func(set uint64) bool { return set&shared != 0 })
}

// restore takes from the cells those that can be given back. No record may violate.
func (s *solving) restore(ctx context.Context, cells lost) error {
	r := &householdRestoring{solving: s, within: make([]*minimal.Restoring, len(s.strata)), cells: cells}
	all := s.parts(cells)
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
	for record, set := range r.cells {
		if record%(1<<14) == 0 && ctx.Err() != nil {
			return given, ctx.Err()
		}
		if set>>v&1 == 0 {
			continue
		}
		if together = append(together[:0], record); shared {
			together = r.members(together[:0], record, v)
		}
		if together[0] != record || !r.try(v, together) {
			continue
		}
		for _, member := range together {
			r.cells[member] &^= 1 << v
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
		if member := r.households.Member(household, i); r.cells[member]>>v&1 == 1 {
			to = append(to, member)
		}
	}
	return to
}

// try gives records their cells of a variable back, unless a record violates then.
func (r *householdRestoring) try(v int, records []int) bool {
	moved := make(map[uint32]parts) // by stratum
	for _, record := range records {
		key := r.table.Key(record)
		moved[r.of[key]] = append(moved[r.of[key]], part{Key: r.number[key], Set: r.cells[record], Count: 1})
	}
	var done []*minimal.Restoring
	for stratum, parts := range moved {
		if it := r.within[stratum]; it.GiveBack(v, parts...) {
			done = append(done, it)
			continue
		}
		for _, it := range done {
			it.TakeBack(v)
		}
		return false
	}
	return true
}
