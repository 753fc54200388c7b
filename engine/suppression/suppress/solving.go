package suppress

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
)

// strataSolver finds and combines the suppressions of the strata of a file. The importance is that of the whole file.
type strataSolver struct {
	*file
	in         method.Input // without data if only a key table is available
	m          KAnonymity
	begun      lost        // cells of in lost before any stratum is solved; nil: none
	households *households // whose members lose cells together; nil: none
	ranks      *importance
	stops      *atomic.Bool // whether sdcMicro would have stopped with an error
}

// stratumResult is the suppression of one stratum.
type stratumResult struct {
	parts parts
	bound int64
	left  []method.ViolatorsLeft // see leftIn
}

// solution is a suppression that was found.
type solution struct {
	in      method.Input // the data, with rows split if their records lose different cells
	cells   lost
	account *method.Suppression // without linked variables
	stops   bool                // for the algorithm SDCMicro: sdcMicro would have stopped with an error

	households *households // whose members lose cells together; nil: none
}

// on returns a solving for a file, with the importance computed from its key table.
func (m *KAnonymity) on(f *file, in method.Input) (*strataSolver, error) {
	names := in.Scenario.Keys
	if len(names) > minimal.MaxVariables {
		return nil, fmt.Errorf("%w: %d key variables, at most %d are possible", method.ErrInput, len(names),
			minimal.MaxVariables)
	}
	s := &strataSolver{file: f, in: in, m: *m, stops: new(atomic.Bool)}
	if s.m.Rule == "" {
		s.m.Rule = string(microdata.RuleConservative)
	}
	if err := m.Subsets.check(len(names)); err != nil {
		return nil, err
	}
	var err error
	if s.ranks, err = rankVariables(names, categories(f.table, len(names)), m.Importance); err != nil {
		return nil, err
	}
	return s, f.checkSizes(m.mostK())
}

// rule returns the suppression rule.
func (s *strataSolver) rule() microdata.Rule { return microdata.Rule(s.m.Rule) }

// combinations lists the combinations in which k must hold.
func (s *strataSolver) combinations() []combination {
	return s.m.Subsets.combinations(len(s.ranks.rank), s.m.K)
}

// repriced returns a copy of s with other prices of cells.
func (s *strataSolver) repriced(price func(variable, price int) int) *strataSolver {
	ranks, other := *s.ranks, *s
	ranks.price = slices.Clone(ranks.price)
	for v := range ranks.price {
		ranks.price[v] = price(v, ranks.price[v])
	}
	other.ranks = &ranks
	return &other
}

// run solves the strata. It returns the suppressions of each and the account of all; violators are counted within
// strata.
func (s *strataSolver) run(ctx context.Context, meter *progress.Meter) ([]stratumResult, *method.Suppression, error) {
	meter.Start(int64(s.table.Records()))
	all, err := s.solveAll(ctx, meter)
	if err != nil {
		return nil, nil, err
	}
	return s.within(ctx, all)
}

// solveAll solves the strata, in parallel, and adds the progress to the meter.
func (s *strataSolver) solveAll(ctx context.Context, meter *progress.Meter) ([]stratumResult, error) {
	all, inPlay := make([]stratumResult, len(s.strata)), make([][]int, len(s.strata))
	if s.m.Algorithm == SDCMicro {
		inPlay = s.firstRows(s.m.K)
	}
	err := parallel.Each(ctx, len(s.strata), func(i int) (err error) {
		if all[i], err = s.solve(ctx, s.strata[i], inPlay[i], share(meter, s.strata[i].size)); err != nil {
			err = explain(err, s.strata[i], s.m.mostK())
		}
		return err
	})
	return all, err
}

// finish counts the violators that the suppressions leave and returns the account of all strata.
func (s *strataSolver) finish(ctx context.Context, all []stratumResult) (*method.Suppression, error) {
	err := parallel.Each(ctx, len(s.strata), func(i int) (err error) {
		groups := all[i].parts.withUntouched(s.strata[i]).groups(s.strata[i], s.strata[i].all())
		all[i].left, err = leftIn(ctx, groups, s.combinations(), s.in.Scenario.Alpha)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.account(all), nil
}

// share returns a progress function for one stratum, whose share of the meter is proportional to its size.
func share(meter *progress.Meter, records int) func(done, total int64) {
	reported := int64(0)
	return func(done, total int64) {
		now := done * int64(records) / max(1, total)
		meter.Add(now - reported)
		reported = now
	}
}

// solve finds the suppression of one stratum. For SDCMicro, rows are the stratum's active rows. Violators are not
// counted yet.
func (s *strataSolver) solve(ctx context.Context, it *stratum, inPlay []int,
	report func(done, total int64)) (stratumResult, error) {
	if !s.m.Subsets.single(len(it.Codes)) {
		search, err := s.newSubsetThorough(ctx, it, report)
		if err != nil {
			return stratumResult{}, err
		}
		return solvedBy(search.Minimal()), nil
	}
	if s.m.Algorithm == SDCMicro {
		return s.newSDCMicroOrder(it, inPlay).run(ctx, report)
	}
	solution, err := minimal.Solve(ctx, s.problem(it), report)
	if err != nil {
		return stratumResult{}, err
	}
	return solvedBy(solution), nil
}

// problem returns the solver's problem for a stratum.
func (s *strataSolver) problem(it *stratum) *minimal.Problem {
	return &minimal.Problem{
		Codes: it.Codes, Levels: it.Levels, Count: it.Counts, K: s.m.mostK(), Price: s.ranks.price, TieOrder: s.ranks.order,
		Rule: protection(s.rule()), Alpha: s.in.Scenario.Alpha, Whole: int64(s.table.Records()),
	}
}

// solvedBy converts a solution.
func solvedBy(solution *minimal.Solution) stratumResult {
	return stratumResult{parts: solution.Parts, bound: solution.Bound}
}

// account adds up the suppressions of the strata, and lists them if the file has strata. The bound is the sum of
// the strata's.
func (s *strataSolver) account(all []stratumResult) *method.Suppression {
	names := s.in.Scenario.Keys
	sum := s.begin()
	sum.Algorithm, sum.K, sum.Rule = s.m.Algorithm, s.m.K, s.m.Rule
	if len(s.m.Subsets) > 0 {
		sum.K = 0
		sum.Subsets = s.accounts(all)
	}
	bound, before := sum.Price, sum.Price
	for i, it := range all {
		it.parts.count(sum, s.ranks.price)
		addLeft(&sum.Left, it.left[0])
		bound += int(it.bound)
		if s.strata[i].part {
			own := emptyAccount(names)
			it.parts.count(own, s.ranks.price)
			sum.Strata = append(sum.Strata, method.StratumCells{Stratum: s.strata[i].label, Records: s.strata[i].size,
				Cells: own.Cells})
		}
	}
	if s.m.Algorithm != SDCMicro && (bounded(s.rule()) || bound > before || bound == sum.Price) {
		sum.Bound, sum.Proven = &bound, bound == sum.Price
	}
	return sum
}

// explain turns errors of the solver into errors of methods.
func explain(err error, s *stratum, k int) error {
	if errors.Is(err, minimal.ErrUnreachable) {
		err = fmt.Errorf("k = %d %w for any record: %s", k, method.ErrUnreachable, wording.ThereAre(s.size, "record"))
	}
	if s.part {
		return fmt.Errorf("stratum %q: %w", s.label, err)
	}
	return err
}
