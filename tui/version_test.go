package tui

import (
	"context"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/session"
)

// fixed returns the catalog in which shift was fixed: it adds twice as much.
func fixed() method.Catalog {
	methods := withShift()
	last := &methods[len(methods)-1]
	last.Version, last.New = 1, func() method.Method { return &shiftedTwice{shift{by: 100}} }
	return methods
}

type shiftedTwice struct{ shift }

func (m *shiftedTwice) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (method.Output, error) {
	twice := m.shift
	twice.by *= 2
	return twice.Apply(ctx, in, meter)
}

// A session with a step of a newer version of its method is not resumed, with a message.
func TestSessionOfANewerVersionIsNotOffered(t *testing.T) {
	file := writeSurvey(t)
	d := start(t, Options{Path: file, Methods: fixed()}, 120, 40).Press("enter", "a", "enter")
	d.m.bench.selected.Variable = "income"
	d.Press(":").Type("shift num").Press("enter", "enter", "q")
	d = start(t, Options{Path: file, Methods: withShift()}, 240, 40)
	d.Screen().Contains("the last session on this file", "step shift was made by a newer version of this method", "delimiter")
}

// A session with a step of an earlier version of its method can be resumed with the current method, at once and
// whenever such a step is visited.
func TestSessionOfAnEarlierVersionIsOffered(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	kept := func(ctx context.Context, meter *progress.Meter) (session.Opening, microdata.Scenario, error) {
		opening, scenario, err := opener("sample.csv", surveyScenario())(ctx, meter)
		opening.Volatile = false
		return opening, scenario, err
	}
	d := start(t, Options{Demo: true, OpenDemo: kept, Recent: session.ListJournals, Methods: withShift()}, 120, 40)
	before, records := incomes(d.m.bench.doc.Data())
	check := func(want float64) {
		t.Helper()
		if sum, _ := incomes(d.m.bench.doc.Data()); sum-before < float64(records)*want-1e-3 ||
			sum-before > float64(records)*want+1e-3 {
			t.Errorf("the incomes sum up to %v more, of %d records", sum-before, records)
		}
	}
	d.m.bench.selected.Variable = "income"
	d.Press(":").Type("shift num").Press("enter").Press("enter")
	check(100)
	d.Press("q")
	d = start(t, Options{Demo: true, OpenDemo: kept, Recent: session.ListJournals, Methods: fixed()}, 120, 40)
	d.Press(":").Type("open another").Press("enter", "down", "down", "down", "enter")
	d.Dialog().Contains("Continue with the new version?", "step 1 (shift income by 100) was made by an earlier version of",
		"this method; its result differs")
	check(0)
	d.Press("esc", "U")
	d.Dialog().Contains("Continue with the new version?")
	d.Press("enter")
	check(200)
	if steps := d.steps(); !slices.Equal(steps, []string{"shift income by 200"}) {
		t.Errorf("the steps are %v", steps)
	}
}
