package method

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Strata partitions the records by combinations of categories of variables, with missing as a category.
type Strata struct {
	Labels []microdata.Combination // by stratum number; a single nil for the whole file
	of     []uint32                // stratum by row; nil if there is only one
}

// Strata returns the strata by the variables of the parameter "strata"; without variables, the whole file is one
// stratum.
func (in Input) Strata(ctx context.Context, names []string) (*Strata, error) {
	if len(names) == 0 {
		return &Strata{Labels: make([]microdata.Combination, 1)}, ctx.Err()
	}
	columns, err := in.Columns(strataParam, names)
	if err != nil {
		return nil, err
	}
	table, err := keys.New(ctx, columns, nil)
	if err != nil {
		return nil, fmt.Errorf("strata: %w", err)
	}
	s := &Strata{of: table.RowKeys(), Labels: make([]microdata.Combination, table.Keys())}
	for key := range s.Labels {
		s.Labels[key], _ = table.Labels(columns, key)
	}
	return s, nil
}

// Of returns the number of the stratum of a record.
func (s *Strata) Of(record int) int {
	if s.of == nil {
		return 0
	}
	return int(s.of[record])
}

// Whole reports whether no strata were requested.
func (s *Strata) Whole() bool { return s.of == nil }

// strataParam is the name of the parameter with the strata of a method.
const strataParam = "strata"

// openStrata returns the strata parameter if it is unset and does not default to the strata of the scenario.
func openStrata(params []Param) *Param {
	for i := range params {
		if p := &params[i]; p.Name == strataParam && p.empty == "" {
			if list, ok := p.Value.(*words); ok && *list == nil {
				return p
			}
		}
	}
	return nil
}

// warnOfStrata warns that a step ignores the strata of the scenario.
func warnOfStrata(m Method, in Input, report *Report) {
	if in.Scenario == nil || len(in.Scenario.Strata) == 0 || openStrata(m.Params()) == nil {
		return
	}
	report.Warnings = append(report.Warnings, fmt.Sprintf("values move between the strata of the scenario (%s): name them in \"strata\" to keep values within strata, "+
		"or use [] to allow it",
		wording.Beginning(in.Scenario.Strata, 3)))
}
