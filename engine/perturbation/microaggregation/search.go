package microaggregation

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// search is refined microaggregation that can be continued. It starts with the improved groups of MDAV, and each
// iteration may improve them further. The result is the same as that of Apply with the same number of iterations.
type search struct {
	work       *work
	in         method.Input
	strata     []*refinement
	iterations int
}

const (
	mostIterations  = 10_000_000
	pieceIterations = 64 // for all strata together
)

// searches reports whether the method is refined and applied to single records.
func (m *Microaggregate) searches(data *microdata.Dataset) bool {
	return m.Method == Refined && !m.Households && data.Len() <= method.SampleAbove
}

// Search starts a search, whatever the method and number of iterations of m.
func (m *Microaggregate) Search(ctx context.Context, in method.Input) (method.Search, error) {
	return m.start(ctx, in, nil)
}

func (m *Microaggregate) start(ctx context.Context, in method.Input, meter *progress.Meter) (*search, error) {
	refined := *m
	refined.Method = Refined
	w, err := refined.begin(ctx, in, meter)
	if err != nil {
		return nil, err
	}
	s := &search{work: w, in: in, strata: make([]*refinement, len(w.table.Strata))}
	return s, parallel.Each(ctx, len(s.strata), func(i int) (err error) {
		s.strata[i], err = refine(ctx, w.table.Of(w.table.Strata[i]), m.Size, meter)
		return err
	})
}

// Continue makes the given number of further iterations in every stratum, up to the maximum that a step can have.
func (s *search) Continue(ctx context.Context, iterations int) error {
	return s.proceed(ctx, iterations, nil)
}

func (s *search) proceed(ctx context.Context, iterations int, meter *progress.Meter) error {
	s.iterations = min(s.iterations+iterations, mostIterations)
	return parallel.Each(ctx, len(s.strata), func(i int) error { return s.strata[i].proceed(ctx, s.iterations, meter) })
}

// Iterations returns the number of iterations made, including an unfinished one.
func (s *search) Iterations() int { return s.iterations }

// Piece returns a number of iterations that takes less than 0.1 s.
func (s *search) Piece() int { return max(1, pieceIterations/max(1, len(s.strata))) }

// Done reports whether no stratum has at least two groups and values that differ.
func (s *search) Done() bool {
	return !slices.ContainsFunc(s.strata, func(r *refinement) bool { return len(r.of) > 0 })
}

// Account returns the number of groups and their information loss so far.
func (s *search) Account(ctx context.Context) (*method.Report, error) {
	if err := s.part(ctx); err != nil {
		return nil, err
	}
	if err := s.work.aggregateAll(ctx, nil); err != nil {
		return nil, err
	}
	s.work.table.Round(s.work.masked)
	report := s.work.account()
	return &report, nil
}

// part passes the current groups to the work.
func (s *search) part(ctx context.Context) error {
	if err := s.Continue(ctx, 0); err != nil {
		return err
	}
	for i, r := range s.strata {
		s.work.parts[i] = grouping{groups: []groups{r.groups()}}
	}
	return nil
}

// Output returns the data aggregated by the current groups.
func (s *search) Output(ctx context.Context) (method.Output, error) { return s.output(ctx, nil) }

func (s *search) output(ctx context.Context, meter *progress.Meter) (method.Output, error) {
	if err := s.part(ctx); err != nil {
		return method.Output{}, err
	}
	return s.work.output(ctx, s.in, meter)
}

// Method returns refined microaggregation with the iterations made.
func (s *search) Method() method.Method {
	m := *s.work.Microaggregate
	m.Iterations = s.iterations
	return &m
}
