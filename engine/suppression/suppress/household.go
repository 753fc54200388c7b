package suppress

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Difference tells how far a variable is from being the same for all members
// of each household.
type Difference struct {
	Variable      string
	Differing     int // households in which two values differ, missing ones left out
	PartlyMissing int // households in which some members have a value and others have none
}

// Differing returns the differences of the scenario's variables that are to be
// the same for households, in the scenario's order; those without a difference
// are among them. It is empty where no variable defines households. It
// takes O(records) time per variable. A variable that the file lacks is an error that
// wraps method.ErrInput.
func Differing(data *microdata.Dataset, scenario *microdata.Scenario) ([]Difference, error) {
	h, err := (method.Input{Data: data, Scenario: scenario}).Households()
	if err != nil || h == nil || len(scenario.SameForHousehold) == 0 {
		return nil, err
	}
	var differences []Difference
	for _, name := range scenario.SameForHousehold {
		column, ok := data.Column(name)
		if !ok {
			return nil, fmt.Errorf("households %w: the file has no variable %q, declared the same for all members",
				method.ErrInput, name)
		}
		differences = append(differences, Difference{name, h.Differing(column), h.PartlyMissing(column)})
	}
	return differences, nil
}

// households spreads suppressed cells over the members of households.
type households struct {
	*microdata.Households
	in      method.Input
	columns []*microdata.Column // per key variable; nil where it is not the same for households
	order   []uint32            // the records in the order in which they lose cells; nil: that of the file
}

// householdsOf returns the households of the scenario; nil where no variable that
// loses cells is the same for them.
func householdsOf(in method.Input) (*households, error) {
	if Together(in.Scenario) == "" {
		return nil, nil
	}
	members, err := in.Households()
	if err != nil {
		return nil, err
	}
	h := &households{Households: members, in: in, columns: make([]*microdata.Column, len(in.Scenario.Keys))}
	for v, name := range in.Scenario.Keys {
		if h.share(name) {
			h.columns[v], _ = in.Data.Column(name)
		}
	}
	return h, nil
}

// WholeHouseholds reports whether a key variable is the same for households, so
// that suppressing a cell takes those of the other members.
func WholeHouseholds(scenario *microdata.Scenario) bool { return anyShared(scenario, scenario.Keys) }

// Together returns the variable that tells which records lose cells together, since a key variable or one
// that is linked to it is the same for households; "" where none is.
func Together(scenario *microdata.Scenario) string {
	if !anyShared(scenario, Followed(scenario)) {
		return ""
	}
	return scenario.Household
}

func anyShared(scenario *microdata.Scenario, names []string) bool {
	return scenario.Household != "" && slices.ContainsFunc(names, func(name string) bool {
		return slices.Contains(scenario.SameForHousehold, name)
	})
}

// share reports whether a variable is the same for the members of households that
// lose cells together.
func (h *households) share(name string) bool {
	return h != nil && slices.Contains(h.in.Scenario.SameForHousehold, name)
}

// shared returns the key variables that are the same for the members of households.
func (h *households) shared() (set uint64) {
	if h == nil {
		return 0
	}
	for v, column := range h.columns {
		if column != nil {
			set |= 1 << v
		}
	}
	return set
}

// sort puts the records, whose keys are given, into an order that does not depend
// on that of the file: household by household, those with fewer members first, then
// by the keys of their members, which ascend. Of households that are alike the first
// in the file comes first.
func (h *households) sort(keys []uint32) {
	members, all := make([]uint32, 0, len(keys)), make([][]uint32, h.Len())
	for household := range all {
		first := len(members)
		for i := range h.Members(household) {
			members = append(members, uint32(h.Member(household, i)))
		}
		all[household] = members[first:]
		slices.SortStableFunc(all[household], byKey(keys))
	}
	slices.SortStableFunc(all, func(a, b []uint32) int {
		if len(a) != len(b) {
			return cmp.Compare(len(a), len(b))
		}
		return slices.CompareFunc(a, b, byKey(keys))
	})
	h.order = slices.Concat(all...)
}

// lose adds to the cells of records what the strata of a file lose, and with it the
// cells of shared variables of the other members. It reports whether records lose any,
// and whether others do with them.
func (h *households) lose(cells lost, f *file, all []solved) (some, others bool) {
	f.deal(all, h.order, func(row int, set uint64, _ int) {
		cells[row] |= set
		some = some || set != 0
	})
	return some, h.spread(cells)
}

// mostFirst has the first in the file lose most, of households whose members have the same keys and of members with
// the same key: their keys do not distinguish them.
func (h *households) mostFirst(cells lost, keys []uint32) {
	for rest := h.order; len(rest) > 0; {
		size, alike := h.Members(h.Of(int(rest[0]))), 0
		for alike < len(rest) && h.Members(h.Of(int(rest[alike]))) == size &&
			slices.CompareFunc(rest[:size], rest[alike:][:size], byKey(keys)) == 0 {
			alike += size
		}
		if rows := rest[:alike]; slices.ContainsFunc(rows, func(row uint32) bool { return cells[row] != 0 }) {
			mostFirstOf(rows, size, cells, keys)
		}
		rest = rest[alike:]
	}
}

// mostFirstOf is mostFirst for the rows of households of a size whose members have the same keys.
func mostFirstOf(rows []uint32, size int, cells lost, keys []uint32) {
	var all [][]uint64 // what each household loses, by member
	for household := range slices.Chunk(rows, size) {
		sets := make([]uint64, size)
		for i, row := range household {
			sets[i] = cells[row]
		}
		for from, to := 0, 0; from < size; from = to {
			for to = from; to < size && keys[household[to]] == keys[household[from]]; to++ {
			}
			slices.SortFunc(sets[from:to], func(a, b uint64) int { return cmp.Compare(b, a) })
		}
		all = append(all, sets)
	}
	slices.SortStableFunc(all, func(a, b []uint64) int { return slices.Compare(b, a) })
	for i, set := range slices.Concat(all...) {
		cells[rows[i]] = set
	}
}

// byKey compares records by their keys.
func byKey(keys []uint32) func(a, b uint32) int {
	return func(a, b uint32) int { return cmp.Compare(keys[a], keys[b]) }
}

// spread adds the cells of shared variables of the other members who have a value,
// and reports whether there are any.
func (h *households) spread(cells lost) (others bool) {
	shared := h.shared()
	for household := 0; shared != 0 && household < h.Len(); household++ {
		set := uint64(0)
		for i := range h.Members(household) {
			set |= cells[h.Member(household, i)] & shared
		}
		for ; set != 0; set &= set - 1 {
			v := bits.TrailingZeros64(set)
			for i := range h.Members(household) {
				if row := h.Member(household, i); cells[row]>>v&1 == 0 && !h.columns[v].Missing(row) {
					cells[row] |= 1 << v
					others = true
				}
			}
		}
	}
	return others
}

// spreadOver returns the cells of one variable with those of the other members,
// where it is the same for them. Members without a value have none to lose.
func (h *households) spreadOver(name string, cells *microdata.Bits) *microdata.Bits {
	if cells == nil || !h.share(name) {
		return cells
	}
	column, _ := h.in.Data.Column(name)
	all := microdata.NewBits(cells.Len())
	done := -1
	cells.Each(func(record int) {
		household := h.Of(record)
		if household == done { // members mostly stand together
			return
		}
		done = household
		for i := range h.Members(household) {
			if member := h.Member(household, i); !column.Missing(member) {
				all.Set(member)
			}
		}
	})
	return all
}

// cellsOf returns how many cells of a variable go with one: where it is the same
// for the members of a household, those of the household that a record is in, in
// the mean over all records, rounded.
func (h *households) cellsOf(name string) int {
	if !h.share(name) {
		return 1
	}
	squares := 0
	for household := range h.Len() {
		size := h.Members(household)
		squares += size * size
	}
	n := max(1, h.Records())
	return (2*squares + n) / (2 * n)
}

// warnings says in which key variables, apart from some, households differ before a step.
func (h *households) warnings(except []string) []string {
	if h == nil {
		return nil
	}
	var warnings []string
	for _, name := range h.in.Scenario.Keys {
		if !h.share(name) || slices.Contains(except, name) {
			continue
		}
		column, _ := h.in.Data.Column(name)
		if n := h.Differing(column); n > 0 {
			warnings = append(warnings, fmt.Sprintf("%s has different values in %s, although it is declared the same for all members",
				name, wording.Counted(n, "household")))
		}
		if n := h.PartlyMissing(column); n > 0 {
			warnings = append(warnings, fmt.Sprintf("%s is missing for some members only in %s", name,
				wording.Counted(n, "household")))
		}
	}
	return warnings
}
