package plan

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk/inference"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// evaluate computes the points of members that have none yet, several at a time. They
// fill the second half of the meter.
func (s *Search) evaluate(ctx context.Context, members []*member, meter *progress.Meter) error {
	var open []*member
	var made [][]recodes
	for _, m := range members {
		if s.points[m.name] != nil {
			continue
		}
		all := make([]recodes, len(m.state))
		for v, id := range m.state {
			var err error
			if all[v], err = s.variables[v].recodes(id); err != nil {
				return err
			}
		}
		open, made = append(open, m), append(made, all)
	}
	points := make([]*Point, len(open))
	err := parallel.Each(ctx, len(open), func(i int) (err error) {
		points[i], err = s.point(ctx, open[i], made[i])
		meter.Add(int64(s.options.Work / len(open)))
		return err
	})
	for i, p := range points {
		if p != nil {
			s.points[open[i].name] = p
		}
	}
	return err
}

// point computes what suppression takes after recodes.
func (s *Search) point(ctx context.Context, m *member, all []recodes) (*Point, error) {
	p := &Point{Lost: m.lost, name: m.name}
	for v, made := range all {
		if len(made.steps) > 0 {
			g := s.variables[v].list[m.state[v]]
			p.Variables = append(p.Variables, Recoded{s.variables[v].column.Name(), s.variables[v].occurring, g.groups, g.lost})
		}
		p.Steps = append(p.Steps, made.steps...)
	}
	p.Recodes = len(p.Steps)
	account, err := s.account(ctx, p.Steps, all)
	if err != nil {
		return nil, err
	}
	p.Cells, p.Bound, p.Records, p.Blanked = account.Total, account.Bound, account.Touched, account.Cells
	if p.Cells > 0 {
		m := s.suppression()
		title := fmt.Sprintf("k-anonymity k=%d, %s, %s", m.K, m.Algorithm, m.Rule)
		p.Steps = append(p.Steps, Step{Name: suppress.KAnonymitySpec().Name, Method: m, Title: title})
	}
	return p, nil
}

// suppression returns the method that ends every plan.
func (s *Search) suppression() *suppress.KAnonymity {
	m := suppress.NewKAnonymity()
	m.K, m.Algorithm, m.Rule, m.Iterations = s.options.K, s.options.Algorithm, string(s.options.Rule), s.options.Iterations
	return m
}

// account returns the account of the suppression after recodes. The algorithm
// minimal goes by the key table, where that tells all; else the steps are made.
func (s *Search) account(ctx context.Context, steps []Step, all []recodes) (*method.Suppression, error) {
	if s.options.Algorithm == suppress.Minimal && !suppress.WholeHouseholds(s.scenario) {
		t, err := s.regrouped(ctx, all)
		if err != nil {
			return nil, err
		}
		return s.suppression().Need(ctx, t, s.scenario, s.strata)
	}
	made, err := s.made(ctx, steps)
	if err != nil {
		return nil, err
	}
	out, err := method.Apply(ctx, s.suppression(), method.Input{Data: made, Scenario: s.scenario}, nil)
	if err != nil {
		return nil, err
	}
	return out.Report.Suppression, nil
}

// made returns the data after steps.
func (s *Search) made(ctx context.Context, steps []Step) (*microdata.Dataset, error) {
	in := method.Input{Data: s.data, Scenario: s.scenario}
	for _, step := range steps {
		out, err := method.Apply(ctx, step.Method, in, nil)
		if err != nil {
			return nil, err
		}
		in.Data = out.Data
	}
	return in.Data, nil
}

// Told returns how many of the cells that a plan blanks other variables tell, or other
// members of the household: see package inference. made are the data after its steps; nil:
// they are made for it.
func (s *Search) Told(ctx context.Context, p *Point, made *microdata.Dataset) (int, error) {
	if made == nil {
		var err error
		if made, err = s.made(ctx, p.Steps); err != nil {
			return 0, err
		}
	}
	found, err := inference.Find(ctx, measure.Input{Original: measure.NewVersion(s.data, s.scenario, nil),
		Current: measure.NewVersion(made, s.scenario, nil)}, nil)
	if err != nil {
		return 0, err
	}
	_, exact, probable := found.Blanked()
	return exact.True + probable.True, nil
}

// regrouped returns the key table after recodes.
func (s *Search) regrouped(ctx context.Context, all []recodes) (*keys.Table, error) {
	t := s.table
	for v, made := range all {
		if len(made.steps) == 0 {
			continue
		}
		var err error
		if t, err = t.Regroup(ctx, v, made.levels, made.mapping); err != nil {
			return nil, err
		}
	}
	return t, nil
}
