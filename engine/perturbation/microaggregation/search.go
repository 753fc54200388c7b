package microaggregation

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Search is refined microaggregation that can go on: it has complete groups from the
// beginning, those of MDAV improved, which get better with every iteration. After so many
// iterations they are those that Apply makes with that number. It belongs to one goroutine
// at a time.
type Search struct {
	work       *work
	in         method.Input
	strata     []*refinement
	iterations int
}

// Start begins a search, whatever method and number of iterations m has.
func (m *Microaggregate) Start(ctx context.Context, in method.Input, meter *progress.Meter) (*Search, error) {
	refined := *m
	refined.Method = Refined
	w, err := refined.begin(ctx, in, meter)
	if err != nil {
		return nil, err
	}
	s := &Search{work: w, in: in, strata: make([]*refinement, len(w.table.Strata))}
	return s, parallel.Each(ctx, len(s.strata), func(i int) (err error) {
		s.strata[i], err = refine(ctx, w.table.Of(w.table.Strata[i]), m.Size, meter)
		return err
	})
}

// Continue makes so many iterations more in every stratum. After an error, which is that of
// ctx, those that lack are made by what is called next.
func (s *Search) Continue(ctx context.Context, iterations int, meter *progress.Meter) error {
	s.iterations += iterations
	return parallel.Each(ctx, len(s.strata), func(i int) error { return s.strata[i].proceed(ctx, s.iterations, meter) })
}

// Iterations returns the number of iterations made, with those that were begun.
func (s *Search) Iterations() int { return s.iterations }

// Output returns the data by the groups found so far.
func (s *Search) Output(ctx context.Context, meter *progress.Meter) (method.Output, error) {
	if err := s.Continue(ctx, 0, nil); err != nil {
		return method.Output{}, err
	}
	s.work.Iterations = s.iterations
	for i, r := range s.strata {
		s.work.parts[i] = parted{groups: []groups{r.groups()}}
	}
	return s.work.output(ctx, s.in, meter)
}
