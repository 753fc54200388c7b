package tui

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/masking"
	"github.com/sdcdesk/sdcdesk/tui/recoding"
	"github.com/sdcdesk/sdcdesk/tui/suppression"
	"github.com/sdcdesk/sdcdesk/views"
	dataview "github.com/sdcdesk/sdcdesk/views/data"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/pages"
)

// do carries out an action. It is the only place where keys, the mouse and the
// palette come to change the session or what is selected.
func (m *Model) do(action draw.Action) tea.Cmd {
	b := m.bench
	switch a := action.(type) {
	case views.SelectVariable:
		b.selected.Variable, b.selected.Level, b.selected.Stratum = a.Name, 0, 0
	case views.SelectLevel:
		b.selected.Level = a.Level
	case views.SelectRecord:
		b.selected.Record = a.Record
	case views.ShowRecords:
		b.enter(dataview.NewRecords(a.Variable, a.Level))
	case views.ShowMatching:
		b.enter(dataview.NewMatching(a.Condition))
	case views.ShowRecord:
		b.selected.Record = a.Record
		b.enter(pages.NewRecord(a.Record))
	case views.ShowVariable:
		b.selected.Variable = a.Name
		b.enter(pages.NewInspector(a.Name))
	case views.ShowValues:
		b.selected.Variable = a.Name
		b.enter(pages.NewValues(a.Name))
	case views.ChooseRole:
		return m.chooseRole(a.Name)
	case views.Copy:
		return m.copyOut(a)
	case views.OpenRecode, views.OpenMethod, views.OpenStep:
		return m.openDialog(action)
	case views.OpenMeasure, views.ComputeMeasure, views.ShowMeasure, views.CloseMeasure, views.StopMeasure:
		return m.doMeasure(action)
	case views.SetAxis, views.MeasureAll, views.TryUsual, views.ApplyTrial, views.DropTrial:
		return m.doUtility(action)
	case views.EditStep:
		return m.edit(a.Step)
	case views.RemoveStep:
		return m.removeStep(a.Step)
	case views.SelectStratum:
		b.selected.Stratum = a.Stratum
	case views.ExportMatrix:
		return m.openMatrixExport(a.Variable, a.Problem)
	case views.SetK:
		b.k = max(2, a.K)
		b.syncFromSession()
	case views.Jump:
		return m.turn(func(doc *session.Session) (session.Job, error) { return doc.PrepareNode(a.Node) })
	case views.NameBranch:
		return m.askBranchName(a.Node)
	case views.DeleteBranch:
		return m.deleteBranch(a.Node)
	case views.CompareNodes:
		return m.compare(a.A, a.B)
	case views.ExportBranch:
		return m.openBranchExport(a.Node)
	}
	return nil
}

// openDialog opens the dialog of a step.
func (m *Model) openDialog(action draw.Action) tea.Cmd {
	switch a := action.(type) {
	case views.OpenRecode:
		return m.open(recoding.NewDialog(m.state(), a.Variable), "this variable has no values to recode")
	case views.OpenMethod:
		return m.open(m.methodDialog(m.state(), a.Name), "this method has no dialog")
	case views.OpenStep:
		return m.open(m.filledDialog(m.state(), dialogs.StepOf(a.Name, a.Method)), "this step has no dialog")
	}
	return nil
}

// settleVariable makes the variable under the cursor of the focused pane the
// selected one.
func (m *Model) settleVariable() {
	if m.bench == nil || m.page != nil || m.covers() || m.work != nil && m.work.opening {
		return
	}
	pane, ok := m.focused().(views.OnVariable)
	if !ok {
		return
	}
	if name := pane.Variable(m.state()); name != "" && name != m.bench.selected.Variable {
		m.do(views.SelectVariable{Name: name})
	}
}

// open opens a dialog; where there is none, otherwise says why.
func (m *Model) open(dialog dialogs.Dialog, otherwise string) tea.Cmd {
	if dialog == nil {
		return m.refuse(otherwise)
	}
	m.closeDialog()
	m.dialog = dialog
	return m.ask()
}

// methodDialog opens the dialog of a method: its own where it shows more than
// its parameters.
func (m *Model) methodDialog(s views.State, name string) dialogs.Dialog {
	spec, ok := m.options.Methods.Find(name)
	if !ok {
		return nil
	}
	for _, newForm := range []func(views.State, method.Spec, method.Method) dialogs.Dialog{suppression.NewForm,
		masking.NewForm, recoding.NewForm} {
		if d := newForm(s, spec, spec.New()); d != nil {
			return d
		}
	}
	return dialogs.NewStepDialog(s, spec)
}

// stepTitle names a step for the line of work that runs.
func (m *Model) stepTitle(step session.StepSpec) string {
	if spec, ok := m.options.Methods.Find(step.Step); ok {
		return spec.Title
	}
	return step.Step
}

// screenError returns an error of a step in words of the screen.
func (m *Model) screenError(err error, step session.StepSpec) error {
	if spec, ok := m.options.Methods.Find(step.Step); ok {
		return errors.New(method.Said(err, spec.New()))
	}
	return err
}
