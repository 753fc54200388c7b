package plan

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
)

// variable is a key variable with the groupings of its categories that the search
// has come across.
type variable struct {
	column    *microdata.Column
	counts    []int // records per code, missing at 0
	occurring int   // codes that records have
	ordered   bool  // only neighbours become one
	fixed     bool  // it is not recoded

	list   []*grouping
	known  map[string]int
	none   int                      // the grouping of every category alone
	all    int                      // that of all in one
	widths []suggest.RoundIntervals // of a numeric variable
	ladder []int                    // groupings by those, or by the levels of a hierarchy

	hierarchy *recode.Hierarchy // that was given: no other grouping is tried; nil: none
}

// newVariable returns a variable of which nothing was tried. A fixed one is not
// recoded.
func newVariable(column *microdata.Column, fixed bool) *variable {
	categories := column.Categories()
	v := &variable{column: column, counts: categories.Counts(), ordered: column.InOrder(), fixed: fixed,
		known: map[string]int{}}
	v.occurring = categories.Occurring()
	alone, one := make([]uint32, len(v.counts)), make([]uint32, len(v.counts))
	for code := range alone {
		alone[code], one[code] = uint32(code), 1
	}
	v.none = v.intern(alone)
	if fixed {
		v.all = v.none
		return v
	}
	v.all = v.intern(one)
	v.widths = suggest.Ladder(column)
	for _, width := range v.widths {
		v.ladder = append(v.ladder, v.intern(width.Mapping))
	}
	return v
}

// along makes the variable one that is recoded along a hierarchy only, of which
// each level makes no category missing that records have.
func (v *variable) along(h *recode.Hierarchy) error {
	if len(h.Levels) == 0 {
		return fmt.Errorf("%w of %q has no rows", ErrHierarchy, v.column.Name())
	}
	if err := h.Levels.Nested(); err != nil {
		return fmt.Errorf("%w of %q: %w", ErrHierarchy, v.column.Name(), err)
	}
	v.hierarchy, v.ladder, v.widths, v.all = h, nil, nil, v.none
	data, err := v.sample()
	if err != nil {
		return err
	}
	scenario := microdata.NewScenario()
	for depth := 1; depth < len(h.Levels[0]); depth++ {
		m := *h
		m.Depth, m.Unlisted = depth, recode.UnlistedMissing
		r, err := method.Regroup(&m, method.Input{Data: data, Scenario: &scenario})
		if err != nil {
			return fmt.Errorf("%w: %w", ErrHierarchy, err)
		}
		for code, count := range v.counts {
			if code > 0 && count > 0 && r.Mapping[code] == 0 {
				return fmt.Errorf("%w of %q has no level %d for a category that %s", ErrHierarchy, v.column.Name(), depth,
					wording.Does(count, "record", "have"))
			}
		}
		id := v.intern(r.Mapping)
		if id == v.none || v.list[id].depth > 0 {
			continue // it says the same as a finer level
		}
		v.list[id].depth = depth
		v.ladder, v.all = append(v.ladder, id), id
	}
	return nil
}

// sizes returns the sizes of groups that are tried at the ends of an order: from
// 3 on, each about a quarter larger than the one before, below n.
func sizes(n int) []int {
	var out []int
	for size := 3; size < n; size = max(size+1, size*5/4) {
		out = append(out, size)
	}
	return out
}
