package suppress

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
)

// stratumSearch is a search of a stratum that can be continued, ended at any time,
// and replayed by the number of its iterations.
type stratumSearch interface {
	// Continue makes so many iterations, fewer where the search is done before.
	// Those made before an error, which is that of ctx, count.
	Continue(ctx context.Context, iterations int) error
	Iterations() int
	// Done reports whether nothing more can be gained.
	Done() bool
	// Minimal returns what the algorithm minimal finds.
	Minimal() *minimal.Solution
	// Solution returns the best that has been found.
	Solution(ctx context.Context) (*minimal.Solution, error)
}

var _, _ stratumSearch = (*minimal.Thorough)(nil), (*subsetThorough)(nil)

// newStratumSearches begins the search of a stratum, and a second one where its
// records lose some cells with those of their whole household: on the prices that
// such cells have then. The first, on those of single cells, has the bound, the last
// what is found.
func (s *solving) newStratumSearches(ctx context.Context, it *stratum,
	report func(done, total int64)) ([]stratumSearch, error) {
	single, err := s.newSearch(ctx, it, report)
	if err != nil || s.households.shared() == 0 {
		return []stratumSearch{single}, err
	}
	shared, err := s.dearer().newSearch(ctx, it, func(int64, int64) {})
	return []stratumSearch{single, shared}, err
}

func (s *solving) newSearch(ctx context.Context, it *stratum, report func(done, total int64)) (stratumSearch, error) {
	if !s.m.Subsets.single(len(it.Codes)) {
		return s.newSubsetThorough(ctx, it, report)
	}
	return minimal.NewThorough(ctx, s.problem(it), report)
}
