package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
)

// compare sets the data after a step of the tree beside those of the session, each
// under the scenario as it is now, as far as it fits. Data that were let go are made
// again in the background.
func (m *Model) compare(id int) tea.Cmd {
	if m.waits(func() tea.Cmd { return m.compare(id) }) {
		return nil
	}
	b := m.bench
	job, err := b.doc.PrepareNode(id)
	if err != nil {
		m.notify(err.Error(), true)
		return nil
	}
	analyst, here := b.analyst, session.State{Name: "here", Data: b.doc.Data(), Scenario: b.scenario}
	name := b.node(id).Title
	if id == 0 {
		name = session.Original
	}
	return m.start(&work{title: "comparing"}, func(ctx context.Context, meter *progress.Meter) (func() tea.Cmd, error) {
		result, err := job.Run(ctx, analyst, nil)
		if err != nil {
			return nil, err
		}
		there := session.State{Name: shortName(name), Data: result.Data, Scenario: session.Fitted(here.Scenario, result.Data)}
		c, err := analyst.Compare(ctx, there, here, meter)
		if err != nil {
			return nil, err
		}
		figures, variables := c.Tables()
		return func() tea.Cmd { return m.open(dialogs.NewComparison(figures, variables, c.Sentence()), "") }, nil
	})
}

// shortName cuts the title of a step that stands as the head of a column.
func shortName(title string) string {
	const most = 24
	if runes := []rune(title); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return title
}
