package suppress

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
)

// subsetThorough searches on from what the algorithm minimal finds for the
// combinations of key variables. In an iteration some records get all their
// values back, those of one category or any, and the combinations are solved
// again, in another order; what is dearer than before is given up.
type subsetThorough struct {
	*subsetAttempts
	minimal    *minimal.Solution
	best       *subsetSearch
	iterations int
}

func (s *solving) newSubsetThorough(ctx context.Context, it *stratum,
	report func(done, total int64)) (*subsetThorough, error) {
	t := &subsetThorough{subsetAttempts: s.subsetAttempts(it)}
	best, err := t.run(ctx, report)
	if err != nil {
		return nil, err
	}
	t.best, t.minimal = best, t.solution(best)
	return t, nil
}

// Iterations returns how many were made.
func (t *subsetThorough) Iterations() int { return t.iterations }

// Done reports whether the bound is met, or nothing is blanked.
func (t *subsetThorough) Done() bool {
	price := t.price(t.best)
	return price == 0 || bounded(t.rule()) && price <= t.bound
}

// Minimal returns what the algorithm minimal finds.
func (t *subsetThorough) Minimal() *minimal.Solution { return t.minimal }

// Solution returns the best that has been found.
func (t *subsetThorough) Solution(context.Context) (*minimal.Solution, error) {
	return t.solution(t.best), nil
}

// Continue makes so many more iterations.
func (t *subsetThorough) Continue(ctx context.Context, iterations int) error {
	for range iterations {
		if t.Done() {
			return nil
		}
		next, err := t.again(ctx, random.Stream(0, "subsets", t.iterations))
		if err != nil {
			return err
		}
		t.iterations++
		if t.compare(next, t.best) <= 0 {
			t.best = next
		}
	}
	return nil
}

// shares of the records that get their values back, in turn.
var freedShares = [...]float64{0.02, 0.05, 0.1, 0.2}

// again solves the combinations once more after some records got their values
// back.
func (t *subsetThorough) again(ctx context.Context, draw *rand.Rand) (*subsetSearch, error) {
	s := t.best.copy()
	share := freedShares[t.iterations%len(freedShares)]
	variable, code := draw.IntN(len(s.stratum.Codes)), uint32(0)
	if draw.IntN(2) == 1 && s.stratum.Levels[variable] > 0 {
		code = 1 + uint32(draw.IntN(s.stratum.Levels[variable]))
	}
	for row := range s.rows {
		free := s.rows[row].Set != 0
		switch {
		case !free:
		case code == 0:
			free = draw.Float64() < share
		default:
			free = s.stratum.Codes[variable][s.rows[row].Key] == code && draw.IntN(2) == 1
		}
		if free {
			s.rows[row].Set = 0
		}
	}
	random.Shuffle(draw, s.combinations)
	if t.iterations%2 == 0 {
		if _, err := s.cover(ctx, t.tables); err != nil {
			return nil, err
		}
	}
	return s, s.run(ctx, func(int64, int64) {})
}

// copy returns a search that goes on from the same rows, those that became equal
// put together, with no combination known to hold.
func (s *subsetSearch) copy() *subsetSearch {
	search := newSubsetSearch(s.solving, s.stratum)
	search.favoured, search.rows = s.favoured, slices.Clone(s.rows).merged()
	return search
}
