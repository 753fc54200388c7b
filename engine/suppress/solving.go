package suppress

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/engine/suppress/minimal"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// solving finds the suppression of each stratum and adds them up. Importance is
// that of the whole file.
type solving struct {
	names     []string // key variables
	algorithm string
	ranks     *importance
	o         NeedOptions
	budget    *int // cells that may be suppressed at most; nil: any number
}

// solved is the suppression of one stratum.
type solved struct {
	parts parts
	lost  []uint64 // with SDCMicro, which says which record of the stratum loses which variables
	bound int64
	left  method.Left

	leftIn []method.Left // the same by subset
}

// newSolving takes the order of importance from the key table of the file.
func newSolving(t *keys.Table, names []string, algorithm string, o NeedOptions) (*solving, error) {
	if len(names) > minimal.MaxVariables {
		return nil, fmt.Errorf("%w: %d key variables, at most %d are possible", method.ErrInput, len(names), minimal.MaxVariables)
	}
	if o.Rule == "" {
		o.Rule = microdata.RuleConservative
	}
	if err := o.Subsets.check(len(names)); err != nil {
		return nil, err
	}
	ranks, err := rankVariables(names, categories(t), o.Importance)
	return &solving{names: names, algorithm: algorithm, ranks: ranks, o: o}, err
}

// repriced returns the same with other prices of cells.
func (s *solving) repriced(price func(variable, price int) int) *solving {
	ranks, other := *s.ranks, *s
	ranks.price = slices.Clone(ranks.price)
	for v := range ranks.price {
		ranks.price[v] = price(v, ranks.price[v])
	}
	other.ranks = &ranks
	return &other
}

// run solves the strata, several at a time, and returns what each loses and the
// account of all. The violators left are those within the strata.
func (s *solving) run(ctx context.Context, strata []*stratum, meter *progress.Meter) ([]solved, *method.Suppression, error) {
	records := 0
	for _, it := range strata {
		records += it.size
	}
	meter.Start(int64(records))
	all, err := s.solveAll(ctx, strata, meter)
	if err != nil {
		return nil, nil, err
	}
	return s.within(ctx, strata, all)
}

// solveAll solves the strata, several at a time, and adds what is done to the
// meter.
func (s *solving) solveAll(ctx context.Context, strata []*stratum, meter *progress.Meter) ([]solved, error) {
	all, records := make([]solved, len(strata)), 0
	for _, it := range strata {
		records += it.size
	}
	err := parallel.Each(ctx, len(strata), func(i int) (err error) {
		if all[i], err = s.solve(ctx, strata[i], records, share(meter, strata[i].size)); err != nil {
			err = explain(err, strata[i], s.o.mostK())
		}
		return err
	})
	return all, err
}

// finish counts the violators that the strata's suppressions leave, and returns
// the account of all.
func (s *solving) finish(ctx context.Context, strata []*stratum, all []solved) (*method.Suppression, error) {
	err := parallel.Each(ctx, len(strata), func(i int) (err error) {
		all[i].left, all[i].leftIn, err = leftIn(ctx, all[i].parts.groups(strata[i]), s.o.combinations(len(s.names)), s.o.Alpha)
		return err
	})
	return s.account(strata, all), err
}

// share returns what a stratum reports its progress to: its part of the meter
// is as large as the stratum.
func share(meter *progress.Meter, records int) func(done, total int64) {
	reported := int64(0)
	return func(done, total int64) {
		now := done * int64(records) / max(1, total)
		meter.Add(now - reported)
		reported = now
	}
}

// solve finds the suppression of one stratum of a file; the violators left are
// not counted yet.
func (s *solving) solve(ctx context.Context, it *stratum, records int, report func(done, total int64)) (solved, error) {
	if !s.o.single(len(s.names)) {
		search, err := s.newSubsetThorough(ctx, it, records, report)
		if err != nil {
			return solved{}, err
		}
		return search.first(), nil
	}
	if s.algorithm == SDCMicro {
		lost, err := newSDCMicroOrder(it, s.o.K, s.o.Alpha, s.ranks.order).run(ctx, report)
		return solved{lost: lost, parts: partsOf(it, lost)}, err
	}
	solution, err := minimal.Solve(ctx, s.problem(it, records), report)
	if err != nil {
		return solved{}, err
	}
	return solvedBy(solution), nil
}

// problem returns what is to be solved for a stratum of a file with so many
// records.
func (s *solving) problem(it *stratum, records int) *minimal.Problem {
	return &minimal.Problem{
		Codes: it.codes, Levels: it.levels, Count: it.counts, K: s.o.mostK(),
		Price: s.ranks.price, TieOrder: s.ranks.order, Rule: protection(s.o.Rule), Alpha: s.o.Alpha, Whole: int64(records),
	}
}

// solvedBy returns a solution as parts.
func solvedBy(solution *minimal.Solution) solved {
	p := make(parts, len(solution.Keys))
	for i := range p {
		p[i] = part{key: solution.Keys[i], set: solution.Sets[i], count: solution.Counts[i]}
	}
	return solved{parts: p, bound: solution.Bound}
}

// account adds up what the strata lose; they are listed where the file has
// strata. The bound of the file is the sum of those of its strata.
func (s *solving) account(strata []*stratum, all []solved) *method.Suppression {
	sum := emptyAccount(s.names)
	sum.Algorithm, sum.K, sum.Rule = s.algorithm, s.o.K, string(s.o.Rule)
	if len(s.o.Subsets) > 0 {
		sum.K = 0
		sum.Subsets = s.o.Subsets.accounts(len(s.names), all)
	}
	bound := 0
	for i, it := range all {
		own := emptyAccount(s.names)
		it.parts.count(own, s.ranks.price)
		for v := range own.Cells {
			sum.Cells[v].Count += own.Cells[v].Count
		}
		sum.Total += own.Total
		sum.Price += own.Price
		sum.Touched += own.Touched
		addLeft(&sum.Left, it.left)
		bound += int(it.bound)
		if strata[i].part {
			sum.Strata = append(sum.Strata, method.StratumCells{Stratum: strata[i].label, Records: strata[i].size, Cells: own.Cells})
		}
	}
	if s.algorithm != SDCMicro && bounded(s.o.Rule) {
		sum.Bound, sum.Proven = &bound, bound == sum.Price
	}
	return sum
}

// blanks returns the cells that the records of the strata lose; n is the number
// of records of the file.
func (s *solving) blanks(strata []*stratum, all []solved, n int) blanks {
	cells := make(blanks, len(s.names))
	for i, it := range all {
		if s.algorithm != SDCMicro {
			it.parts.blank(strata[i], cells, n)
		}
		for row, set := range it.lost {
			cells.setAll(strata[i].record(row), set, n)
		}
	}
	return cells
}

// explain turns errors of the solver into those of methods.
func explain(err error, s *stratum, k int) error {
	switch {
	case errors.Is(err, minimal.ErrUnreachable):
		err = fmt.Errorf("k = %d %w for any record: %s", k, method.ErrUnreachable, wording.ThereAre(s.size, "record"))
	case errors.Is(err, minimal.ErrProblem):
		err = fmt.Errorf("local suppression %w: %w", method.ErrInput, err)
	}
	if s.part {
		return fmt.Errorf("stratum %q: %w", s.label, err)
	}
	return err
}
