package suppress

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
)

// restoring returns a Restoring for the parts, which must include untouched records. It is nil if the computation
// would take too long.
func (s *strataSolver) restoring(ctx context.Context, it *stratum, p parts) (*minimal.Restoring, error) {
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

// mostCounted limits the number of rows times combinations. Above it, suppressed cells are not restored.
const mostCounted = 1 << 26

// householdRestoring restores cells that need not be suppressed once whole households have lost theirs: single
// cells of a record, or shared cells of all members of a household together.
type householdRestoring struct {
	*strataSolver
	cells  lost
	losing [][]uint32           // rows of each household that has lost cells
	within []*minimal.Restoring // per stratum
	moved  []regaining          // reused
	failed map[part]bool        // keys and sets for which restoring failed since a cell was last restored
}

// regaining are records of a stratum that regain a cell.
type regaining struct {
	stratum uint32
	parts   parts
}

// restore restores the cells that it can without making a record violate k-anonymity. It does nothing if no shared
// cell is lost, because the solver has restored such cells itself, or for sdcMicro's order, whose cells must be those
// of the reference.
func (s *strataSolver) restore(ctx context.Context, cells lost) error {
	shared := s.households.shared()
	if s.m.Algorithm == SDCMicro || !slices.ContainsFunc(cells, func(set uint64) bool { return set&shared != 0 }) {
		return nil
	}
	all := s.parts(cells)
	r := &householdRestoring{strataSolver: s, cells: cells, within: make([]*minimal.Restoring, len(all))}
	err := parallel.Each(ctx, len(all), func(i int) (err error) {
		r.within[i], err = s.restoring(ctx, s.strata[i], all[i].parts.withUntouched(s.strata[i]))
		return err
	})
	if err != nil || slices.Contains(r.within, nil) {
		return err
	}
	for rest := s.households.order; len(rest) > 0; {
		size := s.households.Members(s.households.Of(int(rest[0])))
		if slices.ContainsFunc(rest[:size], func(row uint32) bool { return cells[row] != 0 }) {
			r.losing = append(r.losing, rest[:size])
		}
		rest = rest[size:]
	}
	order := s.problem(s.strata[0]).DearestFirst()
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

// giveBack restores cells of a variable, household by household, and reports whether it restored any.
func (r *householdRestoring) giveBack(ctx context.Context, v int) (given bool, err error) {
	shared := r.households.share(r.in.Scenario.Keys[v])
	r.failed = map[part]bool{}
	for i, rows := range r.losing {
		if i%(1<<10) == 0 && ctx.Err() != nil {
			return given, ctx.Err()
		}
		if shared {
			given = r.giveTo(v, rows...) || given
			continue
		}
		for _, row := range rows {
			given = r.giveTo(v, row) || given
		}
	}
	return given, nil
}

// giveTo restores a variable in all of the rows that have lost it, or in none if a record would then violate
// k-anonymity. It reports whether it restored any.
func (r *householdRestoring) giveTo(v int, rows ...uint32) bool {
	first := part{Key: r.table.Key(int(rows[0])), Set: r.cells[rows[0]]}
	if len(rows) == 1 && (first.Set>>v&1 == 0 || r.failed[first]) {
		return false
	}
	r.moved = r.moved[:0]
	for _, row := range rows {
		if set, key := r.cells[row], r.table.Key(int(row)); set>>v&1 == 1 {
			to := r.movedIn(r.of[key])
			to.parts = append(to.parts, part{Key: r.number[key], Set: set, Count: 1})
		}
	}
	for i, it := range r.moved {
		if !r.within[it.stratum].GiveBack(v, it.parts...) {
			for _, done := range r.moved[:i] {
				r.within[done.stratum].TakeBack(v)
			}
			if len(rows) == 1 {
				r.failed[first] = true
			}
			return false
		}
	}
	if len(r.moved) == 0 {
		return false
	}
	clear(r.failed)
	for _, row := range rows {
		r.cells[row] &^= 1 << v
	}
	return true
}

// movedIn returns the moved records of a stratum, adding an empty entry if necessary.
func (r *householdRestoring) movedIn(stratum uint32) *regaining {
	at := slices.IndexFunc(r.moved, func(m regaining) bool { return m.stratum == stratum })
	if at < 0 {
		at = len(r.moved)
		r.moved = slices.Grow(r.moved, 1)[:at+1] // reuses the memory of a former entry
		r.moved[at] = regaining{stratum, r.moved[at].parts[:0]}
	}
	return &r.moved[at]
}
