package suppress

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/suppress/minimal"
)

// restoring gives back cells that need not be blank any more once whole
// households have lost theirs: to a record a cell of its own, to all members of a
// household a shared one. It serves the rules under which a blank counts for
// nobody else, conservative and own category: of these only the records that get
// a value back, and those with whom they shared their key, can come to violate.
type restoring struct {
	*settling
	own     bool     // missing is a category of its own
	full    uint64   // all variables
	blanked []uint64 // per record: the variables blanked
	stratum []uint32 // per record: its stratum,
	key     []uint32 // and its key there

	counts   map[string]int            // records per row: stratum and values as blanked
	complete map[string]int            // a record of each row of at least k without a missing value
	agreed   map[uint64]map[string]int // per set of variables: complete rows per row with these blank
	text     []byte                    // reused
}

// maxAgreed bounds the rows kept in agreed.
const maxAgreed = 1 << 23

// restorable reports whether there may be cells that can be given back. Where no
// shared one is lost the solver has left none; with the algorithm that gives
// what another program does none are.
func (s *settling) restorable(cells blanks) bool {
	rule := protection(s.o.Rule)
	shared := false
	for v, name := range s.names {
		shared = shared || cells[v] != nil && slices.Contains(s.in.Scenario.SameForHousehold, name)
	}
	return shared && s.algorithm != SDCMicro && len(s.o.Subsets) == 0 && s.budget == nil && (rule == minimal.Conservative || rule == minimal.OwnCategory)
}

// restore returns the cells without those that can be given back, dearest
// variables first, one after the other until there is none. No record may
// violate.
func (s *settling) restore(ctx context.Context, cells blanks) (blanks, error) {
	r := s.newRestoring(cells)
	order := slices.Clone(s.plain.ranks.order)
	slices.Reverse(order)
	slices.SortStableFunc(order, func(a, b int) int { return s.plain.ranks.price[b] - s.plain.ranks.price[a] })
	for given := true; given; {
		given = false
		for _, v := range order {
			more, err := r.giveBack(ctx, v)
			if err != nil {
				return nil, err
			}
			given = given || more
		}
	}
	left := make(blanks, len(cells))
	for record, set := range r.blanked {
		for v := range left {
			if set>>v&1 == 1 {
				left.set(record, v, len(r.blanked))
			}
		}
	}
	return left, nil
}

// newRestoring counts the rows of the file without the cells.
func (s *settling) newRestoring(cells blanks) *restoring {
	n := s.in.Data.Len()
	r := &restoring{
		settling: s, own: protection(s.o.Rule) == minimal.OwnCategory, full: ^uint64(0) >> (64 - len(cells)),
		blanked: make([]uint64, n), stratum: make([]uint32, n), key: make([]uint32, n),
		counts: make(map[string]int), complete: make(map[string]int), agreed: make(map[uint64]map[string]int),
	}
	for v, lost := range cells {
		if lost != nil {
			lost.Each(func(record int) { r.blanked[record] |= 1 << v })
		}
	}
	for number, it := range s.strata {
		for i, key := range it.keys {
			record := it.record(i)
			r.stratum[record], r.key[record] = uint32(number), key
			r.count(record, 1)
		}
	}
	return r
}

// row returns the row of a record with the variables of set blanked, and all
// variables that are missing then.
func (r *restoring) row(record int, set uint64) (text []byte, missing uint64) {
	r.text = binary.LittleEndian.AppendUint32(r.text[:0], r.stratum[record])
	for v, codes := range r.strata[r.stratum[record]].codes {
		code := codes[r.key[record]]
		if set>>v&1 == 1 {
			code = 0
		}
		if code == 0 {
			missing |= 1 << v
		}
		r.text = binary.LittleEndian.AppendUint32(r.text, code)
	}
	return r.text, missing
}

// count adds records to the row of a record.
func (r *restoring) count(record, records int) {
	text, missing := r.row(record, r.blanked[record])
	before := r.counts[string(text)]
	after := before + records
	r.counts[string(text)] = after
	// A complete row of fewer than k records violates itself: it need not be known to others.
	if missing != 0 || before >= r.o.K == (after >= r.o.K) {
		return
	}
	rows := 1
	if r.complete[string(text)] = record; after < r.o.K {
		rows = -1
		delete(r.complete, string(text))
	}
	for set, agreed := range r.agreed {
		text, _ := r.row(record, set)
		agreed[string(text)] += rows
	}
}

// holds reports whether the records in the row of a record with the variables
// of set blanked, if there are any, do not violate. Complete rows hold
// themselves, so one that agrees is enough.
func (r *restoring) holds(record int, set uint64) bool {
	text, missing := r.row(record, set)
	n := r.counts[string(text)]
	switch {
	case n == 0 || n >= r.o.K:
		return true
	case r.own || missing == 0:
		return false
	case missing == r.full:
		return true
	}
	own := string(text)
	return r.agreedOutside(missing)[own] > 0
}

// agreedOutside counts the complete rows by their values outside a set.
func (r *restoring) agreedOutside(set uint64) map[string]int {
	agreed := r.agreed[set]
	if agreed == nil {
		if (len(r.agreed)+1)*len(r.complete) > maxAgreed {
			clear(r.agreed)
		}
		agreed = make(map[string]int)
		for _, record := range r.complete {
			text, _ := r.row(record, set)
			agreed[string(text)]++
		}
		r.agreed[set] = agreed
	}
	return agreed
}

// giveBack gives cells of a variable back and reports whether it gave any.
func (r *restoring) giveBack(ctx context.Context, v int) (bool, error) {
	shared := slices.Contains(r.in.Scenario.SameForHousehold, r.names[v])
	given := false
	var together []int // records that get theirs back together
	for record, set := range r.blanked {
		if record%(1<<14) == 0 && ctx.Err() != nil {
			return given, ctx.Err()
		}
		if set>>v&1 == 0 {
			continue
		}
		together = append(together[:0], record)
		if shared {
			together = r.members(together[:0], record, v)
		}
		// A household is tried once, with its first member that has lost the cell.
		if together[0] == record && r.try(together, v) {
			given = true
		}
	}
	return given, nil
}

// members appends the members of a record's household that have lost the cells
// of a variable.
func (r *restoring) members(to []int, record, v int) []int {
	household := r.households.members.Of(record)
	for i := range r.households.members.Members(household) {
		if member := r.households.members.Member(household, i); r.blanked[member]>>v&1 == 1 {
			to = append(to, member)
		}
	}
	return to
}

// try gives records their cells of a variable back unless somebody violates then.
func (r *restoring) try(records []int, v int) bool {
	bit := uint64(1) << v
	r.exchange(records, bit)
	for _, record := range records {
		if set := r.blanked[record]; !r.holds(record, set) || !r.holds(record, set|bit) {
			r.exchange(records, bit)
			return false
		}
	}
	return true
}

// exchange gives records a cell back, or takes it again.
func (r *restoring) exchange(records []int, bit uint64) {
	for _, record := range records {
		r.count(record, -1)
		r.blanked[record] ^= bit
		r.count(record, 1)
	}
}
