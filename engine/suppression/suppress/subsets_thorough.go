package suppress

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
)

// subsetThorough continues from the solution of the algorithm minimal for combinations of key variables. An
// iteration restores all values of some records, of one category or at random, and solves the combinations again
// in another order. The result is kept unless it costs more.
type subsetThorough struct {
	*subsetAttempts
	minimal    *minimal.Solution
	best       *subsetSearch
	iterations int
}

func (s *strataSolver) newSubsetThorough(ctx context.Context, it *stratum,
	report func(done, total int64)) (*subsetThorough, error) {
	t := &subsetThorough{subsetAttempts: s.subsetAttempts(it)}
	best, err := t.run(ctx, report)
	if err != nil {
		return nil, err
	}
	t.best, t.minimal = best, t.solution(best)
	return t, nil
}

// Iterations returns the number of iterations made.
func (t *subsetThorough) Iterations() int { return t.iterations }

// Done reports whether the bound is reached or nothing is suppressed.
func (t *subsetThorough) Done() bool {
	price := t.price(t.best)
	return price == 0 || bounded(t.rule()) && price <= t.bound
}

// Minimal returns the solution of the algorithm minimal.
func (t *subsetThorough) Minimal() *minimal.Solution { return t.minimal }

// Solution returns the best solution so far.
func (t *subsetThorough) Solution(context.Context) (*minimal.Solution, error) {
	return t.solution(t.best), nil
}

// Continue makes the given number of further iterations.
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

// freedShares are the shares of records whose values are restored, in turn.
var freedShares = [...]float64{0.02, 0.05, 0.1, 0.2}

// again restores the values of some records and solves the combinations again.
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

// copy returns a search with the same rows, equal ones merged, in which every combination must be checked again.
func (s *subsetSearch) copy() *subsetSearch {
	search := newSubsetSearch(s.strataSolver, s.stratum)
	search.favoured, search.rows = s.favoured, slices.Clone(s.rows).merged()
	return search
}
