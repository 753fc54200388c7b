package streamed

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// ErrRecount is wrapped where what was written is not what the steps promise.
var ErrRecount = errors.New("counted again, the protected file is not what was foretold")

// Verify counts the keys of a protected file that was written in a format again, and returns an error
// that wraps ErrRecount where records, violators or missing cells are others than those of the
// data that were to be written.
func Verify(ctx context.Context, path string, format fileio.Format, data *microdata.Dataset, scenario *microdata.Scenario,
	meter *progress.Meter) error {
	passed, err := fileio.ReadPass(ctx, path, format, &fileio.Pass{By: scenario.Keys}, meter)
	if err != nil {
		return err
	}
	if passed.Records != data.Records() {
		return fmt.Errorf("%w: it has %s, and not %s", ErrRecount, wording.Counted(passed.Records, "record"),
			wording.Number(data.Records()))
	}
	if len(scenario.Keys) == 0 || passed.Records == 0 {
		return nil
	}
	return Foretold(ctx, passed.Groups, data, scenario)
}

// Foretold returns an error that wraps ErrRecount where groups, which were counted in what was written, have other
// violators or missing cells of the key variables than the data that were to be written.
func Foretold(ctx context.Context, groups, data *microdata.Dataset, scenario *microdata.Scenario) error {
	is, err := tally(ctx, groups, scenario)
	if err != nil {
		return err
	}
	should, err := tally(ctx, data, scenario)
	if err != nil {
		return err
	}
	if !slices.Equal(is, should) {
		return fmt.Errorf("%w: the violators, or the missing cells of the key variables, are others; nothing was released",
			ErrRecount)
	}
	return nil
}

// tally counts missing cells of the key variables, distinct keys, and violators under every rule.
func tally(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario) (counts []int, err error) {
	var columns []*microdata.Column
	for _, name := range scenario.Keys {
		column, ok := data.Column(name)
		if !ok {
			return nil, fmt.Errorf("%w: it has no variable %q", ErrRecount, name)
		}
		columns, counts = append(columns, column), append(counts, column.MissingCount())
	}
	table, err := keys.New(ctx, columns, nil)
	if err != nil {
		return nil, err
	}
	counts = append(counts, table.Keys())
	for _, rule := range microdata.Rules() {
		f, err := table.Frequencies(ctx, rule, scenario.Alpha)
		if err != nil {
			return nil, err
		}
		for _, k := range scenario.K {
			counts = append(counts, table.Violators(f, k))
		}
	}
	return counts, ctx.Err()
}
