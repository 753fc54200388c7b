package microaggregation

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// search is refined microaggregation that can go on: it has complete groups from the
// beginning, those of MDAV improved, which get better with every iteration. After so many
// iterations they are those that Apply makes with that number.
type search struct {
	work       *work
	in         method.Input
	strata     []*refinement
	iterations int
}

const (
	mostIterations  = 10_000_000
	pieceIterations = 64 // in all strata together
)

// searches reports whether the method is refined, and tried on all records by themselves.
func (m *Microaggregate) searches(data *microdata.Dataset) bool {
	return m.Method == Refined && !m.Households && data.Len() <= method.SampleAbove
}

// Search begins a search, whatever method and number of iterations m has.
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

// Continue makes so many iterations more in every stratum, as long as a step can have
// their number.
func (s *search) Continue(ctx context.Context, iterations int) error {
	return s.proceed(ctx, iterations, nil)
}

func (s *search) proceed(ctx context.Context, iterations int, meter *progress.Meter) error {
	s.iterations = min(s.iterations+iterations, mostIterations)
	return parallel.Each(ctx, len(s.strata), func(i int) error { return s.strata[i].proceed(ctx, s.iterations, meter) })
}

// Iterations returns the number of iterations made, with those that were begun.
func (s *search) Iterations() int { return s.iterations }

// Piece returns the number of iterations that take less than a tenth of a second.
func (s *search) Piece() int { return max(1, pieceIterations/max(1, len(s.strata))) }

// Done reports whether no stratum has two groups, or values that differ.
func (s *search) Done() bool {
	return !slices.ContainsFunc(s.strata, func(r *refinement) bool { return len(r.of) > 0 })
}

// Account returns how many groups there are and what they lose so far.
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

// part hands the groups found so far to the work.
func (s *search) part(ctx context.Context) error {
	if err := s.Continue(ctx, 0); err != nil {
		return err
	}
	for i, r := range s.strata {
		s.work.parts[i] = parted{groups: []groups{r.groups()}}
	}
	return nil
}

// Output returns the data by the groups found so far.
func (s *search) Output(ctx context.Context) (method.Output, error) { return s.output(ctx, nil) }

func (s *search) output(ctx context.Context, meter *progress.Meter) (method.Output, error) {
	if err := s.part(ctx); err != nil {
		return method.Output{}, err
	}
	return s.work.output(ctx, s.in, meter)
}

// Method returns refined microaggregation with as many iterations.
func (s *search) Method() method.Method {
	m := *s.work.Microaggregate
	m.Iterations = s.iterations
	return &m
}
