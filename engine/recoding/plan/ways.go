package plan

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
)

// steepest returns where the descent goes on from its place: of the combinations
// that remove nearly as many violators per bit as the best one, that which removes
// most; nil where none removes any, or the descent's place is not expanded.
func (s *Search) steepest(families []*family) *member {
	return best(families, s.descent, func(m *member, violators int) (removed, rate float64) {
		removed, lost := float64(s.descent.violators-violators), m.lost-s.descent.lost
		if lost <= 0 {
			return 0, 0
		}
		return removed, removed / lost
	})
}

// gentlest returns where the ascent goes on from its place: of the combinations that
// win back nearly as many bits per violator that comes as the best one, that which
// wins back most; nil where none wins back any, the ascent has come half of the
// way, or its place is not expanded.
func (s *Search) gentlest(families []*family) *member {
	if s.ascent != nil && s.ascent.lost < s.axis.lost/2 {
		return nil
	}
	return best(families, s.ascent, func(m *member, violators int) (won, rate float64) {
		won = s.ascent.lost - m.lost
		return won, won / float64(1+max(0, violators-s.ascent.violators))
	})
}

// best returns, of the combinations one move from a place that gain nearly at the
// rate of the best one, that which gains most; nil where none gains anything.
func best(families []*family, from *member, gain func(m *member, violators int) (gain, rate float64)) (best *member) {
	highest, most := 0.0, 0.0
	for pass := range 2 {
		for _, f := range families {
			if f.of != from {
				continue
			}
			for i, m := range f.members {
				gained, rate := gain(m, f.found[i].violators)
				switch {
				case gained <= 0:
				case pass == 0:
					highest = max(highest, rate)
				case rate >= nearlyBest*highest && gained > most:
					best, most = m, gained
				}
			}
		}
	}
	return best
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
		slices.SortFunc(merges, func(a, b merge) int {
			return cmp.Or(cmp.Compare(b.rate, a.rate), cmp.Compare(a.first, b.first))
		})
		out := &family{of: f.of, variable: f.variable, view: f.view}
		into := make([]uint32, now.groups+2)
		paired := func(_ int, group uint32) uint32 { return cmp.Or(into[group], group) }
		pairs := 0
		for _, m := range merges {
			if into[m.first] != 0 || into[m.first+1] != 0 {
				continue
			}
			into[m.first], into[m.first+1] = m.first, m.first
			if pairs++; pairs > 1 && pairs&(pairs-1) == 0 {
				s.enter(out, v.relabelled(now, paired), seen)
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

// exchange returns combinations without violators that lose less detail than the
// last member of the archive, where that is expanded and has none, once in a round: those in which
// one variable is finer and another one coarser. Between them lie combinations that
// are dominated, so that single moves do not find them.
func (s *Search) exchange(ctx context.Context, batch []*member, families []*family, seen map[string]bool,
	meter *progress.Meter) ([]*member, int, error) {
	last := s.archive[len(s.archive)-1]
	if last.violators > 0 || s.exchanged || !slices.Contains(batch, last) {
		return nil, 0, nil
	}
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
	all := s.families(finer[:min(max(1, keysOfExchange/max(1, len(s.estimator.counts))), mostFiner, len(finer))],
		maps.Clone(seen))
	for _, f := range all {
		f.members = slices.DeleteFunc(f.members, func(m *member) bool { return m.lost >= last.lost })
	}
	work, err := s.each(ctx, all, meter, s.recounted)
	if err != nil {
		return nil, 0, err
	}
	s.exchanged = true
	var found []*member
	for _, m := range take(all) {
		if m.violators == 0 && !seen[m.name] {
			seen[m.name], found = true, append(found, m)
		}
	}
	return found, work, nil
}
