package tui

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// compare shows the data after two steps of the tree side by side, each under the current scenario as far as it
// fits. Discarded data are computed again in the background.
func (m *Model) compare(a, b int) {
	bench := m.bench
	var jobs [2]session.Job
	for i, id := range [...]int{a, b} {
		var err error
		if jobs[i], err = bench.doc.PrepareNode(id); err != nil {
			m.fail(err)
			return
		}
	}
	analyst, scenario := bench.analyst, bench.scenario
	names := bench.stateNames(a, b)
	m.start(&work{title: "comparing"}, func(ctx context.Context, meter *progress.Meter) (func(), error) {
		var states [2]session.State
		for i, job := range jobs {
			result, err := job.Run(ctx, analyst, nil)
			if err != nil {
				return nil, err
			}
			states[i] = session.State{Name: names[i], Data: result.Data, Scenario: session.Fitted(scenario, result.Data)}
		}
		c, err := analyst.Compare(ctx, states[0], states[1], meter)
		if err != nil {
			return nil, err
		}
		// a dialog opened since then returns afterwards
		return func() { m.cover(dialogs.NewComparison(c)) }, nil
	})
}

// stateNames names two nodes of the tree by their steps, and by number and branch if those have the same name.
func (b *workbench) stateNames(ids ...int) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		switch n := b.node(id); {
		case id == b.doc.Node():
			names[i] = "now"
		case id == 0:
			names[i] = session.Original
		default:
			names[i] = shortName(n.Title)
		}
	}
	if names[0] == names[1] && ids[0] != ids[1] {
		for i, id := range ids {
			n := b.node(id)
			names[i] = shortName(draw.Count(n.Position) + " " + n.Branch + ": " + n.Title)
		}
	}
	return names
}

// shortName shortens the title of a step for a column heading.
func shortName(title string) string {
	const most = 24
	if runes := []rune(title); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return title
}
