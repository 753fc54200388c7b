package pram

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/notation"
)

// mask returns the records that meet the condition and may change; nil: all.
func (m *PRAM) mask(ctx context.Context, data *microdata.Dataset) (*microdata.Bits, error) {
	if m.Condition.IsZero() {
		return nil, nil
	}
	mask, err := m.Condition.Records(ctx, notation.Scope{Data: data})
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("%w \"condition\": %w", method.ErrParam, err)
	}
	return mask, err
}
