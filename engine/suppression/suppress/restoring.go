package suppress

import (
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
// household a shared one.
type householdRestoring struct {
	*solving
	cells  lost
	losing [][]uint32           // rows of the members, of households that have lost cells
	within []*minimal.Restoring // per stratum
	moved  []moved              // reused
	failed map[part]bool        // what a record has lost that could not have its cell back since the last was given
}

// moved are records of a stratum that get a cell back.
type moved struct {
	stratum uint32
	parts   parts
}

// restore takes from what is lost the cells that can be given back. No record may
// violate. Where no shared cell is lost the solver has left none; with the algorithm
// that gives what another program does none are.
func (s *solving) restore(ctx context.Context, cells lost) error {
	shared := s.households.shared()
	if s.m.Algorithm == SDCMicro || !slices.ContainsFunc(cells, func(set uint64) bool { return set&shared != 0 }) {
		return nil
	}
	all := s.parts(cells)
	r := &householdRestoring{solving: s, cells: cells, within: make([]*minimal.Restoring, len(all))}
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

// giveBack gives cells of a variable back, household by household, and reports whether it gave any.
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

// giveTo gives those of some rows that have lost a variable their cells back, all of them or none, and reports whether
// it gave any: not where a record violates then.
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
