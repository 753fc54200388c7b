package tui

import (
	"context"
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/recoding"
	"github.com/sdcdesk/sdcdesk/views"
)

// editing is a step that is being changed: the open dialog works on the data
// before it, and what it applies takes the step's place.
type editing struct {
	step             int // counted from 0
	original, before views.Version
	scenario         *microdata.Scenario // without the roles of variables that the step or a later one makes
}

// edit opens the dialog of a step that stands, on the data before it. Where
// these were let go they are made again in the background.
func (m *Model) edit(step int) tea.Cmd {
	if m.waits(func(m *Model) tea.Cmd { return m.edit(step) }) {
		return nil
	}
	job, err := m.bench.doc.PrepareMove(step)
	if err != nil {
		m.notify(err.Error(), true)
		return nil
	}
	analyst, scenario, k := m.bench.analyst, m.bench.scenario, m.bench.k
	return m.start("looking up the data before the step", func(ctx context.Context, meter *progress.Meter) (func(*Model) tea.Cmd, error) {
		result, err := job.Run(ctx, analyst, meter)
		if err != nil {
			return nil, err
		}
		e := &editing{step: step, scenario: session.Fitted(scenario, result.Data)}
		if e.original, e.before, err = versions(ctx, analyst, result.Data, e.scenario); err != nil {
			return nil, err
		}
		views.Prepare(e.before, k)
		return func(m *Model) tea.Cmd { return m.openEditing(e) }, nil
	})
}

// openEditing opens the dialog that can change a step.
func (m *Model) openEditing(e *editing) tea.Cmd {
	m.closeDialog()
	m.editing = e
	dialog := m.editingDialog(m.dialogState(), m.bench.steps[e.step])
	if dialog == nil {
		m.editing = nil
		m.notify("this step has no dialog; remove it and make another", true)
		return nil
	}
	if drawn, ok := dialog.(drawing); ok {
		drawn.Draw(m.bench.doc.Steps()[e.step].Spec.Seed)
	}
	m.dialog = dialog
	return m.ask()
}

// drawing is the dialog of a method that draws random numbers. A step that is
// changed keeps its seed, so that what was drawn changes only where the
// parameters make it.
type drawing interface {
	dialogs.Dialog
	Draw(seed uint64)
}

// dialogState is the picture that the open dialog draws from: that of the
// workbench, or while a step is changed that before the step.
func (m *Model) dialogState() views.State {
	s := m.state()
	if m.editing != nil {
		s.Original, s.Current, s.Stale, s.Scenario = m.editing.original, m.editing.before, false, m.editing.scenario
		if s.NotApplicable = m.bench.doc.NotApplicable(m.editing.step); s.NotApplicable != "" {
			s.Current.Assessment = nil
		}
		// The step itself is in sight: dialogs find its parameters there.
		s.Position = m.editing.step + 1
	}
	return s
}

// changing is the dialog of a step whose parameters it can take over.
type changing interface {
	dialogs.Dialog
	Take(params map[string]json.RawMessage) error
}

// editingDialog opens the dialog of a step with the step's parameters; nil
// where there is none.
func (m *Model) editingDialog(s views.State, step views.Step) dialogs.Dialog {
	params := map[string]json.RawMessage{}
	if json.Unmarshal(step.Params, &params) != nil {
		return nil
	}
	if dialog := recoding.NewEditing(s, step); dialog != nil {
		return dialog
	}
	d, ok := m.methodDialog(s, step.Name).(changing)
	if !ok || d.Take(params) != nil {
		return nil
	}
	return d
}
