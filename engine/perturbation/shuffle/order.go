package shuffle

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// shuffle computes the masked values of a stratum.
func (m *Shuffle) shuffle(ctx context.Context, table *numeric.Table, stratum numeric.Stratum, s *model,
	seed uint64, masked [][]float64) (warnings []string, _ error) {
	if n, needed := len(stratum.Records), len(s.x)+len(s.s)+2; n < needed {
		return nil, fmt.Errorf("%w: %s without a missing value; these variables need at least %d", method.ErrInput,
			wording.ThereAre(n, "record"), needed)
	}
	if m.Method == Additive {
		values, err := s.additive(ctx, seed)
		stratum.Put(masked, values)
		return nil, err
	}
	drawn, err := s.draw(ctx, seed, m.Method)
	if err != nil {
		return nil, err
	}
	ties, err := numeric.Normals(ctx, seed, s.purpose("shuffle ties"), len(stratum.Records))
	if err != nil {
		return nil, err
	}
	first := stat.Order(ties)
	return s.warnings, parallel.Each(ctx, len(drawn), func(j int) error {
		at, values := stratum.Variable(j), stat.Order(s.x[j])
		for rank, place := range orderOf(drawn[j], first) {
			masked[at][stratum.Records[place]] = table.Values[at][stratum.Records[values[rank]]]
		}
		return nil
	})
}

// orderOf returns the indices of the values in ascending order, with ties in the order of first.
func orderOf(values []float64, first []uint32) []uint32 {
	permuted := make([]float64, len(values))
	for i, place := range first {
		permuted[i] = values[place]
	}
	order := stat.Order(permuted)
	for i, place := range order {
		order[i] = first[place]
	}
	return order
}
