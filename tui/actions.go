package tui

import (
	"cmp"
	"errors"

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

// do carries out an action that a key, a click or the palette asks for, in a pane, a dialog or a page. It is the
// only place where actions change the session or the selection.
func (m *Model) do(action draw.Action) {
	b := m.bench
	switch a := action.(type) {
	case views.SelectVariable:
		b.selected.Variable, b.selected.Level, b.selected.Stratum = a.Name, 0, 0
	case views.SelectLevel:
		b.selected.Level = a.Level
	case views.SelectStratum:
		b.selected.Stratum = a.Stratum
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
	case views.ShowMeasure:
		b.enter(views.NewMeasured(a.Name))
	case views.SetK:
		b.k = max(2, a.K)
		b.syncFromSession()
	case views.SetAxis:
		b.utility.axes[a.Axis] = a.Figure
	case views.Copy:
		m.copyOut(a)
	default:
		m.doDialog(action)
	}
}

// doDialog carries out actions that open and close dialogs or change no data.
func (m *Model) doDialog(action draw.Action) {
	switch a := action.(type) {
	case dialogs.Close:
		m.close()
	case dialogs.Swap:
		if a.Dialog != nil {
			m.dialog = a.Dialog
			m.asking.forget()
		}
	case dialogs.Cover:
		m.cover(a.Dialog)
	case dialogs.Call:
		m.closeDialog()
		a()
	case views.OpenRecode:
		m.openIf(recoding.NewDialog(m.state(), a.Variable), "this variable has no values to recode")
	case views.OpenPlans:
		m.openRecodes(a.Variable)
	case views.OpenMethod:
		m.bench.selected.Variable = cmp.Or(a.Variable, m.bench.selected.Variable)
		m.openIf(m.methodDialog(m.state(), a.Name), "this method has no dialog")
	case views.OpenStep:
		m.openIf(m.filledDialog(m.state(), dialogs.StepOf(a.Name, a.Method)), "this step has no dialog")
	case views.OpenMeasure:
		m.openIf(m.measureDialog(a.Name), "this measure has no dialog")
	case views.OpenTable:
		m.idle(func() { m.openTable(a.At) })
	case views.OpenProtection:
		m.idle(func() { m.openProtection(a.At) })
	case views.ChooseRole:
		m.idle(func() { m.chooseRole(a.Name) })
	case views.NameBranch:
		m.askBranchName(a.Node)
	case views.ExportBranch:
		m.openBranchExport(a.Node)
	case views.ExportMatrix:
		m.idle(func() { m.openMatrixExport(a.Variable, a.Problem) })
	case views.CompareNodes:
		m.idle(func() { m.compare(a.A, a.B) })
	case dialogs.Write:
		m.write(a)
	case dialogs.Launch:
		m.launch(a)
	case dialogs.OpenLessons:
		m.openLessons()
	case dialogs.OpenDemonstration:
		m.openDemonstration()
	case dialogs.OpenPath:
		m.openPath(a.Path)
	case dialogs.OpenFile:
		m.openSource(m.options.known().Source(a.Path, a.Format))
	case dialogs.Continue:
		m.resumeWhole(a.Journal)
	default:
		m.doStep(action)
	}
}

// doStep carries out actions that change the session, its measures or its candidates.
func (m *Model) doStep(action draw.Action) {
	switch a := action.(type) {
	case dialogs.Apply:
		m.applies(a)
	case dialogs.Redraw:
		m.change("drawing new seeds", nil, func() (session.Job, error) { return m.bench.doc.PrepareRedraw(a.Steps...) })
	case dialogs.Replace:
		m.change("changing a step", nil, func() (session.Job, error) { return m.bench.doc.PrepareEdit(a.Step, a.By) })
	case dialogs.Undo:
		if !m.bench.doc.CanUndo() {
			m.say("there is no step to undo")
			return
		}
		m.turn((*session.Session).PrepareUndo)
	case dialogs.SetScenario:
		m.setScenarios(a)
	case views.EditStep:
		m.idle(func() { m.edit(a.Step) })
	case views.RemoveStep:
		m.removeStep(a.Step)
	case views.Jump:
		m.turn(func(doc *session.Session) (session.Job, error) { return doc.PrepareNode(a.Node) })
	case views.DeleteBranch:
		m.idle(func() { m.deleteBranch(a.Node) })
	case dialogs.OpenMeasure:
		m.openMeasure(a.Measure)
	case views.ComputeMeasure:
		m.computeMeasure(a.Name)
	case views.CloseMeasure:
		m.closeMeasure(a.Name)
	case views.StopMeasure:
		m.stopMeasure(a.Name)
	case views.MeasureAll:
		m.idle(m.measureAll)
	case dialogs.Try:
		m.say("tried as a candidate: see the tab Utility")
		m.try(a.Step, "")
	case views.TryUsual:
		m.tryUsual()
	case views.ApplyTrial:
		m.applyTrial(a.At)
	case views.SetTables:
		m.setTables(a)
	case views.DropTrial:
		m.dropTrial(a.At)
	}
}

// selectVariable selects the variable under the cursor of the focused pane.
func (m *Model) selectVariable() {
	if m.bench == nil || m.page != nil || m.covers() || m.opening() {
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

// open opens a dialog.
func (m *Model) open(dialog dialogs.Dialog) {
	m.closeDialog()
	m.dialog = dialog
}

// openIf opens a dialog, or shows the message otherwise if dialog is nil.
func (m *Model) openIf(dialog dialogs.Dialog, otherwise string) {
	if dialog == nil {
		m.refuse(otherwise)
		return
	}
	m.open(dialog)
}

// methodDialog opens the dialog of a method: its own if it has one, otherwise a form of its parameters.
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

// stepTitle names a step for the progress line.
func (m *Model) stepTitle(step session.StepSpec) string {
	if spec, ok := m.options.Methods.Find(step.Step); ok {
		return spec.Title
	}
	return step.Step
}

// screenError rewords an error of a step with the labels of the dialog.
func (m *Model) screenError(err error, step session.StepSpec) error {
	if spec, ok := m.options.Methods.Find(step.Step); ok {
		return errors.New(method.Said(err, spec.New()))
	}
	return err
}
