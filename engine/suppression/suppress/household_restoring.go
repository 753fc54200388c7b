package suppress

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
)

// householdRestoring gives back cells that need not be blank any more once whole
// households have lost theirs: to a record a cell of its own, to all members of a
// household a shared one.
type householdRestoring struct {
	*solving
	restoring
	places map[part]int // of rows, by key and set
	of     []int        // per record: its row
}

// restorable reports whether there may be cells that can be given back. Where no
// shared one is lost the solver has left none; with the algorithm that gives
// what another program does none are.
func (s *solving) restorable(cells lost) bool {
	shared := uint64(0)
	for v, name := range s.in.Scenario.Keys {
		if slices.Contains(s.in.Scenario.SameForHousehold, name) {
			shared |= 1 << v
		}
	}
	return slices.ContainsFunc(cells, func(set uint64) bool { return set&shared != 0 }) &&
		s.m.Algorithm != SDCMicro && len(s.m.Subsets) == 0 && s.restores()
}

// restore returns the cells without those that can be given back. No record may
// violate.
func (s *solving) restore(ctx context.Context, cells lost) (lost, error) {
	r := &householdRestoring{solving: s, places: make(map[part]int), of: make([]int, len(cells)),
		restoring: restoring{combinations: s.combinations(), own: protection(s.rule()) == minimal.OwnCategory, codes: s.table.Groups().Codes}}
	if len(s.defining) > 0 {
		r.restoring.strata = s.of
	}
	for record, key := range s.table.RowKeys() {
		r.enter(record, key, cells[record])
	}
	if err := s.eachRestored(func(v int) (bool, error) { return r.giveBack(ctx, v) }); err != nil {
		return nil, err
	}
	left := make(lost, len(cells))
	for record, row := range r.of {
		left[record] = r.rows[row].set
	}
	return left, nil
}

// enter puts a record into the row of a key without the variables of a set.
func (r *householdRestoring) enter(record int, key uint32, set uint64) {
	row, ok := r.places[part{key: key, set: set}]
	if !ok {
		row = len(r.rows)
		r.places[part{key: key, set: set}] = row
		r.rows = append(r.rows, part{key: key, set: set})
	}
	r.rows[row].count++
	r.of[record] = row
}

// giveBack gives cells of a variable back and reports whether it gave any.
func (r *householdRestoring) giveBack(ctx context.Context, v int) (given bool, err error) {
	restored, err := r.begin(ctx, v)
	if err != nil || len(restored.without) == 0 {
		return false, err
	}
	shared := slices.Contains(r.in.Scenario.SameForHousehold, r.in.Scenario.Keys[v])
	var together, rows []int // records that get theirs back together, and their rows
	for record, row := range r.of {
		if record%(1<<14) == 0 && ctx.Err() != nil {
			return given, ctx.Err()
		}
		if r.rows[row].set>>v&1 == 0 {
			continue
		}
		together, rows = append(together[:0], record), rows[:0]
		if shared {
			together = r.members(together[:0], record, v)
		}
		for _, member := range together {
			rows = append(rows, r.of[member])
		}
		// A household is tried once, with its first member that has lost the cell.
		if together[0] != record || !restored.try(rows, 1) {
			continue
		}
		for i, member := range together {
			r.rows[rows[i]].count--
			r.enter(member, r.rows[rows[i]].key, r.rows[rows[i]].set&^(1<<v))
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
		if member := r.households.Member(household, i); r.rows[r.of[member]].set>>v&1 == 1 {
			to = append(to, member)
		}
	}
	return to
}
