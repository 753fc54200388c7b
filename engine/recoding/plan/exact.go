package plan

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/risk/inference"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// evaluate computes the missing points of states, in parallel. It fills the second half of the meter.
func (s *Search) evaluate(ctx context.Context, states []*state, meter *progress.Meter) error {
	points := make([]*Point, len(states))
	err := parallel.Each(ctx, len(states), func(i int) (err error) {
		if s.points[states[i].name] == nil {
			points[i], err = s.point(ctx, states[i])
		}
		meter.Add(int64(s.options.Work / len(states)))
		return err
	})
	for _, p := range points {
		if p != nil {
			s.points[p.name] = p
		}
	}
	return err
}

// point computes the suppression needed after recodes.
func (s *Search) point(ctx context.Context, of *state) (*Point, error) {
	p := &Point{Lost: of.lost, Violators: of.violators, state: *of}
	for v, place := range of.recodes {
		if r := s.variables[v].recodes[place]; len(r.Steps) > 0 {
			p.Recodes, p.Steps = append(p.Recodes, r), append(p.Steps, r.Steps...)
		}
	}
	if s.options.Single {
		return p, nil
	}
	account, err := s.account(ctx, p)
	if err != nil {
		return nil, err
	}
	p.Cells, p.Records, p.Suppressed = account.Total, account.Touched, account.Cells
	if len(s.options.Importance) == 0 || p.Cells == 0 { // otherwise it bounds the weighted cost
		p.Bound = account.Bound
	}
	if p.Cells > 0 {
		m := s.options.suppression()
		title := fmt.Sprintf("k-anonymity k=%d, %s, %s", m.K, m.Algorithm, m.Rule)
		p.Steps = append(p.Steps, Step{Name: suppress.KAnonymitySpec().Name, Method: m, Title: title})
	}
	return p, nil
}

// account returns the account of the suppression after recodes. The algorithm minimal uses the key table if that
// is sufficient; otherwise the steps are applied to the data.
func (s *Search) account(ctx context.Context, p *Point) (*method.Suppression, error) {
	if s.options.Algorithm == suppress.Minimal && !suppress.WholeHouseholds(s.scenario) {
		t, err := s.recoded(ctx, s.table, p.recodes, -1)
		if err != nil {
			return nil, err
		}
		return s.options.suppression().Need(ctx, t, s.scenario, s.strata)
	}
	made, err := s.Data(ctx, p)
	if err != nil {
		return nil, err
	}
	out, err := method.Apply(ctx, s.options.suppression(), method.Input{Data: made, Scenario: s.scenario}, nil)
	if err != nil {
		return nil, err
	}
	return out.Report.Suppression, nil
}

// Data returns the data after the steps of a plan.
func (s *Search) Data(ctx context.Context, p *Point) (*microdata.Dataset, error) {
	in := method.Input{Data: s.data, Scenario: s.scenario}
	for _, step := range p.Steps {
		out, err := method.Apply(ctx, step.Method, in, nil)
		if err != nil {
			return nil, err
		}
		in.Data = out.Data
	}
	return in.Data, nil
}

// Inferred returns how many of the cells that a plan suppresses can be inferred from other variables, or from
// other members of the household: see package inference. made is the data after the plan.
func (s *Search) Inferred(ctx context.Context, made *microdata.Dataset) (int, error) {
	found, err := inference.Find(ctx, measure.Input{Original: measure.NewVersion(s.data, s.scenario, nil),
		Current: measure.NewVersion(made, s.scenario, nil)}, nil)
	if err != nil {
		return 0, err
	}
	_, exact, probable := found.Suppressed()
	return exact.True + probable.True, nil
}

// Risk returns the global risk of the data after a plan, from 0 to 1: the expected share of re-identified records.
// It uses sampling weights.
func (s *Search) Risk(ctx context.Context, made *microdata.Dataset) (float64, error) {
	assessed, err := risk.Of(ctx, measure.NewVersion(made, s.scenario, nil))
	if err != nil {
		return 0, err
	}
	return assessed.Global, nil
}
