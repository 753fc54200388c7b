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

// Difference describes how a variable differs between the members of households.
type Difference struct {
	Variable      string
	Differing     int // households in which two values differ, missing ones left out
	PartlyMissing int // households with the value missing for some members only
}

// Differing returns the differences of the variables that the scenario declares the same for households, in the
// scenario's order, including those without a difference. It is empty if there is no household variable. The time
// is O(records) per variable. A variable that the file lacks is an error that wraps method.ErrInput.
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

// households extends suppression to all members of a household.
type households struct {
	*microdata.Households
	in      method.Input
	columns []*microdata.Column // per key variable; nil if it is not the same for all members
	order   []uint32            // the records in the order in which they lose cells; nil: file order
}

// householdsOf returns the households of the scenario, or nil if no variable that loses cells is the same for all
// members.
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

// WholeHouseholds reports whether a key variable is the same for all members of a household, so that suppressing a
// cell suppresses those of the other members.
func WholeHouseholds(scenario *microdata.Scenario) bool { return anyShared(scenario, scenario.Keys) }

// Together returns the household variable if records of a household lose cells together, because a key variable or
// one linked to it is the same for all members. Otherwise it returns "".
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

// share reports whether a variable is the same for all members, so that they lose its cells together.
func (h *households) share(name string) bool {
	return h != nil && slices.Contains(h.in.Scenario.SameForHousehold, name)
}

// shared returns the key variables that are the same for all members.
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

// sort orders the records independently of their order in the file. Households are sorted by size and then by the
// keys of their members, and members by their keys. Identical households stay in file order.
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

// lose adds the cells that the strata of a file lose, and the cells of shared variables of the other members. It
// reports whether there are any of the former, and any of the latter.
func (h *households) lose(cells lost, f *file, all []stratumResult) (some, others bool) {
	f.deal(all, h.order, func(row int, set uint64, _ int) {
		cells[row] |= set
		some = some || set != 0
	})
	return some, h.spread(cells)
}

// mostFirst redistributes suppressions between households whose members have the same keys, and between members
// with the same key, so that the first in the file lose most. Their keys do not distinguish them.
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

// mostFirstOf is mostFirst for the rows of households of one size whose members have the same keys.
func mostFirstOf(rows []uint32, size int, cells lost, keys []uint32) {
	var all [][]uint64 // lost variables by household and member
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

// spread adds the cells of shared variables of the other members that have a value, and reports whether there are
// any.
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

// spreadOver adds the cells of the other members if the variable is the same for them. Members without a value
// have no cell to lose.
func (h *households) spreadOver(name string, cells *microdata.Bits) *microdata.Bits {
	if cells == nil || !h.share(name) {
		return cells
	}
	column, _ := h.in.Data.Column(name)
	all := microdata.NewBits(cells.Len())
	done := -1
	cells.Each(func(record int) {
		household := h.Of(record)
		if household == done { // members are usually adjacent
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

// cellsOf returns how many cells of a variable are suppressed with one: usually 1, but for a variable that is the
// same for all members the size of a record's household, averaged over all records and rounded.
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

// warnings lists the key variables, except some, that differ within households before suppression.
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
