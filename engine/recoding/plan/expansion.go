package plan

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Work of the search.
const (
	mostReserve    = 8192 // members of the reserve
	expandedAtOnce = 4    // members that are expanded together
	costOfView     = 500  // keys that take as long as what a view costs besides its keys
	costOfMember   = 100  // the same for a count
)

// family is the combinations that differ from a member in one variable.
type family struct {
	of       *member
	variable int
	members  []*member
}

// expand counts the violators of the combinations one move away from members, and puts
// those that none dominates into the archive, the others into the reserve. It returns the
// keys that were gone through. With an error nothing has changed.
func (s *Search) expand(ctx context.Context, batch []*member, meter *progress.Meter) (work int, err error) {
	seen := map[string]bool{}
	families := s.families(batch, seen)
	if work, err = s.count(ctx, families, meter); err != nil {
		return 0, err
	}
	maps.Copy(s.tried, seen)
	for _, m := range batch {
		m.expanded = true
	}
	var found []*member
	for _, f := range families {
		found = append(found, f.members...)
	}
	s.archive = add(s.archive, found)
	for _, m := range found {
		if _, stands := slices.BinarySearchFunc(s.archive, m, before); !stands {
			s.reserve = append(s.reserve, m)
		}
	}
	if len(s.reserve) > 2*mostReserve {
		s.sortReserve()
		s.reserve = s.reserve[:min(mostReserve, len(s.reserve))]
	}
	return work, nil
}

// sortReserve sorts the members of the reserve that were not expanded by how few
// violators they have for their detail beside the archive.
func (s *Search) sortReserve() {
	s.reserve = slices.DeleteFunc(s.reserve, func(m *member) bool { return m.expanded })
	for _, m := range s.reserve {
		at, found := slices.BinarySearchFunc(s.archive, m.lost, func(a *member, lost float64) int { return cmp.Compare(a.lost, lost) })
		if !found {
			at--
		}
		m.excess = float64(m.violators+1) / float64(s.archive[max(0, at)].violators+1)
	}
	slices.SortFunc(s.reserve, func(a, b *member) int { return cmp.Or(cmp.Compare(a.excess, b.excess), before(a, b)) })
}

// next returns the members that are expanded next: those of the archive in the
// widest gaps, and its end. Where all of the archive were expanded, members of the
// reserve follow.
func (s *Search) next() []*member {
	batch := waiting(s.archive, expandedAtOnce)
	if last := s.archive[len(s.archive)-1]; !last.expanded && !slices.Contains(batch, last) {
		batch = append(batch, last)
	}
	if len(batch) == 0 {
		s.sortReserve()
		batch = slices.Clone(s.reserve[:min(expandedAtOnce, len(s.reserve))])
	}
	return batch
}

// families returns the combinations one move away from members that were not
// tried and are not seen yet.
func (s *Search) families(batch []*member, seen map[string]bool) []*family {
	var all []*family
	for _, m := range batch {
		for v := range s.variables {
			f := &family{of: m, variable: v}
			for _, id := range s.variables[v].moves(m.state[v]) {
				state := slices.Clone(m.state)
				state[v] = id
				if name := string(nameOf(state)); !s.tried[name] && !seen[name] {
					seen[name] = true
					f.members = append(f.members, s.member(state, name))
				}
			}
			if len(f.members) > 0 {
				all = append(all, f)
			}
		}
	}
	return all
}

// count counts the violators of the members of families, several families at a time. It
// returns the keys that were gone through.
func (s *Search) count(ctx context.Context, families []*family, meter *progress.Meter) (work int, err error) {
	worked := make([]int, len(families))
	err = parallel.Tasks(ctx, len(families), len(s.workers), func(worker, task int) {
		f, w := families[task], s.workers[worker]
		w.work = costOfView + costOfMember*len(f.members)
		list := s.variables[f.variable].list
		from := s.counter.view(w, s.groupings(f.of.state), f.variable)
		was := s.counter.violators(w, from, list[f.of.state[f.variable]])
		for _, m := range f.members {
			if ctx.Err() != nil {
				return
			}
			m.violators = was.after(s.counter, w, from, list[m.state[f.variable]].of)
		}
		worked[task] = w.work
		if s.shown.Add(int64(w.work)) <= int64(s.options.Work) {
			meter.Add(int64(w.work))
		}
	})
	for _, one := range worked {
		work += one
	}
	return work, err
}
