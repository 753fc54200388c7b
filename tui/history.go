package tui

import (
	"context"
	"errors"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/job"
	"github.com/sdcdesk/sdcdesk/tui/recoding"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// change prepares a change of the session, computes it in the background and commits it. While other work runs, it
// waits with the preparation. If a what-if computes the same, change joins it.
func (m *Model) change(title string, joined *job.Job, prepare func() (session.Job, error)) {
	m.idle(func() {
		job, err := prepare()
		if m.failed(err) {
			return
		}
		analyst := m.bench.analyst
		if job.Ready() {
			result, _ := job.Run(context.Background(), analyst, nil) // nothing to compute
			m.commit(result)
			return
		}
		m.start(&work{title: title, joined: joined, makes: !job.Moves()},
			func(ctx context.Context, meter *progress.Meter) (func(), error) {
				result, err := job.Run(ctx, analyst, meter)
				if errors.Is(err, session.ErrEarlier) && job.Moves() {
					return func() {
						m.askToRepeat(err, func() (session.Job, error) {
							move, err := prepare()
							return move.WithCurrentMethods(), err
						})
					}, nil
				}
				return func() {
					m.commit(result)
				}, err
			})
	})
}

// askToRepeat asks whether to continue if a step was applied by an earlier version of its method.
func (m *Model) askToRepeat(reason error, prepare func() (session.Job, error)) {
	text := draw.Safe(reason.Error()) +
		". It and the later steps can be repeated with the present methods on a new branch; the current branch is kept."
	m.open(dialogs.NewConfirm("Continue with the new version?", text, "continue", func() {
		m.change("repeating the steps", nil, prepare)
	}))
}

// apply applies a new step.
func (m *Model) apply(step session.StepSpec, joined *job.Job) {
	m.change(m.stepTitle(step), joined, func() (session.Job, error) { return m.bench.doc.Prepare(step), nil })
}

// turn moves the session to what prepare returns, as soon as nothing else runs. Steps whose data were discarded
// are computed again.
func (m *Model) turn(prepare func(*session.Session) (session.Job, error)) {
	m.change("going to a step", nil, func() (session.Job, error) { return prepare(m.bench.doc) })
}

// undo undoes the last change. A waiting or running step is cancelled instead.
func (m *Model) undo() {
	switch {
	case m.work == nil || !m.work.makes || m.work.undone:
		m.turn((*session.Session).PrepareUndo)
	case len(m.queue) > 0:
		m.queue = m.queue[:len(m.queue)-1]
		m.say("the last request was not carried out")
	default:
		m.cancelWork()
		m.work.undone = true
	}
}

// commit adds a result to the session. It is on disk before it is shown.
func (m *Model) commit(result *session.Result) {
	if m.failed(m.bench.doc.Commit(result)) {
		return
	}
	if result.Scenarios() {
		m.say("the scenario is unchanged")
		m.underScenario()
		return
	}
	switch {
	case result.Deletion():
		m.say("the branches are unchanged")
	case result.Removed():
		m.say("the step is removed" + leftOut(result) + "; undo brings it back")
	case result.Report.Title != "":
		m.say(outcome(result))
		m.followPRAM(result.Report.PRAM)
	}
	m.moved()
}

// followPRAM selects a variable that PRAM was applied to, so that the PRAM panes show it.
func (m *Model) followPRAM(drawn []method.PRAMVariable) {
	selected := &m.bench.selected
	if len(drawn) > 0 && !slices.ContainsFunc(drawn, func(v method.PRAMVariable) bool { return v.Variable == selected.Variable }) {
		*selected = views.Selection{Variable: drawn[0].Variable, Record: selected.Record}
	}
}

// outcome describes a result, warnings first.
func outcome(result *session.Result) string {
	text := result.Report.Title
	switch {
	case len(result.Report.Warnings) > 0:
		text = result.Report.Warnings[0]
	case result.Report.Effect != "":
		text += " (" + result.Report.Effect + ")"
	}
	if result.Behind > 0 {
		text += " (" + wording.Counted(result.Behind, "undone step") + " kept on another branch)"
	}
	return text + leftOut(result)
}

// editing is a step being changed: the open dialog works on the data before it, and replaces it.
type editing struct {
	step             int // counted from 0
	original, before views.Version
	scenario         *microdata.Scenario // without the roles of variables created by the step or a later one
}

// edit opens the dialog of an applied step on the data before it. Discarded data are computed again in the
// background.
func (m *Model) edit(step int) {
	job, err := m.bench.doc.PrepareMove(step)
	if m.failed(err) {
		return
	}
	analyst, scenario, k := m.bench.analyst, m.bench.scenario, m.bench.k
	m.start(&work{title: "looking up the data before the step"},
		func(ctx context.Context, meter *progress.Meter) (func(), error) {
			result, err := job.Run(ctx, analyst, meter)
			if err != nil {
				return nil, err
			}
			e := &editing{step: step, scenario: session.Fitted(scenario, result.Data)}
			if e.original, e.before, err = versions(ctx, analyst, result.Data, e.scenario); err != nil {
				return nil, err
			}
			views.Prepare(e.before, k)
			return func() { m.openEditing(e) }, nil
		})
}

// openEditing opens the dialog that can change a step.
func (m *Model) openEditing(e *editing) {
	m.closeDialog()
	m.editing = e
	dialog := m.filledDialog(m.dialogState(), m.bench.doc.Steps()[e.step].Spec)
	if dialog == nil {
		m.editing = nil
		m.refuse("this step has no dialog; remove it and apply another")
		return
	}
	m.dialog = dialog
}

// dialogState returns the state that the open dialog draws from: that of the workbench, or the one before the step
// being changed.
func (m *Model) dialogState() views.State {
	s := m.state()
	if m.editing != nil {
		s.Changing, s.Last = m.editing.step+1, s.Current.Figures
		s.Original, s.Current, s.Stale, s.Scenario = m.editing.original, m.editing.before, false, m.editing.scenario
		if s.NotApplicable = m.bench.doc.NotApplicable(m.editing.step); s.NotApplicable != "" {
			s.Current.Assessment = nil
		}
		// The step itself is included, because dialogs read its parameters.
		s.Position = m.editing.step + 1
	}
	return s
}

// filledDialog is a dialog that can be filled with the parameters of a step.
type filledDialog interface {
	dialogs.Dialog
	Take(step session.StepSpec) error
}

// filledDialog opens the dialog of a step with the step's parameters, or returns nil if no dialog can take them.
func (m *Model) filledDialog(s views.State, step session.StepSpec) dialogs.Dialog {
	if dialog := recoding.NewEditing(s, step); dialog != nil {
		return dialog
	}
	d, ok := m.methodDialog(s, step.Step).(filledDialog)
	if !ok || d.Take(step) != nil {
		return nil
	}
	return d
}
