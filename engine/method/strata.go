package method

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Strata are the combinations of categories of variables that records are parted by, by number; missing values are a
// category.
type Strata struct {
	Labels []microdata.Combination // one that is nil for the whole file
	of     []uint32                // nil: all records are in the first
}

// Strata returns the strata of variables that the parameter "strata" names; without any the whole file is one.
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

// Whole reports whether the whole file is one stratum that nobody asked for.
func (s *Strata) Whole() bool { return s.of == nil }

// strataParam is the name of the parameter of the strata that a method works within.
const strataParam = "strata"

// openStrata returns the strata of a method that are not chosen, where that does not mean those of the scenario.
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

// warnOfStrata warns that a step of a script does not go by the strata of the scenario.
func warnOfStrata(m Method, in Input, report *Report) {
	if in.Scenario == nil || len(in.Scenario.Strata) == 0 || openStrata(m.Params()) == nil {
		return
	}
	report.Warnings = append(report.Warnings, fmt.Sprintf("values move between the strata of the scenario (%s): name them in \"strata\" to keep values within strata, "+
		"or use [] to allow it",
		wording.Beginning(in.Scenario.Strata, 3)))
}
