package plan

import (
	"cmp"
	"context"
	"maps"
	"runtime"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// family has the states that differ from one state in one variable.
type family struct {
	of       []int
	variable int
	states   []*state
}

// try expands states for the work of one round. exhausted reports that no state is left.
func (s *Search) try(ctx context.Context, meter *progress.Meter) (exhausted bool, err error) {
	if len(s.archive) == 0 {
		if err := s.begin(ctx); err != nil {
			return false, err
		}
	}
	for s.work < s.options.Work {
		batch := waiting(s.archive, expandedOnce)
		if len(batch) == 0 || s.options.Single && s.archive[0].expanded {
			return true, nil
		}
		work, err := s.expand(ctx, batch, meter)
		if err != nil {
			return false, err
		}
		s.work += work
	}
	return s.options.Single, nil
}

// begin counts the violators of the initial states: no recode, every variable at its coarsest recode that does not
// remove it, and from there successive removals of variables.
func (s *Search) begin(ctx context.Context) error {
	recodes := [2][]int{make([]int, len(s.variables)), make([]int, len(s.variables))}
	for v, of := range s.variables {
		for place, r := range of.recodes {
			if !s.options.Single && !r.Removes {
				recodes[1][v] = place
			}
		}
	}
	var families []*family
	for _, one := range recodes {
		if first := s.state(one); !s.tried[first.name] {
			s.tried[first.name] = true
			families = append(families, &family{of: one, states: []*state{first}})
		}
	}
	_, err := s.count(ctx, families, nil)
	var removals []*family
	if err == nil {
		removals, err = s.removals(ctx, families[len(families)-1].states[0])
	}
	if err != nil {
		clear(s.tried)
		return err
	}
	for _, f := range append(families, removals...) {
		s.archive = append(s.archive, f.states...)
	}
	s.archive = undominated(s.archive, byViolators)
	return nil
}

// removals removes variables from a state, each time the one whose removal leaves fewest violators, until there
// are no violators.
func (s *Search) removals(ctx context.Context, from *state) (all []*family, err error) {
	for !s.options.Single && from.violators > 0 {
		var families []*family
		for v, of := range s.variables {
			at := slices.IndexFunc(of.recodes, func(r *Recode) bool { return r.Removes })
			if at < 0 || from.recodes[v] == at {
				continue
			}
			recodes := slices.Clone(from.recodes)
			recodes[v] = at
			if to := s.state(recodes); !s.tried[to.name] {
				s.tried[to.name] = true
				families = append(families, &family{of: from.recodes, variable: v, states: []*state{to}})
			}
		}
		if len(families) == 0 {
			break
		}
		if _, err := s.count(ctx, families, nil); err != nil {
			return nil, err
		}
		all = append(all, families...)
		from = slices.MinFunc(families, func(a, b *family) int {
			return cmp.Or(cmp.Compare(a.states[0].violators, b.states[0].violators), cmp.Compare(a.states[0].lost, b.states[0].lost))
		}).states[0]
	}
	return all, nil
}

// expand counts the violators of the neighbours of states and adds those that are not dominated to the archive. It
// returns the number of key patterns processed. After an error nothing has changed.
func (s *Search) expand(ctx context.Context, batch []*state, meter *progress.Meter) (work int, err error) {
	seen := map[string]bool{}
	families := s.families(batch, seen)
	if work, err = s.count(ctx, families, meter); err != nil {
		return 0, err
	}
	maps.Copy(s.tried, seen)
	for _, one := range batch {
		one.expanded = true
	}
	for _, f := range families {
		s.archive = append(s.archive, f.states...)
	}
	s.archive = undominated(s.archive, byViolators)
	return work, nil
}

// families returns the states that differ from those of a batch in one variable and are neither in tried nor in
// seen.
func (s *Search) families(batch []*state, seen map[string]bool) (all []*family) {
	for _, one := range batch {
		for v := range s.variables {
			f := &family{of: one.recodes, variable: v}
			for place := range s.variables[v].recodes {
				recodes := slices.Clone(one.recodes)
				recodes[v] = place
				if to := s.state(recodes); !s.tried[to.name] && !seen[to.name] {
					seen[to.name] = true
					f.states = append(f.states, to)
				}
			}
			if len(f.states) > 0 {
				all = append(all, f)
			}
		}
	}
	return all
}

// state returns a combination of recodes without its violators.
func (s *Search) state(recodes []int) *state {
	out := &state{recodes: recodes}
	var name []byte
	for v, place := range recodes {
		r := s.variables[v].recodes[place]
		out.lost += r.Lost
		if r.Removes {
			out.removed++
		}
		name = append(name, byte(place), byte(place>>8))
	}
	out.name = string(name)
	return out
}

// count counts the violators of the states of families, in parallel. It returns the number of key patterns
// processed.
func (s *Search) count(ctx context.Context, families []*family, meter *progress.Meter) (work int, err error) {
	worked, errs := make([]int, len(families)), make([]error, len(families))
	err = parallel.Tasks(ctx, len(families), runtime.GOMAXPROCS(0), func(_, task int) {
		worked[task], errs[task] = s.violators(ctx, families[task])
		meter.Add(int64(worked[task]))
	})
	for i, one := range errs {
		work += worked[i]
		if err == nil {
			err = one
		}
	}
	return work, err
}

// violators counts the violators of the states of a family, on the key table with all other variables recoded.
func (s *Search) violators(ctx context.Context, f *family) (work int, err error) {
	from, err := s.recoded(ctx, s.table, f.of, f.variable)
	for _, one := range f.states {
		if err != nil {
			return work, err
		}
		var t *keys.Table
		if t, err = s.regrouped(ctx, from, f.variable, one.recodes[f.variable]); err == nil {
			one.violators, err = s.below(ctx, t)
		}
		work += costOfState + from.Keys()
	}
	return work, err
}

func (s *Search) below(ctx context.Context, t *keys.Table) (int, error) {
	frequencies, err := t.Frequencies(ctx, s.options.Rule, s.scenario.Alpha)
	if err != nil {
		return 0, err
	}
	return t.Violators(frequencies, s.options.K), nil
}

// recoded returns the key table after the recodes of all variables except but, which may be -1.
func (s *Search) recoded(ctx context.Context, t *keys.Table, recodes []int, but int) (_ *keys.Table, err error) {
	for v, place := range recodes {
		if v != but && err == nil {
			t, err = s.regrouped(ctx, t, v, place)
		}
	}
	return t, err
}

// regrouped returns a key table after a recode of a variable.
func (s *Search) regrouped(ctx context.Context, t *keys.Table, variable, place int) (*keys.Table, error) {
	r := s.variables[variable].recodes[place]
	if len(r.Steps) == 0 {
		return t, nil
	}
	return t.Regroup(ctx, variable, r.levels, r.mapping)
}
