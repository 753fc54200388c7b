package session

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/utility/inspect"
)

// Inspect tells what is in data of an address whose records are not held: it describes the variables, and counts
// the groups by those that an intruder may know, with the households that a variable tells, "": none. Warnings of
// reading them come with it. Roles are suggested by patterns of identifiers; nil: those that the program knows.
func Inspect(ctx context.Context, address, household string, format fileio.Format, measures measure.Catalog,
	patterns *identify.Patterns, meter *progress.Meter) (*inspect.Report, []string, error) {
	opening, err := (*Known)(nil).Source(address, format).Open(ctx, meter)
	if err != nil {
		return nil, nil, err
	}
	need, source := groups{}, opening.Source.(passing)
	if _, there := opening.Data.Column(household); there {
		need.households = []string{household}
	} else if household != "" {
		return nil, nil, fmt.Errorf("%w: there is no variable %q", microdata.ErrScenario, household)
	}
	count := func(by []string, weight string) (*microdata.Dataset, error) {
		need.by, need.weight = by, weight
		counted, err := source.counting(need).Open(ctx, meter)
		return counted.Data, err
	}
	found, err := inspect.Counted(ctx, opening.Data, opening.First, microdata.SuggestBy(opening.First, patterns), household, count, measures)
	return found, opening.Warnings, err
}
