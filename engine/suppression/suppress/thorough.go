package suppress

import (
	"context"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// DefaultIterations is the default number of iterations of a thorough search. It takes less than two seconds on a
// file of 5,000 records.
const DefaultIterations = 600

// DefaultSubsetIterations is the default for subsets of the key variables, where an iteration goes through all
// their combinations.
const DefaultSubsetIterations = 20

// Search is a thorough search for k-anonymity that can be inspected and stopped at any time. It starts with the
// complete suppression of the algorithm minimal; iterations lower its price and raise the lower bound.
//
//	search, err := m.Search(ctx, in)
//	for !search.Done() && time.Now().Before(end) {
//		if err := search.Continue(ctx, 50); err != nil {
//			break // cancelled: what was reached so far is kept
//		}
//		account, err := search.Account(ctx) // cells, price, bound, violators left
//	}
//	out, err := search.Output(ctx)
//	m := search.Method() // to make a step that does the same
//
// How many iterations a search makes in a given time depends on the machine; their result does not. Output
// returns, byte for byte, what Apply returns with the same parameters, the algorithm Thorough and the same
// Iterations, whether the iterations were made at once or in pieces. A Search must be used by one goroutine at a
// time. It has a copy of the method's parameters.
type Search struct {
	*strataSolver
	searches [][]stratumSearch // per stratum
	target   int               // iterations that every stratum must make

	found   *solution // result so far; nil after further iterations
	minimal *solution // result of the algorithm minimal with whole households; nil if not computed yet
}

// Search starts a thorough search with the parameters of m, except the algorithm and the number of iterations,
// which are ignored. It takes as long as the algorithm minimal. It returns the same errors as Apply.
func (m *KAnonymity) Search(ctx context.Context, in method.Input) (method.Search, error) {
	copied := *m
	copied.Algorithm, copied.Iterations = Thorough, 0
	if err := copied.check(); err != nil {
		return nil, err
	}
	if _, err := keyColumns(in); err != nil {
		return nil, err
	}
	s, err := copied.start(ctx, in, nil, 1)
	if err != nil {
		return nil, fmt.Errorf("k-anonymity: %w", err)
	}
	return s, nil
}

// start starts a search. It fills the meter to 1/parts.
func (m *KAnonymity) start(ctx context.Context, in method.Input, meter *progress.Meter, parts int64) (*Search, error) {
	solving, err := m.prepare(ctx, in)
	if err != nil {
		return nil, err
	}
	s := &Search{strataSolver: solving, searches: make([][]stratumSearch, len(solving.strata))}
	meter.Start(parts * int64(s.table.Records()))
	return s, parallel.Each(ctx, len(s.strata), func(i int) (err error) {
		if s.searches[i], err = s.newStratumSearches(ctx, s.strata[i], share(meter, s.strata[i].size)); err != nil {
			err = explain(err, s.strata[i], s.m.mostK())
		}
		return err
	})
}

// Piece returns the number of iterations to make at a time.
func (s *Search) Piece() int {
	if len(s.m.Subsets) > 0 {
		return 1
	}
	return 16
}

// Continue makes the given number of further iterations, or fewer if the search is done before. An iteration
// covers all strata, which share its work in proportion to their size. After an error, which is that of ctx, the
// work so far is kept and the search can continue; the next call of Continue, Account or Output completes an
// unfinished iteration.
func (s *Search) Continue(ctx context.Context, iterations int) error {
	err := s.catchUp(ctx)
	for made := 0; err == nil && made < iterations && !s.Done(); made++ {
		s.found = nil
		s.target++
		err = s.catchUp(ctx)
	}
	return err
}

// catchUp makes the iterations that strata lack, so that all strata have made the same number. If all strata are
// done, only the iterations made count.
func (s *Search) catchUp(ctx context.Context) error {
	err := parallel.Each(ctx, len(s.searches), func(i int) error {
		for _, search := range s.searches[i] {
			if err := search.Continue(ctx, s.target-search.Iterations()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || !s.Done() {
		return err
	}
	s.target = 0
	for _, search := range slices.Concat(s.searches...) {
		s.target = max(s.target, search.Iterations())
	}
	return nil
}

// Iterations returns the number of iterations made, including an unfinished one. Account and Output refer to this
// number.
func (s *Search) Iterations() int { return s.target }

// Done reports whether no improvement is possible: the price has reached the bound in every stratum.
func (s *Search) Done() bool {
	return !slices.ContainsFunc(slices.Concat(s.searches...), func(t stratumSearch) bool { return !t.Done() })
}

// Account returns the figures of the suppression so far: cells per variable, price, bound, whether it is proven
// optimal, the violators left under three rules, and the number of iterations. Linked variables are not included.
// The time is that of counting the violators; the result is cached until the search continues.
func (s *Search) Account(ctx context.Context) (*method.Report, error) {
	if err := s.catchUp(ctx); err != nil {
		return nil, err
	}
	if s.found == nil {
		found, err := s.find(ctx)
		if err != nil {
			return nil, err
		}
		s.found = found
	}
	return &method.Report{Suppression: s.found.account}, nil
}

// Method returns k-anonymity with the iterations made. If there are none, it has the algorithm minimal, because 0
// as a parameter means the default number.
func (s *Search) Method() method.Method {
	m := s.m
	if m.Iterations = s.Iterations(); m.Iterations == 0 {
		m.Algorithm = Minimal
	}
	return &m
}

// find combines the solutions of the strata. If the algorithm minimal has found a cheaper suppression of whole
// households, it returns that.
func (s *Search) find(ctx context.Context) (*solution, error) {
	all := make([]stratumResult, len(s.searches))
	err := parallel.Each(ctx, len(all), func(i int) (err error) {
		for at, search := range s.searches[i] {
			solution, err := search.Solution(ctx)
			if err != nil {
				return err
			}
			if all[i].parts = solution.Parts; at == 0 {
				all[i].bound = solution.Bound
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	all, account, err := s.within(ctx, all)
	if err != nil {
		return nil, err
	}
	account.Iterations = s.target
	found, err := s.finishHouseholds(ctx, all, account)
	if err != nil || s.households.shared() == 0 {
		return found, err
	}
	if s.minimal == nil {
		if s.minimal, err = s.findMinimal(ctx); err != nil {
			return nil, err
		}
	}
	if s.minimal.account.Price >= found.account.Price {
		return found, nil
	}
	other := *s.minimal
	other.account = s.accounted(*other.account, account)
	return &other, nil
}

// findMinimal returns the result of the algorithm minimal with whole households.
func (s *Search) findMinimal(ctx context.Context) (*solution, error) {
	all, same := make([]stratumResult, len(s.searches)), *s.strataSolver
	for i, search := range s.searches {
		all[i] = solvedBy(search[0].Minimal())
	}
	account, err := s.finish(ctx, all)
	if err != nil {
		return nil, err
	}
	same.m.Algorithm = Minimal
	return same.finishHouseholds(ctx, all, account)
}

// Output returns the data with the suppression found so far, and its report.
func (s *Search) Output(ctx context.Context) (method.Output, error) {
	if _, err := s.Account(ctx); err != nil {
		return method.Output{}, err
	}
	return s.m.output(s.found)
}

// thorough makes the iterations that m asks for.
func (m *KAnonymity) thorough(ctx context.Context, in method.Input, meter *progress.Meter) (*solution, error) {
	s, err := m.start(ctx, in, meter, 2)
	if err != nil {
		return nil, err
	}
	total := m.Iterations
	switch {
	case total == 0 && len(m.Subsets) > 0:
		total = DefaultSubsetIterations
	case total == 0:
		total = DefaultIterations
	}
	report := share(meter, s.table.Records())
	for made := 0; made < total && !s.Done(); made += s.Piece() {
		if err := s.Continue(ctx, min(s.Piece(), total-made)); err != nil {
			return nil, err
		}
		report(int64(made), int64(total))
	}
	report(1, 1)
	_, err = s.Account(ctx)
	return s.found, err
}
