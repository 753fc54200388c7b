package method

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
)

// Input is what a method works on. Methods never modify it.
type Input struct {
	Data     *microdata.Dataset
	Scenario *microdata.Scenario
	Seed     uint64 // of the step's random streams; unused by methods that draw nothing
}

// SeedFor returns the seed of a step that changes variables: another one where the same seed was used on one of them
// before, so that equal draws are not added twice.
func (in Input) SeedFor(columns ...*microdata.Column) uint64 {
	times := 0
	for _, column := range columns {
		times = max(times, column.Draws(in.Seed))
	}
	return random.Again(in.Seed, times)
}

// Column returns the variable that a parameter names; an error wraps ErrParam.
func (in Input) Column(param, name string) (*microdata.Column, error) {
	column, err := in.Named(param, name)
	if err == nil {
		if _, masked := column.Unmasked(); masked != nil {
			return column, ErrMasked(name)
		}
	}
	if err == nil && column.Uncounted() {
		err = fmt.Errorf("the step %w: the groups of this file are not counted by %q; give it a role in the scenario first",
			ErrInput, wording.Excerpt(name))
	}
	return column, err
}

// Named is Column whether or not rows are counted by the variable.
func (in Input) Named(param, name string) (*microdata.Column, error) {
	if name == "" {
		return nil, ParamError("%q is missing: name a variable", param)
	}
	column, ok := in.Data.Column(name)
	if !ok {
		return nil, ParamError("%q: the file has no variable %q", param, wording.Excerpt(name))
	}
	return column, nil
}

// alone is Column for a method that needs the values of the variable alone, if it does.
func (in Input) alone(param, name string, m Method) (*microdata.Column, error) {
	column, err := in.Named(param, name)
	if err != nil || !column.Uncounted() {
		return column, err
	}
	if by, _ := CountedBy(m, in.Scenario); len(by) > 0 {
		return in.Column(param, name)
	}
	if _, masked := column.Unmasked(); masked != nil {
		return column, ErrMasked(name)
	}
	if column.ManyValued() {
		err = fmt.Errorf("the step %w: %q has too many values for all of them to be known", ErrInput, wording.Excerpt(name))
	}
	return column, err
}

// Apart is Columns for a method that goes by the values of single records, of data whose rows stand for several: an
// error wraps ErrInput where the rows are counted by one of the variables for its role in the scenario, or it is added
// up in them.
func (in Input) Apart(param string, names []string) ([]*microdata.Column, error) {
	return in.each(param, names, func(name string) (*microdata.Column, error) {
		column, err := in.Named(param, name)
		switch {
		case err != nil:
		case column.Sums():
			err = fmt.Errorf("the step %w: the weight %q is added up in groups", ErrInput, wording.Excerpt(name))
		case slices.ContainsFunc(in.Scenario.RolesOf(name), counted):
			err = fmt.Errorf("the step %w: groups are counted by %q for its role, and its records are to have other values; take the "+
				"role away", ErrInput, wording.Excerpt(name))
		}
		return column, err
	})
}

// counted reports whether groups are counted by variables of a role.
func counted(role microdata.Role) bool {
	return role != microdata.RoleRemoved && role != microdata.RoleHousehold && role != microdata.RoleWeight
}

// ErrMasked is the error of a step on a variable of which every record has a number that nobody holds. It wraps
// ErrInput.
func ErrMasked(name string) error {
	return fmt.Errorf("the step %w: the numbers of %q were changed record by record and are not held; make this step before that "+
		"one, or reset the variable", ErrInput, wording.Excerpt(name))
}

// NoKeyVariable returns the error of a name in a parameter that is none of the key
// variables.
func NoKeyVariable(param, name string, keys []string) error {
	return ParamError("%q: %q is no key variable; key variables are %s", param, wording.Excerpt(name),
		strings.Join(keys, ", "))
}

// Columns returns the variables that a parameter names, at least one and each
// once; an error wraps ErrParam.
func (in Input) Columns(param string, names []string) ([]*microdata.Column, error) {
	return in.each(param, names, func(name string) (*microdata.Column, error) { return in.Column(param, name) })
}

// each finds the variables that a parameter names.
func (in Input) each(param string, names []string, find func(name string) (*microdata.Column, error)) ([]*microdata.Column,
	error) {
	if len(names) == 0 {
		return nil, ParamError("%q is empty: name one or more", param)
	}
	columns := make([]*microdata.Column, len(names))
	for i, name := range names {
		var err error
		if columns[i], err = find(name); err != nil {
			return nil, err
		}
		if slices.Contains(names[:i], name) {
			return nil, ParamError("%q names %q twice", param, wording.Excerpt(name))
		}
	}
	return columns, nil
}

// Records returns the records that a parameter names by their numbers in the source,
// from 1, which they keep when others are taken out or their order changes; one that
// is not there is an error that wraps ErrParam.
func (in Input) Records(param string, numbers []int) (*microdata.Bits, error) {
	named := microdata.NewBits(in.Data.Len())
	places := make(map[int]int, len(numbers)) // by number in the source: the record now, or -1
	for _, number := range numbers {
		places[number-1] = -1
	}
	for record := 0; record < in.Data.Len() && len(places) > 0; record++ {
		if _, wanted := places[in.Data.SourceRecord(record)]; wanted {
			places[in.Data.SourceRecord(record)] = record
		}
	}
	for i, number := range numbers {
		record := places[number-1]
		if record < 0 {
			return nil, ParamError("%q: entry %d is %d, which is none of the %s of the file", param, i+1,
				number,
				wording.Counted(in.Data.Len(), "record"))
		}
		named.Set(record)
	}
	return named, nil
}

// Households returns the households of the scenario; nil where it has none. Where it is not known of which rows the
// members are, since these stand for several records each, that is an error that wraps ErrInput.
func (in Input) Households() (*microdata.Households, error) {
	if in.Scenario.Household == "" {
		return nil, nil
	}
	column, ok := in.Data.Column(in.Scenario.Household)
	if !ok {
		return nil, fmt.Errorf("%w: the file has no variable %q, which is to identify households", ErrInput,
			in.Scenario.Household)
	}
	households := microdata.NewHouseholds(column)
	if households == nil {
		return nil, fmt.Errorf("%w: it is not known which records have the same %q", ErrInput, in.Scenario.Household)
	}
	return households, nil
}
