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

// nowhere is the area of a unit with a missing place.
const nowhere = ^uint32(0)

// file is the units that swap, households or records, and where they are.
type file struct {
	households *microdata.Households // nil: each record is a unit
	records    int
	places     []*microdata.Column // the hierarchy, then what goes with it
	areas      [][]uint32          // of each unit by level, from the largest
	placeless  int
}

func (f *file) units() int {
	if f.households == nil {
		return f.records
	}
	return f.households.Len()
}

func (f *file) noun() string {
	if f.households == nil {
		return "record"
	}
	return "household"
}

// members returns the number of records of a unit.
func (f *file) members(unit int) int {
	if f.households == nil {
		return 1
	}
	return f.households.Members(unit)
}

// member returns a record of a unit.
func (f *file) member(unit, i int) int {
	if f.households == nil {
		return unit
	}
	return f.households.Member(unit, i)
}

// file reads where the units are. An error wraps method.ErrParam where a variable
// cannot be a place, and method.ErrInput where members of a household are in several.
func (m *RecordSwap) file(ctx context.Context, in method.Input) (*file, error) {
	places, err := in.Columns("hierarchy", m.Hierarchy)
	if err != nil {
		return nil, err
	}
	f := &file{records: in.Data.Len(), places: places}
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
			return nil, method.ParamError("\"hierarchy\": %q is no place but the weight or what identifies households", name)
		case slices.Contains(m.Hierarchy, name) && i >= len(places):
			return nil, method.ParamError("\"carry\": %q is in the hierarchy as well", name)
		}
	}
	if f.households, err = in.Households(); err != nil {
		return nil, err
	}
	for _, column := range f.places {
		if n := f.apart(column); n > 0 {
			return nil, fmt.Errorf("recordswap %w: members of %s have different values of %q: it is no place of households",
				method.ErrInput,
				wording.Counted(n, "household"), column.Name())
		}
	}
	for level := range places {
		table, err := keys.New(ctx, places[:level+1], nil)
		if err != nil {
			return nil, err
		}
		of, areas := table.RowKeys(), make([]uint32, f.units())
		for unit := range areas {
			areas[unit] = of[f.member(unit, 0)]
		}
		f.areas = append(f.areas, areas)
	}
	f.forget(places)
	return f, ctx.Err()
}

// apart returns the number of units whose members have different values of a variable.
func (f *file) apart(column *microdata.Column) int {
	if f.households == nil {
		return 0
	}
	codes, count := column.Categories().Codes, 0
	for unit := range f.units() {
		for i := 1; i < f.members(unit); i++ {
			if codes.At(f.member(unit, i)) != codes.At(f.member(unit, 0)) {
				count++
				break
			}
		}
	}
	return count
}

// forget takes the areas of units with a missing place away.
func (f *file) forget(places []*microdata.Column) {
	for unit := range f.units() {
		first := f.member(unit, 0)
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
