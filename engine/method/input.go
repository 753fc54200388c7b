package method

import (
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// Input is what a method works on. Methods never modify it.
type Input struct {
	Data     *microdata.Dataset
	Scenario *microdata.Scenario
	Seed     uint64 // of the step's random streams; unused by methods that draw nothing
}

// Column returns the variable that a parameter names; an error wraps ErrParam.
func (in Input) Column(param, name string) (*microdata.Column, error) {
	if name == "" {
		return nil, fmt.Errorf("%w %q is missing: name a variable", ErrParam, param)
	}
	column, ok := in.Data.Column(name)
	if !ok {
		return nil, fmt.Errorf("%w %q: the file has no variable %q", ErrParam, param, name)
	}
	return column, nil
}

// Columns returns the variables that a parameter names, at least one and each
// once; an error wraps ErrParam.
func (in Input) Columns(param string, names []string) ([]*microdata.Column, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("%w %q is empty: name one or more", ErrParam, param)
	}
	columns := make([]*microdata.Column, len(names))
	for i, name := range names {
		var err error
		if columns[i], err = in.Column(param, name); err != nil {
			return nil, err
		}
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("%w %q names %q twice", ErrParam, param, name)
		}
	}
	return columns, nil
}
