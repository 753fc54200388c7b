package plan

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/progress"
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

// remember counts the violators of the family's member by group, once.
func (f *family) remember(s *Search, w *workspace, from *view) {
	if f.change.was != nil {
		return
	}
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
// for those only that are then not dominated; of many keys it waits until they are expanded.
func (s *Search) expand(ctx context.Context, batch []*member, meter *progress.Meter) (work int, err error) {
	if work, err = s.settle(ctx, batch, meter); err != nil {
		return 0, err
	}
	seen := map[string]bool{}
	all := s.families(batch, seen)
	violators := func(w *workspace, f *family, from *view, of []uint32) estimate {
		f.remember(s, w, from)
		return f.change.after(s.estimator, w, from, of)
	}
	more, err := s.each(ctx, all, meter, violators)
	if err != nil {
		return 0, err
	}
	bundles := s.bundles(all, seen)
	work += more
	if more, err = s.each(ctx, bundles, meter, violators); err != nil {
		return 0, err
	}
	work += more
	all = append(all, bundles...)
	down, up := s.steepest(all), s.gentlest(all)
	likely := s.likely(all, down, up)
	more, err = s.each(ctx, likely, meter, func(w *workspace, f *family, from *view, of []uint32) estimate {
		if len(from.all) <= largeView {
			return s.estimator.estimate(w, from, of, f.of.second)
		}
		f.remember(s, w, from)
		e := f.change.after(s.estimator, w, from, of)
		e.cells, e.second = int(float64(e.violators)*f.of.each), f.of.second
		return e
	})
	if err != nil {
		return 0, err
	}
	found := take(likely)
	swapped, more2, err := s.exchange(ctx, batch, all, seen, meter)
	if err != nil {
		return 0, err
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
	excess := make(map[*member]float64, len(s.reserve))
	for _, m := range s.reserve {
		at, _ := slices.BinarySearchFunc(s.archive, m.lost, func(a *member, lost float64) int {
			if a.lost <= lost {
				return -1
			}
			return 1
		})
		excess[m] = float64(m.cells+1) / float64(s.archive[max(0, at-1)].cells+1)
	}
	slices.SortFunc(s.reserve, func(a, b *member) int { return cmp.Or(cmp.Compare(excess[a], excess[b]), before(a, b)) })
	return slices.Clone(s.reserve[:min(n, len(s.reserve))])
}

// steepest returns where the descent goes on from its place: of the combinations
// that remove nearly as many violators per bit as the best one, that which removes
// most; nil where none removes any, or the descent's place is not expanded.
func (s *Search) steepest(families []*family) *member {
	var best *member
	highest, most := 0.0, 0
	for pass := range 2 {
		for _, f := range families {
			if f.of != s.descent {
				continue
			}
			for i, m := range f.members {
				removed, lost := f.of.violators-f.found[i].violators, m.lost-f.of.lost
				if removed <= 0 || lost <= 0 {
					continue
				}
				rate := float64(removed) / lost
				if pass == 0 {
					highest = max(highest, rate)
				} else if rate >= nearlyBest*highest && removed > most {
					best, most = m, removed
				}
			}
		}
	}
	return best
}

// exchange returns combinations without violators that lose less detail than the
// last member of the archive, where that is expanded and has none, once in a round: those in which
// one variable is finer and another one coarser. Between them lie combinations that
// are dominated, so that single moves do not find them.
func (s *Search) exchange(ctx context.Context, batch []*member, families []*family, seen map[string]bool, meter *progress.Meter) ([]*member, int, error) {
	last := s.archive[len(s.archive)-1]
	if last.violators > 0 || s.exchanged || !slices.Contains(batch, last) {
		return nil, 0, nil
	}
	s.exchanged = true
	var finer []*member
	for _, f := range families {
		for i, m := range f.members {
			if f.of == last && m.lost < last.lost {
				m.violators = f.found[i].violators
				finer = append(finer, m)
			}
		}
	}
	slices.SortFunc(finer, func(a, b *member) int { return cmp.Or(cmp.Compare(a.violators, b.violators), before(a, b)) })
	// What is no improvement does not count as tried: other ways lead over it.
	all := s.families(finer[:min(max(1, keysOfExchange/len(s.estimator.counts)), mostFiner, len(finer))], maps.Clone(seen))
	for _, f := range all {
		f.members = slices.DeleteFunc(f.members, func(m *member) bool { return m.lost >= last.lost })
	}
	work, err := s.each(ctx, all, meter, func(w *workspace, f *family, from *view, of []uint32) estimate {
		f.remember(s, w, from)
		return f.change.after(s.estimator, w, from, of)
	})
	var found []*member
	for _, m := range take(all) {
		if m.violators == 0 && !seen[m.name] {
			seen[m.name], found = true, append(found, m)
		}
	}
	return found, work, err
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
	if name := nameOf(state); !s.tried[name] && !seen[name] {
		seen[name] = true
		f.members = append(f.members, s.member(state, name))
	}
}

// bundles returns, for variables with many groups, the combinations that make
// several of the best moves at once which merge two neighbours: 2, 4, 8, ... pairs
// that have no group in common. One by one they would take as many expansions.
func (s *Search) bundles(families []*family, seen map[string]bool) []*family {
	var all []*family
	for _, f := range families {
		v := s.variables[f.variable]
		now := v.list[f.of.state[f.variable]]
		if !v.ordered || v.hierarchy != nil || now.groups <= manyGroups {
			continue
		}
		type merge struct {
			first uint32 // the lower group
			rate  float64
		}
		var merges []merge
		for i, m := range f.members {
			id := m.state[f.variable]
			first, ok := pairOf(now, v.list[id])
			removed := float64(f.of.violators - f.found[i].violators)
			if lost := v.list[id].lost - now.lost; ok && lost > 0 && removed > 0 {
				merges = append(merges, merge{first, removed / lost})
			}
		}
		slices.SortFunc(merges, func(a, b merge) int { return cmp.Or(cmp.Compare(b.rate, a.rate), cmp.Compare(a.first, b.first)) })
		out := &family{of: f.of, variable: f.variable, view: f.view}
		into := make([]uint32, now.groups+2)
		pairs := 0
		for _, m := range merges {
			if into[m.first] != 0 || into[m.first+1] != 0 {
				continue
			}
			into[m.first], into[m.first+1] = m.first, m.first
			if pairs++; pairs > 1 && pairs&(pairs-1) == 0 {
				s.enter(out, v.paired(now, into), seen)
			}
		}
		if len(out.members) > 0 {
			all = append(all, out)
		}
	}
	return all
}

// pairOf returns the lower of the two neighbouring groups that a coarser grouping
// makes one; ok is false where it does something else.
func pairOf(finer, coarser *grouping) (first uint32, ok bool) {
	if coarser.groups != finer.groups-1 {
		return 0, false
	}
	into := make([]uint32, finer.groups+1)
	for code, group := range finer.of {
		if group != 0 {
			if into[group] != 0 && into[group] != coarser.of[code] {
				return 0, false
			}
			into[group] = coarser.of[code]
		}
	}
	for group := 1; group < finer.groups; group++ {
		if into[group] == into[group+1] {
			return uint32(group), true
		}
	}
	return 0, false
}

// paired returns the grouping in which groups are one that go into the same; those
// that go into none stay.
func (v *variable) paired(g *grouping, into []uint32) int {
	labels := slices.Clone(g.of)
	for code, group := range labels {
		if into[group] != 0 {
			labels[code] = into[group]
		}
	}
	return v.intern(labels)
}

// gentlest returns where the ascent goes on from its place: of the combinations that
// win back nearly as many bits per violator that comes as the best one, that which
// wins back most; nil where none wins back any, the ascent has come half of the
// way, or its place is not expanded.
func (s *Search) gentlest(families []*family) *member {
	var best *member
	highest, most := 0.0, 0.0
	for pass := range 2 {
		for _, f := range families {
			if f.of != s.ascent || f.of.lost < s.axis.lost/2 {
				continue
			}
			for i, m := range f.members {
				won := f.of.lost - m.lost
				if won <= 0 {
					continue
				}
				rate := won / float64(1+max(0, f.found[i].violators-f.of.violators))
				if pass == 0 {
					highest = max(highest, rate)
				} else if rate >= nearlyBest*highest && won > most {
					best, most = m, won
				}
			}
		}
	}
	return best
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
		meter.Add(int64(f.work))
	})
	for _, f := range families {
		work += f.work
	}
	return work, err
}
