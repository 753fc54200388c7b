package method

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
)

// Input is the input of a method. Methods never modify it.
type Input struct {
	Data     *microdata.Dataset
	Scenario *microdata.Scenario
	Seed     uint64 // seed of the step's random streams; unused by deterministic methods
}

// SeedFor returns the seed of a step that changes variables. If one of them was changed with the same seed before,
// it returns a different one, so that the same noise is not added twice.
func (in Input) SeedFor(columns ...*microdata.Column) uint64 {
	times := 0
	for _, column := range columns {
		times = max(times, column.Draws(in.Seed))
	}
	return random.Again(in.Seed, times)
}

// Column returns the variable named by a parameter, or an error that wraps ErrParam.
func (in Input) Column(param, name string) (*microdata.Column, error) {
	if name == "" {
		return nil, ParamError("%q is missing: name a variable", param)
	}
	column, ok := in.Data.Column(name)
	if !ok {
		return nil, ParamError("%q: the file has no variable %q", param, wording.Excerpt(name))
	}
	return column, nil
}

// NoKeyVariable returns the error for a parameter that names a variable that is not a key variable.
func NoKeyVariable(param, name string, keys []string) error {
	return ParamError("%q: %q is not a key variable; key variables are %s", param, wording.Excerpt(name),
		strings.Join(keys, ", "))
}

// Columns returns the variables named by a parameter, at least one and without repetition, or an error that wraps
// ErrParam.
func (in Input) Columns(param string, names []string) ([]*microdata.Column, error) {
	if len(names) == 0 {
		return nil, ParamError("%q is empty: name one or more", param)
	}
	columns := make([]*microdata.Column, len(names))
	for i, name := range names {
		var err error
		if columns[i], err = in.Column(param, name); err != nil {
			return nil, err
		}
		if slices.Contains(names[:i], name) {
			return nil, ParamError("%q names %q twice", param, wording.Excerpt(name))
		}
	}
	return columns, nil
}

// Records returns the records that a parameter lists by their numbers in the source, from 1, which do not change
// when records are removed or reordered. It returns an error that wraps ErrParam if a record is not found.
func (in Input) Records(param string, numbers []int) (*microdata.Bits, error) {
	named := microdata.NewBits(in.Data.Len())
	places := make(map[int]int, len(numbers)) // current record by index in the source, or -1
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
			return nil, ParamError("%q: entry %d is %d, which is not one of the %s of the file", param, i+1,
				number,
				wording.Counted(in.Data.Len(), "record"))
		}
		named.Set(record)
	}
	return named, nil
}

// Households returns the households of the scenario, or nil if it has none. For a frequency table, whose rows do
// not identify households, it returns an error that wraps ErrInput.
func (in Input) Households() (*microdata.Households, error) {
	if in.Scenario.Household == "" {
		return nil, nil
	}
	column, ok := in.Data.Column(in.Scenario.Household)
	if !ok {
		return nil, fmt.Errorf("%w: the file has no variable %q for the household IDs", ErrInput,
			in.Scenario.Household)
	}
	households := microdata.NewHouseholds(column)
	if households == nil {
		return nil, fmt.Errorf("%w: it is not known which records have the same %q", ErrInput, in.Scenario.Household)
	}
	return households, nil
}
