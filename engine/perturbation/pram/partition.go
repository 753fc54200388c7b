package pram

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// maxCells limits the total number of cells of a variable's matrices.
const maxCells = 1 << 22

// partition determines which records may change and by which matrix.
type partition struct {
	*method.Strata
	mask *microdata.Bits // records that may change; nil: all
}

func (m *PRAM) partition(ctx context.Context, in method.Input) (*partition, error) {
	mask, err := m.mask(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	strata, err := in.Strata(ctx, m.Strata)
	return &partition{strata, mask}, err
}

// may reports whether the value of a record may change.
func (p *partition) may(record int) bool { return p.mask == nil || p.mask.Has(record) }

// counts returns the number of records that may change, for each stratum and code at index stratum*width+code, and
// the number of records with a value that may not change.
func (p *partition) counts(codes microdata.Codes, width int) (counts []int, kept int, err error) {
	if len(p.Labels) > maxCells/width {
		return nil, 0,
			fmt.Errorf("%w: %d strata with %d categories each are too many; use fewer strata, or group categories first",
				method.ErrInput, len(p.Labels), width-1)
	}
	counts = make([]int, len(p.Labels)*width)
	for record := range codes.Len() {
		code := codes.At(record)
		switch {
		case p.may(record):
			counts[p.Of(record)*width+int(code)]++
		case code != 0:
			kept++
		}
	}
	return counts, kept, nil
}

// mask returns the records that meet the condition and may change, or nil for all.
func (m *PRAM) mask(ctx context.Context, data *microdata.Dataset) (*microdata.Bits, error) {
	if m.Condition.IsZero() {
		return nil, nil
	}
	mask, err := m.Condition.Records(ctx, notation.Scope{Data: data})
	if err != nil && ctx.Err() == nil {
		return nil, method.ParamError("\"condition\": %w", err)
	}
	return mask, err
}
