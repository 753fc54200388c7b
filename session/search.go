package session

import (
	"context"
	"fmt"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
)

// Search is a step that is looked for until somebody ends it. It has a complete
// result from the beginning, which gets better; how far it came is said in
// iterations, so that the step can be repeated. It belongs to one goroutine at a
// time.
type Search struct {
	analyst *Analyst
	in      method.Input
	method  *suppress.KAnonymity
	search  *suppress.Search
	elapsed time.Duration
}

// Search begins to look for a step that Searches, which takes as long as the
// first result does. Errors are those of WhatIf.
func (a *Analyst) Search(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario,
	spec StepSpec) (*Search, error) {
	started := time.Now()
	c, err := a.call(spec, scenario)
	if err != nil {
		return nil, err
	}
	protect, ok := c.method.(*suppress.KAnonymity)
	if !ok {
		return nil, fmt.Errorf("%w: step %s does not search", method.ErrParam, c.Step)
	}
	s := &Search{analyst: a, in: method.Input{Data: data, Scenario: scenario, Seed: c.Seed}, method: protect}
	s.search, err = protect.Start(ctx, s.in, nil)
	s.elapsed = time.Since(started)
	return s, err
}

// Continue searches for about so long, less where nothing more can be gained.
func (s *Search) Continue(ctx context.Context, d time.Duration) error {
	started := time.Now()
	defer func() { s.elapsed += time.Since(started) }()
	for !s.search.Done() && time.Since(started) < d {
		if err := s.search.Continue(ctx, s.search.Piece()); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Done reports whether nothing more can be gained: it is proven that no result
// is better.
func (s *Search) Done() bool { return s.search.Done() }

// Elapsed returns how long the search has gone on.
func (s *Search) Elapsed() time.Duration { return s.elapsed }

// Account returns what the result so far takes and leaves.
func (s *Search) Account(ctx context.Context) (*method.Suppression, error) {
	return s.search.Account(ctx)
}

// Step returns the step that gives the result so far.
func (s *Search) Step() (StepSpec, error) {
	m := *s.method
	m.Iterations = s.search.Iterations()
	if m.Iterations == 0 {
		m.Algorithm = suppress.Minimal // no iterations was asked for nothing but that
	}
	return NewSpec(suppress.KAnonymitySpec().Name, &m, s.in.Seed)
}

// WhatIf returns the figures after the step that gives the result so far. The
// step, made next, is not searched for again.
func (s *Search) WhatIf(ctx context.Context) (*whatif.Result, error) {
	step, err := s.Step()
	if err != nil {
		return nil, err
	}
	c, err := step.complete(s.analyst.methods)
	if err != nil {
		return nil, err
	}
	if c.method.(*suppress.KAnonymity).Algorithm != suppress.Thorough {
		return s.analyst.WhatIf(ctx, s.in.Data, s.in.Scenario, step, nil)
	}
	done, err := s.analyst.outcome(ctx, s.in, c.StepSpec, func() (*outcome, error) {
		output, err := s.search.Output(ctx)
		if err != nil {
			return nil, err
		}
		return newOutcome(s.in.Data, output, s.elapsed), nil
	})
	if err != nil {
		return nil, err
	}
	answer, err := s.analyst.answerOf(ctx, s.in, done)
	if err != nil {
		return nil, err
	}
	answer.Elapsed = s.elapsed
	return answer, nil
}
