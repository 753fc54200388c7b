package suppress

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
)

// stratumSearch is a search of one stratum that can be stopped at any time, continued, and repeated with the same
// number of iterations.
type stratumSearch interface {
	// Continue makes the given number of iterations, or fewer if the search is done before. Iterations made before
	// an error, which is that of ctx, count.
	Continue(ctx context.Context, iterations int) error
	Iterations() int
	// Done reports whether no improvement is possible.
	Done() bool
	// Minimal returns the solution of the algorithm minimal.
	Minimal() *minimal.Solution
	// Solution returns the best solution so far.
	Solution(ctx context.Context) (*minimal.Solution, error)
}

var _, _ stratumSearch = (*minimal.Thorough)(nil), (*subsetThorough)(nil)

// newStratumSearches starts the search of a stratum, with the prices of single cells. If households lose cells
// together, it starts a second search with the prices of such cells. The bound is that of the first search, the
// solution that of the last.
func (s *strataSolver) newStratumSearches(ctx context.Context, it *stratum,
	report func(done, total int64)) ([]stratumSearch, error) {
	single, err := s.newSearch(ctx, it, report)
	if err != nil || s.households.shared() == 0 {
		return []stratumSearch{single}, err
	}
	shared, err := s.dearer().newSearch(ctx, it, func(int64, int64) {})
	return []stratumSearch{single, shared}, err
}

func (s *strataSolver) newSearch(ctx context.Context, it *stratum, report func(done, total int64)) (stratumSearch, error) {
	if !s.m.Subsets.single(len(it.Codes)) {
		return s.newSubsetThorough(ctx, it, report)
	}
	return minimal.NewThorough(ctx, s.problem(it), report)
}
