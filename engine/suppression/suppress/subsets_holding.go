package suppress

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

// mostShort is the number of incomplete cells short of k up to which complete ones are looked for that agree.
const mostShort = 64

// holding tells which combinations hold, by the cells of their tables: most do, and are passed over by counting alone.
type holding struct {
	crosstable.Crossing // of the rows as they are, missing values a category
	own                 bool
	records             int
	sums                []int // reused
}

// holding begins with what is done to the keys so far.
func (s *subsetSearch) holding() *holding {
	return &holding{Crossing: crosstable.Crossing{Groups: s.rows.groups(s.stratum, s.stratum.all()), Missing: true},
		own: s.rule == minimal.OwnCategory, records: s.stratum.size}
}

// holds reports whether no record violates k within some variables. It may say no where none does.
func (h *holding) holds(k int, variables []int) bool {
	if h.records < k {
		return false
	}
	cells := h.Cells(variables)
	h.sums = crosstable.Sums(cells, h.Counts, h.sums)
	var short []int // rows, one for each incomplete cell
	for row, cell := range cells.Of {
		if h.sums[cell] >= k {
			continue
		}
		missing := 0
		for _, v := range variables {
			if h.Codes[v][row] == 0 {
				missing++
			}
		}
		switch {
		case h.own || missing == 0 || len(short) == mostShort:
			return false
		case missing < len(variables) && !slices.ContainsFunc(short, func(other int) bool { return cells.Of[other] == cell }):
			short = append(short, row) // without any value they are like all
		}
	}
	for row, cell := range cells.Of {
		if len(short) == 0 {
			break
		}
		if h.sums[cell] >= k {
			short = slices.DeleteFunc(short, func(other int) bool { return h.agrees(other, row, variables) })
		}
	}
	return len(short) == 0
}

// agrees reports whether a row has the values of a complete one, as far as it has any.
func (h *holding) agrees(row, complete int, variables []int) bool {
	return !slices.ContainsFunc(variables, func(v int) bool {
		return h.Codes[v][complete] == 0 || h.Codes[v][row] != 0 && h.Codes[v][row] != h.Codes[v][complete]
	})
}
