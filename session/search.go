package session

import (
	"context"
	"fmt"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
)

// Search is a search for a step that continues until it is stopped. It has a complete result from the beginning,
// which improves. Its progress is a number of iterations, so that the step can be repeated. It may be used by one
// goroutine at a time.
type Search struct {
	method.Search
	analyst *Analyst
	in      method.Input
	name    string // of the step
	elapsed time.Duration
}

// Search starts a search for a step whose method searches; it takes as long as the first result. Errors are those
// of WhatIf.
func (a *Analyst) Search(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario,
	spec StepSpec) (*Search, error) {
	started := time.Now()
	c, in, err := a.call(spec, data, scenario)
	if err != nil {
		return nil, err
	}
	if c.entry.Search == nil || !c.entry.Searches(c.method, data) {
		return nil, fmt.Errorf("%w: step %s has no search", method.ErrParam, c.Step)
	}
	s := &Search{analyst: a, in: in, name: c.Step}
	s.Search, err = c.entry.Search(c.method, ctx, s.in)
	s.elapsed = time.Since(started)
	return s, err
}

// ContinueFor searches for about d, less if no improvement is possible.
func (s *Search) ContinueFor(ctx context.Context, d time.Duration) error {
	started := time.Now()
	defer func() { s.elapsed += time.Since(started) }()
	for !s.Done() && time.Since(started) < d {
		if err := s.Continue(ctx, s.Piece()); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Elapsed returns the total search time.
func (s *Search) Elapsed() time.Duration { return s.elapsed }

// Step returns the step of the result so far.
func (s *Search) Step() (StepSpec, error) { return NewSpec(s.name, s.Method(), s.in.Seed) }

// WhatIf returns the figures after the step of the result so far. If that step is applied next, it is not searched
// again.
func (s *Search) WhatIf(ctx context.Context) (*whatif.Result, error) {
	step, err := s.Step()
	if err != nil {
		return nil, err
	}
	c, err := step.complete(s.analyst.methods)
	if err != nil {
		return nil, err
	}
	if !c.entry.Searches(c.method, s.in.Data) {
		return s.analyst.WhatIf(ctx, s.in.Data, s.in.Scenario, step, nil)
	}
	done, err := s.analyst.outcome(ctx, s.in, c.StepSpec, func() (*outcome, error) {
		output, err := s.Output(ctx)
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
	answer.Masking, err = s.analyst.masking(ctx, s.in, c.method, answer)
	answer.Elapsed = s.elapsed
	return answer, err
}
