package suppress

import "context"

// householdSearch is the search of a stratum whose records lose some cells with
// those of their whole household. It is made on the prices that such cells have
// then; a second one, on those of single cells, raises the bound.
type householdSearch struct {
	shared, single stratumSearch
	iterations     int // that both have made
}

// Continue makes so many more iterations of both searches.
func (s *householdSearch) Continue(ctx context.Context, iterations int) error {
	goal := s.iterations + iterations
	for _, search := range []stratumSearch{s.shared, s.single} {
		if err := search.Continue(ctx, goal-search.Iterations()); err != nil {
			return err
		}
	}
	if s.iterations = goal; s.Done() {
		s.iterations = max(s.shared.Iterations(), s.single.Iterations())
	}
	return nil
}

// Iterations returns how many were made.
func (s *householdSearch) Iterations() int { return s.iterations }

// Done reports whether neither search can gain anything more.
func (s *householdSearch) Done() bool { return s.shared.Done() && s.single.Done() }

func (s *householdSearch) first() solved { return s.single.first() }

func (s *householdSearch) found(ctx context.Context) (solved, error) {
	single, err := s.single.found(ctx)
	if err != nil {
		return solved{}, err
	}
	shared, err := s.shared.found(ctx)
	shared.bound = single.bound
	return shared, err
}
