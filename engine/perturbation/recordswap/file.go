package recordswap

import (
	"context"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// nowhere is the area of a unit with a missing geographic variable.
const nowhere = ^uint32(0)

// file has the units that swap, households or records, and their areas.
type file struct {
	*microdata.Households                     // units; single records if the scenario has no households
	noun                  string              // "household" or "record"
	places                []*microdata.Column // geographic variables of the hierarchy, then variables carried along
	areas                 [][]uint32          // per level, from the largest areas: area of each unit
	placeless             int
}

// file reads the areas of the units. An error wraps method.ErrParam if a variable cannot be geographic, and
// method.ErrInput if members of a household are in different areas.
func (m *RecordSwap) file(ctx context.Context, in method.Input) (*file, error) {
	places, err := in.Columns("hierarchy", m.Hierarchy)
	if err != nil {
		return nil, err
	}
	f := &file{noun: "household", places: places}
	if len(m.Carry) > 0 {
		carried, err := in.Columns("carry", m.Carry)
		if err != nil {
			return nil, err
		}
		f.places = append(slices.Clone(places), carried...)
	}
	for i, column := range f.places {
		name := column.Name()
		switch {
		case name == in.Scenario.Household || name == in.Scenario.Weight:
			return nil, method.ParamError("\"hierarchy\": %q is the weight or the household ID, not a place", name)
		case slices.Contains(m.Hierarchy, name) && i >= len(places):
			return nil, method.ParamError("\"carry\": %q is in the hierarchy as well", name)
		}
	}
	if f.Households, err = in.Households(); err != nil {
		return nil, err
	}
	if f.Households == nil {
		f.Households, f.noun = microdata.Singles(in.Data.Len()), "record"
	}
	for _, column := range f.places {
		if n := f.apart(column); n > 0 {
			return nil, fmt.Errorf("recordswap %w: members of %s have different values of %q, so it is not a place of households",
				method.ErrInput,
				wording.Counted(n, "household"), column.Name())
		}
	}
	for level := range places {
		table, err := keys.New(ctx, places[:level+1], nil)
		if err != nil {
			return nil, err
		}
		of, areas := table.RowKeys(), make([]uint32, f.Len())
		for unit := range areas {
			areas[unit] = of[f.Member(unit, 0)]
		}
		f.areas = append(f.areas, areas)
	}
	f.forget(places)
	return f, ctx.Err()
}

// apart returns the number of units whose members differ in a variable.
func (f *file) apart(column *microdata.Column) int {
	codes, count := column.Categories().Codes, 0
	for unit := range f.Len() {
		for i := 1; i < f.Members(unit); i++ {
			if codes.At(f.Member(unit, i)) != codes.At(f.Member(unit, 0)) {
				count++
				break
			}
		}
	}
	return count
}

// forget removes the areas of units with a missing geographic variable.
func (f *file) forget(places []*microdata.Column) {
	for unit := range f.Len() {
		first := f.Member(unit, 0)
		if !slices.ContainsFunc(places, func(column *microdata.Column) bool { return column.Missing(first) }) {
			continue
		}
		f.placeless++
		for level := range f.areas {
			f.areas[level][unit] = nowhere
		}
	}
}

// placed reports whether a unit has a place.
func (f *file) placed(unit int) bool { return f.areas[0][unit] != nowhere }
