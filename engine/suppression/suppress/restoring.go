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
	alike  []*alike             // those that have lost cells
	moved  []moved              // reused
}

// alike are households whose members have the same keys and lose the same.
type alike struct {
	members    []part     // by key and set; of each household one record
	households [][]uint32 // rows of their members, in this order
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
	r := &householdRestoring{solving: s, within: make([]*minimal.Restoring, len(all)), alike: s.alike(cells)}
	err := parallel.Each(ctx, len(all), func(i int) (err error) {
		r.within[i], err = s.restoring(ctx, s.strata[i], all[i].parts.withUntouched(s.strata[i]))
		return err
	})
	if err != nil || slices.Contains(r.within, nil) {
		return err
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
	for _, a := range r.alike {
		for _, rows := range a.households {
			for i, row := range rows {
				cells[row] = a.members[i].Set
			}
		}
	}
	return nil
}

// alike returns the households that lose cells, those that are alike together.
func (s *solving) alike(cells lost) (all []*alike) {
	for rest := s.households.order; len(rest) > 0; {
		rows := rest[:s.households.Members(s.households.Of(int(rest[0])))]
		rest = rest[len(rows):]
		if !slices.ContainsFunc(rows, func(row uint32) bool { return cells[row] != 0 }) {
			continue
		}
		a := &alike{households: [][]uint32{slices.Clone(rows)}}
		slices.SortStableFunc(a.households[0], func(a, b uint32) int {
			return comparePart(part{Key: s.table.Key(int(a)), Set: cells[a]}, part{Key: s.table.Key(int(b)), Set: cells[b]})
		})
		for _, row := range a.households[0] {
			a.members = append(a.members, part{Key: s.table.Key(int(row)), Set: cells[row]})
		}
		all = append(all, a)
	}
	slices.SortStableFunc(all, func(a, b *alike) int {
		if len(a.members) != len(b.members) {
			return cmp.Compare(len(a.members), len(b.members))
		}
		return slices.CompareFunc(a.members, b.members, comparePart)
	})
	distinct := all[:0]
	for _, a := range all {
		if last := len(distinct) - 1; last >= 0 && slices.Equal(distinct[last].members, a.members) {
			distinct[last].households = append(distinct[last].households, a.households...)
		} else {
			distinct = append(distinct, a)
		}
	}
	return distinct
}

// giveBack gives cells of a variable back and reports whether it gave any.
func (r *householdRestoring) giveBack(ctx context.Context, v int) (given bool, err error) {
	shared := r.households.share(r.in.Scenario.Keys[v])
	var together []int
	for i := 0; i < len(r.alike); i++ {
		if i%(1<<10) == 0 && ctx.Err() != nil {
			return given, ctx.Err()
		}
		a := r.alike[i]
		together = together[:0]
		for member := range a.members {
			if a.members[member].Set>>v&1 == 0 {
				continue
			}
			if together = append(together, member); !shared {
				given = r.giveTo(v, a, together) || given
				together = together[:0]
			}
		}
		given = len(together) > 0 && r.giveTo(v, a, together) || given
	}
	return given, nil
}

// giveTo gives members of as many households that are alike as possible their cells of a variable back, and reports
// whether it gave any: to half as many where they cannot all have them.
func (r *householdRestoring) giveTo(v int, a *alike, members []int) (given bool) {
	for times := len(a.households); times > 0; {
		if !r.try(v, a, members, times) {
			times /= 2
			continue
		}
		given = true
		to := a
		if times < len(a.households) {
			to = &alike{slices.Clone(a.members), a.households[:times]}
			a.households = a.households[times:]
			r.alike = append(r.alike, to)
		}
		for _, member := range members {
			to.members[member].Set &^= 1 << v
		}
		if to == a {
			break
		}
		times = len(a.households)
	}
	return given
}

// try gives members of so many households their cells of a variable back, unless a record violates then.
func (r *householdRestoring) try(v int, a *alike, members []int, times int) bool {
	r.moved = r.moved[:0]
	for _, member := range members {
		from := a.members[member]
		to := r.movedIn(r.of[from.Key])
		to.parts = append(to.parts, part{Key: r.number[from.Key], Set: from.Set, Count: times})
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
