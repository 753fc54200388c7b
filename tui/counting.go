package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// counted does what an error says that groups have to be counted for: it counts them as work, and then does
// the act again that met the error. Any other error is shown.
func (m *Model) counted(err error, again func() tea.Cmd) tea.Cmd {
	lacking := new(session.UncountedError)
	if !errors.As(err, &lacking) {
		return m.fail(err)
	}
	if m.waits(again) { // what was lacking may be counted by then
		return nil
	}
	count, err := m.bench.doc.PrepareCount(lacking)
	if err != nil {
		return m.fail(err)
	}
	began, title := m.options.Now(), countingOf(lacking, m.tookLast())
	return m.start(&work{title: title}, func(ctx context.Context, meter *progress.Meter) (func() tea.Cmd, error) {
		counted, err := count.Run(ctx, meter)
		return func() tea.Cmd {
			b := m.bench
			b.countTook = m.options.Now().Sub(began)
			if err := b.doc.Recount(counted); err != nil {
				return m.fail(err)
			}
			b.analyst = b.analyst.On(b.doc)
			b.original, b.current = views.Version{Data: b.doc.Data().Source()}, views.Version{Data: b.doc.Data()}
			next := m.moved()
			return tea.Batch(next, again())
		}, err
	})
}

// countingOf says what is counted.
func countingOf(lacking *session.UncountedError, took string) string {
	text, names := "counting groups"+took+" by ", lacking.Variables
	if len(names) == 0 {
		text, names = "counting values"+took+" of ", lacking.Values
	}
	return text + draw.Safe(strings.Join(wording.FirstFew(names, 3), ", "))
}

// tookLast says how long the last count of groups took; "" where that was no time.
func (m *Model) tookLast() string {
	if m.bench == nil || m.bench.countTook <= 0 {
		return ""
	}
	return fmt.Sprintf(" (the last count took %s)", draw.Duration(m.bench.countTook))
}

// notOnGroups says why a method cannot be used on data whose records are not held; "" where it can.
func notOnGroups(name string) func(m *Model) string {
	return func(m *Model) string {
		spec, ok := m.options.Methods.Find(name)
		if !ok || held(m) {
			return ""
		}
		if reason := method.OnGroups(spec.New(), m.bench.scenario); reason != "" {
			return "the records are not held in memory, and " + reason
		}
		return ""
	}
}

// notOfGroups says why a measure tells nothing of data whose records are not held; "" where it does.
func notOfGroups(spec measure.Spec) func(m *Model) string {
	return unless("the records are not held in memory, and it goes through records one by one", func(m *Model) bool {
		return spec.Groups || held(m)
	})
}
