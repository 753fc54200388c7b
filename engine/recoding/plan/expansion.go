package plan

import (
	"cmp"
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

const (
	mostReserve    = 8192    // members of the reserve
	likelyOff      = 0.05    // the part by which violators may tell too many cells before a combination is given up
	largeView      = 8192    // keys from which on an estimate waits until a combination is expanded
	keysOfExchange = 250_000 // that are gone through for the views of each variable in an exchange, about
	mostFiner      = 60      // combinations with fewest violators that an exchange begins with
	nearlyBest     = 0.95    // of the best rate that a descent is content with where more violators go at once
)

// family is the combinations that differ from a member in one variable.
type family struct {
	of       *member
	variable int
	members  []*member
	found    []estimate
	view     *view  // nil until it is needed
	change   change // from the member's grouping
	work     int
}

// recounted counts the violators of a member of a family; those of the member that the
// family is of are counted by group before, once.
func (s *Search) recounted(w *workspace, f *family, from *view, of []uint32) estimate {
	if f.change.was == nil {
		f.remember(s, w, from)
	}
	return f.change.after(s.estimator, w, from, of)
}

func (f *family) remember(s *Search, w *workspace, from *view) {
	f.change.was = s.variables[f.variable].list[f.of.state[f.variable]]
	w.work = 0
	f.change.byGroup = s.estimator.violatorsByGroup(w, from, f.change.was)
	for _, records := range f.change.byGroup {
		f.change.all += records
	}
	f.work += w.work
}

// expand estimates combinations one move away from members, and puts those that
// none dominates into the archive. It returns the keys that were gone through.
//
// Violators are counted of all of them. They tell how many cells are likely, a
// violator costing about as many as it did before the move; the estimate is made
// for those only that are then not dominated; of many keys it waits until they are
// expanded. With an error the work is that of what need not be done again.
func (s *Search) expand(ctx context.Context, batch []*member, meter *progress.Meter) (work int, err error) {
	settled, err := s.settle(ctx, batch, meter)
	if err != nil {
		return 0, err
	}
	seen := map[string]bool{}
	all := s.families(batch, seen)
	more, err := s.each(ctx, all, meter, s.recounted)
	if err != nil {
		return settled, err
	}
	bundles := s.bundles(all, seen)
	work = settled + more
	if more, err = s.each(ctx, bundles, meter, s.recounted); err != nil {
		return settled, err
	}
	work += more
	all = append(all, bundles...)
	down, up := s.steepest(all), s.gentlest(all)
	likely := s.likely(all, down, up)
	more, err = s.each(ctx, likely, meter, func(w *workspace, f *family, from *view, of []uint32) estimate {
		if len(from.all) <= largeView {
			return s.estimator.estimate(w, from, of, f.of.second)
		}
		e := s.recounted(w, f, from, of)
		e.cells, e.second = int(float64(e.violators)*f.of.each), f.of.second
		return e
	})
	if err != nil {
		return settled, err
	}
	found := take(likely)
	swapped, more2, err := s.exchange(ctx, batch, all, seen, meter)
	if err != nil {
		return settled, err
	}
	found, more = append(found, swapped...), more+more2
	for name := range seen {
		s.tried[name] = true
	}
	for _, m := range batch {
		m.expanded = true
		if m == s.descent {
			s.descent = down
		}
		if m == s.ascent {
			s.ascent = up
		}
	}
	s.archive = add(s.archive, found, s.axis)
	s.rescale()
	s.keep(all)
	return work + more, nil
}

// keep puts what was tried and does not stand in the archive into the reserve.
func (s *Search) keep(families []*family) {
	for _, f := range families {
		for _, m := range f.members {
			if _, stands := slices.BinarySearchFunc(s.archive, m, before); !stands {
				s.reserve = append(s.reserve, m)
			}
		}
	}
	if len(s.reserve) > 2*mostReserve {
		s.reserve = s.nearest(mostReserve)
	}
}

// nearest returns up to n members of the reserve that were not expanded, those
// first that have fewest cells for their detail beside the archive.
func (s *Search) nearest(n int) []*member {
	s.reserve = slices.DeleteFunc(s.reserve, func(m *member) bool { return m.expanded })
	type candidate struct {
		*member
		excess float64
	}
	compare := func(a, b candidate) int { return cmp.Or(cmp.Compare(a.excess, b.excess), before(a.member, b.member)) }
	var best []candidate // in their order: few of many are asked for again and again
	for _, m := range s.reserve {
		at, _ := slices.BinarySearchFunc(s.archive, m.lost, func(a *member, lost float64) int {
			if a.lost <= lost {
				return -1
			}
			return 1
		})
		c := candidate{m, float64(m.cells+1) / float64(s.archive[max(0, at-1)].cells+1)}
		if len(best) == n && compare(c, best[n-1]) >= 0 {
			continue
		}
		place, _ := slices.BinarySearchFunc(best, c, compare)
		best = slices.Insert(best[:min(len(best), n-1)], place, c)
	}
	out := make([]*member, len(best))
	for i := range best {
		out[i] = best[i].member
	}
	return out
}

// take gives the members of families what was found of them.
func take(families []*family) []*member {
	var found []*member
	for _, f := range families {
		for i, m := range f.members {
			m.cells, m.violators, m.each, m.second = f.found[i].cells, f.found[i].violators, f.found[i].each(), f.found[i].second
			found = append(found, m)
		}
	}
	return found
}

// settle counts what was taken over from others so far, before members are
// expanded.
func (s *Search) settle(ctx context.Context, batch []*member, meter *progress.Meter) (work int, err error) {
	var all []*family
	for _, m := range batch {
		if !m.settled {
			all = append(all, &family{of: m, members: []*member{m}})
		}
	}
	work, err = s.each(ctx, all, meter, func(w *workspace, _ *family, from *view, of []uint32) estimate {
		return s.estimator.estimate(w, from, of, -1)
	})
	if err != nil {
		return 0, err
	}
	var back []*member // from the reserve
	for _, m := range take(all) {
		if m.settled = true; !slices.Contains(s.archive, m) {
			back = append(back, m)
		}
	}
	s.archive = add(s.archive, back, s.axis)
	return work, nil
}

// families returns the combinations one move away from members that were not
// tried and are not seen yet.
func (s *Search) families(batch []*member, seen map[string]bool) []*family {
	var all []*family
	for _, m := range batch {
		for v := range s.variables {
			f := &family{of: m, variable: v}
			for _, id := range s.variables[v].moves(m.state[v]) {
				s.enter(f, id, seen)
			}
			if len(f.members) > 0 {
				all = append(all, f)
			}
		}
	}
	return all
}

// enter puts the combination with a grouping into a family unless it was tried or
// seen.
func (s *Search) enter(f *family, id int, seen map[string]bool) {
	state := slices.Clone(f.of.state)
	state[f.variable] = id
	if name := string(nameOf(state)); !s.tried[name] && !seen[name] {
		seen[name] = true
		f.members = append(f.members, s.member(state, name))
	}
}

// likely returns the families with those members only that are likely to be
// dominated by none, and others that are wanted.
func (s *Search) likely(families []*family, wanted ...*member) []*family {
	var found []*member
	for _, f := range families {
		for i, m := range f.members {
			m.violators, m.each, m.second = f.found[i].violators, f.of.each, f.of.second
			m.cells = int(float64(m.violators) * f.of.each * (1 - likelyOff))
			found = append(found, m)
		}
	}
	stands := map[*member]bool{}
	for _, m := range wanted {
		stands[m] = true
	}
	for _, m := range add(slices.Clone(s.archive), found, s.axis) {
		stands[m] = true
	}
	var out []*family
	for _, f := range families {
		kept := &family{of: f.of, variable: f.variable, view: f.view, change: f.change}
		for _, m := range f.members {
			if stands[m] {
				kept.members = append(kept.members, m)
			}
		}
		if len(kept.members) > 0 {
			out = append(out, kept)
		}
	}
	return out
}

// each has something found out about each member of families, several families at
// a time. It returns the keys that were gone through.
func (s *Search) each(ctx context.Context, families []*family, meter *progress.Meter,
	find func(w *workspace, f *family, from *view, of []uint32) estimate) (work int, err error) {
	err = parallel.Tasks(ctx, len(families), len(s.workers), func(worker, task int) {
		f, w := families[task], s.workers[worker]
		f.work, f.found = 0, make([]estimate, len(f.members))
		if f.view == nil {
			f.view = s.estimator.view(w, s.groupings(f.of.state), f.variable)
			f.work = f.view.work + costOfView
		}
		from := f.view
		for i, m := range f.members {
			if ctx.Err() != nil {
				return
			}
			f.found[i] = find(w, f, from, s.variables[f.variable].list[m.state[f.variable]].of)
			f.work += f.found[i].work + costOfMember
		}
		if s.shown.Add(int64(f.work)) <= int64(s.options.Work) {
			meter.Add(int64(f.work))
		}
	})
	for _, f := range families {
		work += f.work
	}
	return work, err
}
