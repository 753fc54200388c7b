package tui

import (
	"context"
	"reflect"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// utility has the known figures of the states of the session, and the candidates.
type utility struct {
	figures  map[int]measure.Set // by node ID
	scenario *microdata.Scenario // the scenario of the figures
	axes     [2]views.FigureID
	trials   []*trial
}

// keepFigures stores the figures of a state and discards those of another scenario.
func (b *workbench) keepFigures(node int, scenario *microdata.Scenario, set measure.Set) {
	u := &b.utility
	if u.figures == nil || !reflect.DeepEqual(u.scenario, scenario) {
		u.figures, u.scenario = map[int]measure.Set{}, scenario
	}
	var numbers measure.Set
	for _, entry := range set.Numbers() {
		if entry.NotApplicable == "" {
			numbers = append(numbers, entry)
		}
	}
	u.figures[node] = u.figures[node].With(numbers)
}

// keepCurrent stores the figures of the current data, and of the original data if no record was removed.
func (b *workbench) keepCurrent() {
	b.keepFigures(b.doc.Node(), b.scenario, b.current.Figures)
	if b.current.Data.Records() == b.doc.Base().Records() {
		b.keepFigures(0, b.scenario, b.original.Figures)
	}
}

// forgetMeasure discards the figures of a measure, for example if its parameters change.
func (b *workbench) forgetMeasure(name string) {
	for node, set := range b.utility.figures {
		b.utility.figures[node] = slices.DeleteFunc(slices.Clone(set),
			func(e measure.Entry) bool { return e.Spec.Name == name })
	}
}

// openSpecs returns the active measures that can be computed.
func (b *workbench) openSpecs() []session.MeasureSpec {
	specs := b.doc.Measures()
	return slices.DeleteFunc(specs, func(spec session.MeasureSpec) bool {
		at := slices.IndexFunc(b.measures, func(o *activeMeasure) bool { return o.Spec.Name == spec.Name })
		return at >= 0 && b.measures[at].Err != nil
	})
}

// measureAll computes the missing figures of all steps of the tree. Discarded data are computed again in the
// background.
func (m *Model) measureAll() {
	b := m.bench
	specs, scenario, analyst := b.openSpecs(), b.scenario, b.analyst
	jobs := map[int]session.Job{}
	var nodes []int
	for _, n := range b.doc.Nodes() {
		known := len(b.utility.figures[n.ID]) > 0
		for _, spec := range specs {
			known = known && b.utility.figures[n.ID].Find(spec.Name) != nil
		}
		if known {
			continue
		}
		job, err := b.doc.PrepareNode(n.ID)
		if m.failed(err) {
			return
		}
		jobs[n.ID], nodes = job, append(nodes, n.ID)
	}
	if len(nodes) == 0 {
		m.say("the figures of all states are computed")
		return
	}
	m.start(&work{title: "computing the figures of all states"},
		func(ctx context.Context, meter *progress.Meter) (func(), error) {
			found := map[int]measure.Set{}
			meter.Start(int64(len(nodes)))
			for _, id := range nodes {
				job := jobs[id]
				result, err := job.Run(ctx, analyst, nil)
				if err != nil {
					return nil, err
				}
				fitted := session.Fitted(scenario, result.Data)
				set, err := analyst.Figures(ctx, result.Data, fitted, measure.Everywhere)
				if err != nil {
					return nil, err
				}
				more, err := analyst.Results(ctx, result.Data, fitted, specs, nil)
				if err != nil {
					return nil, err
				}
				found[id] = set.With(more)
				meter.Add(1)
			}
			return func() {
				for id, set := range found {
					b.keepFigures(id, scenario, set)
				}
				m.say(draw.Count(len(found)) + " states counted")
			}, nil
		})
}
