package suppress

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/suppress/minimal"
)

// householdRestoring gives back cells that need not be blank any more once whole
// households have lost theirs: to a record a cell of its own, to all members of a
// household a shared one.
type householdRestoring struct {
	*settling
	restoring
	places map[part]int // of rows, by key and set
	of     []int        // per record: its row
}

// restorable reports whether there may be cells that can be given back. Where no
// shared one is lost the solver has left none; with the algorithm that gives
// what another program does none are.
func (s *settling) restorable(cells blanks) bool {
	shared := false
	for v, name := range s.names {
		shared = shared || cells[v] != nil && slices.Contains(s.in.Scenario.SameForHousehold, name)
	}
	return shared && s.algorithm != SDCMicro && len(s.o.Subsets) == 0 && s.budget == nil && s.restores()
}

// restore returns the cells without those that can be given back. No record may
// violate.
func (s *settling) restore(ctx context.Context, cells blanks) (blanks, error) {
	r := s.newHouseholdRestoring(cells)
	if err := s.plain.eachRestored(func(v int) (bool, error) { return r.giveBack(ctx, v) }); err != nil {
		return nil, err
	}
	left := make(blanks, len(cells))
	for record, row := range r.of {
		left.setAll(record, r.rows[row].set, len(r.of))
	}
	return left, nil
}

// newHouseholdRestoring counts the rows of the file without the cells.
func (s *settling) newHouseholdRestoring(cells blanks) *householdRestoring {
	r := &householdRestoring{settling: s, places: make(map[part]int), of: make([]int, s.in.Data.Len()),
		restoring: restoring{combinations: s.o.combinations(len(cells)), own: protection(s.o.Rule) == minimal.OwnCategory,
			codes: make([][]uint32, len(cells)), levels: make([]int, len(cells))}}
	for number, it := range s.strata {
		first := uint32(len(r.restoring.strata))
		r.restoring.strata = append(r.restoring.strata, slices.Repeat([]uint32{uint32(number)}, len(it.counts))...)
		for v, codes := range it.codes {
			r.codes[v], r.levels[v] = append(r.codes[v], codes...), max(r.levels[v], it.levels[v])
		}
		for i, set := range cells.lost(it) {
			r.enter(it.record(i), first+it.keys[i], set)
		}
	}
	return r
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
	shared := slices.Contains(r.in.Scenario.SameForHousehold, r.names[v])
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
	household := r.households.members.Of(record)
	for i := range r.households.members.Members(household) {
		if member := r.households.members.Member(household, i); r.rows[r.of[member]].set>>v&1 == 1 {
			to = append(to, member)
		}
	}
	return to
}
