package suppress

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
)

// stratumSearch is a thorough search of one stratum. Its work is counted in
// iterations: equal numbers of them give equal results.
type stratumSearch interface {
	// Continue makes so many iterations, fewer where the search is done before.
	// Those made before an error, which is that of ctx, count.
	Continue(ctx context.Context, iterations int) error
	Iterations() int
	// Done reports whether nothing more can be gained.
	Done() bool
	// first returns what the algorithm minimal finds.
	first() solved
	// found returns the best that has been found.
	found(ctx context.Context) (solved, error)
}

// keySearch searches for k of all key variables together.
type keySearch struct{ *minimal.Thorough }

func (s keySearch) first() solved { return solvedBy(s.Minimal()) }

func (s keySearch) found(ctx context.Context) (solved, error) {
	solution, err := s.Solution(ctx)
	if err != nil {
		return solved{}, err
	}
	return solvedBy(solution), nil
}

// newStratumSearch begins the search of a stratum.
func (s *solving) newStratumSearch(ctx context.Context, it *stratum, report func(done, total int64)) (stratumSearch, error) {
	single, err := s.newSearch(ctx, it, report)
	if err != nil || s.households == nil {
		return single, err
	}
	shared, err := s.dearer().newSearch(ctx, it, func(int64, int64) {})
	return &householdSearch{shared: shared, single: single}, err
}

func (s *solving) newSearch(ctx context.Context, it *stratum, report func(done, total int64)) (stratumSearch, error) {
	if !s.m.Subsets.single(len(it.Codes)) {
		return s.newSubsetThorough(ctx, it, report)
	}
	search, err := minimal.NewThorough(ctx, s.problem(it), report)
	return keySearch{search}, err
}
