package tui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/job"
	"github.com/sdcdesk/sdcdesk/views"
)

// key routes a key press: work that runs takes esc, then the open dialog, the
// page, a pane that is being typed into, the commands, the focused pane.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	m.notice = notice{}
	pressed := msg.String()
	switch {
	case pressed == "ctrl+c":
		return m.quit()
	case pressed == "ctrl+z":
		return tea.Suspend
	case !m.covers() && m.work != nil && m.work.opening && pressed != "esc" && pressed != "q":
		m.waits(func() tea.Cmd { return m.key(msg) }) // typed ahead, for the room that comes
		return nil
	case pressed == "esc" && m.work != nil && (!m.covers() || m.dialog == m.work.Owner):
		m.cancelWork() // a dialog that was opened since is left first
		return nil
	case m.waitsForFile(msg) || m.waitsForFix(msg):
		return nil
	case m.besideLesson() && (m.typesBesideLesson() || !m.learning.part.Takes(msg) ||
		pressed == "esc" && len(m.bench.drill) > 0):
		return m.roomKey(msg)
	case m.dialog != nil:
		return m.dialogKey(msg)
	case pressed == "q" && m.work != nil && m.work.opening:
		return m.quit()
	case m.page != nil || m.bench != nil:
		return m.roomKey(msg)
	case pressed == "q" || pressed == "esc":
		return m.quit()
	}
	return nil
}

func (m *Model) dialogKey(msg tea.KeyPressMsg) tea.Cmd {
	dialog := m.dialog
	own := func(binding key.Binding) bool { return key.Matches(msg, binding) }
	if free := !dialog.Typing() && !slices.ContainsFunc(dialog.Keys(), own); free && msg.String() == "?" {
		return m.openHelp()
	} else if free && key.Matches(msg, dialogs.KeyLabels) && !takesLetters(dialog) {
		return m.toggleLabels()
	}
	return tea.Batch(m.handleEffect(dialog.HandleKey(msg, m.dialogState())), m.ask())
}

// handleEffect carries out what a dialog or a page asks for.
func (m *Model) handleEffect(effect dialogs.Effect) tea.Cmd {
	switch e := effect.(type) {
	case dialogs.Close:
		return m.close()
	case dialogs.Apply:
		return m.applies(e)
	case dialogs.OpenMeasure:
		return m.openMeasure(e.Measure)
	case dialogs.Try:
		m.say("tried as a candidate: see the tab Utility")
		return m.try(e.Step, "")
	case dialogs.Swap:
		if e.Dialog != nil {
			m.dialog = e.Dialog
			m.asking.forget()
		}
	case dialogs.Cover:
		return m.cover(e.Dialog)
	case dialogs.Call:
		m.closeDialog()
		return e.Command()
	case dialogs.Write:
		return m.write(e)
	case dialogs.Launch:
		return m.launch(e)
	case dialogs.OpenMethod:
		m.bench.selected.Variable = e.Variable
		return m.do(views.OpenMethod{Name: e.Name})
	case dialogs.Redraw:
		return m.change("drawing new seeds", nil, func() (session.Job, error) { return m.bench.doc.PrepareRedraw(e.Steps...) })
	case dialogs.Replace:
		return m.change("changing a step", nil, func() (session.Job, error) { return m.bench.doc.PrepareEdit(e.Step, e.By) })
	case dialogs.Undo:
		if !m.bench.doc.CanUndo() {
			m.say("there is no step to undo")
			return nil
		}
		return m.turn((*session.Session).PrepareUndo)
	case dialogs.SetScenario:
		return m.setScenarios(e)
	case dialogs.OpenLessons:
		return m.openLessons()
	case dialogs.OpenDemonstration:
		return m.openDemonstration()
	case dialogs.OpenPath:
		return m.openPath(e.Path)
	case dialogs.OpenFile:
		return m.openFile(e)
	case dialogs.Continue:
		return m.resumeWhole(e.Journal)
	}
	return nil
}

// applies makes the step of a dialog, or puts it in the place of the one that is
// being changed.
func (m *Model) applies(e dialogs.Apply) tea.Cmd {
	if err := m.asking.failure(e.Step); err != nil {
		m.refuse(m.screenError(err, e.Step).Error())
		return nil // the dialog stays with all that was set
	}
	edited := m.editing
	if edited == nil && !e.Stay && m.behind() {
		return m.refuse("the data have changed: wait for the figures, then apply")
	}
	if edited != nil {
		return m.replaceStep(edited, e.Step)
	}
	var joined *job.Job
	if !e.Stay {
		if m.work == nil {
			joined = m.asking.handOver(e.Step)
		}
		m.closeDialog()
	}
	return m.apply(e.Step, joined)
}

// close leaves the innermost thing that is open.
func (m *Model) close() tea.Cmd {
	if m.covered != nil {
		m.dialog, m.covered = m.covered, nil
		return m.ask()
	}
	if m.dialog != nil {
		m.closeDialog()
		return m.startIfEmpty()
	}
	return m.leavePage()
}

func (m *Model) closeDialog() {
	m.keepExport()
	m.dialog, m.covered, m.editing = nil, nil, nil
	m.asking.forget()
	m.later.Drop()
}

// cover opens a dialog over the one that is open, which is back when it closes.
func (m *Model) cover(dialog dialogs.Dialog) tea.Cmd {
	if m.covered == nil {
		m.covered = m.dialog
	}
	m.dialog = dialog
	return nil
}

// roomKey gives a key to a command, unless text is typed, and to the page or the
// focused pane.
func (m *Model) roomKey(msg tea.KeyPressMsg) tea.Cmd {
	if m.page != nil && !m.page.Typing() || m.page == nil && !m.focused().Typing() {
		if m.page == nil && msg.String() == "esc" {
			return m.leave(msg)
		}
		for _, command := range m.commands() {
			if !key.Matches(msg, command.binding) || m.page != nil && !command.anywhere {
				continue
			}
			if reason := command.why(m); reason != "" {
				m.say(command.binding.Help().Desc + ": " + reason)
				return nil
			}
			return command.do(m)
		}
	}
	if m.page != nil {
		return m.handleEffect(m.page.HandleKey(msg))
	}
	return m.do(m.focused().HandleKey(msg, m.state()))
}

// leave goes back one step: out of a drill-down, out of a filter of the pane,
// out of the zoom.
func (m *Model) leave(msg tea.KeyPressMsg) tea.Cmd {
	b := m.bench
	if action := b.focused().HandleKey(msg, m.state()); action != nil {
		return m.do(action)
	}
	switch {
	case len(b.drill) > 0:
		b.back()
	case b.zoom:
		b.zoom = false
	}
	return nil
}

// takesLetters reports whether a letter begins a text in a dialog.
func takesLetters(dialog dialogs.Dialog) bool {
	form, ok := dialog.(interface{ TakesLetters() bool })
	return ok && form.TakesLetters()
}
