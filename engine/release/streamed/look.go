package streamed

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// Look reads the records once, and calls look for them as they are after the steps, with some of their variables, and
// with the numbers that they draw by their keys, by secrets; nil: they draw by their places. It is called for several
// pieces at a time, and what it returns in their order. Errors are those of fileio.ReadPass, and ErrChanged.
func (r *Release) Look(ctx context.Context, variables, secrets []string, meter *progress.Meter,
	look func(data *microdata.Dataset, drawn [][]uint64) (inOrder func())) error {
	changes := slices.DeleteFunc(r.changes(), func(c change) bool { return !slices.Contains(variables, c.column.Name()) })
	reading := *r
	reading.Format.Columns = append(slices.Clone(r.By), variables...)
	return reading.pass(ctx, changes, meter, func(_ context.Context, data *microdata.Dataset, _ *fileio.Piece) (func() error, error) {
		var drawn [][]uint64
		for _, secret := range secrets {
			if numbers := r.drawn(data, secret); numbers != nil {
				drawn = append(drawn, numbers)
			}
		}
		inOrder := look(data, drawn)
		return func() error { inOrder(); return nil }, nil
	})
}
