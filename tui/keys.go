package tui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/job"
)

// key routes a key press: running work takes esc, then the open dialog, the page, a pane being typed into, the
// commands, and the focused pane.
func (m *Model) key(msg tea.KeyPressMsg) {
	m.notice = notice{}
	pressed := msg.String()
	switch {
	case pressed == "ctrl+c":
		m.quit()
	case pressed == "ctrl+z":
		m.run(tea.Suspend)
	case !m.covers() && m.opening() && pressed != "esc" && pressed != "q":
		m.idle(func() { m.key(msg) }) // typed ahead for the next page
	case pressed == "esc" && m.work != nil && (!m.covers() || m.dialog == m.work.Owner):
		m.cancelWork() // a dialog opened since then is closed first
	case m.waitsForFile(msg) || m.waitsForFix(msg):
	case m.inLesson() && (m.typingDuringLesson() || !m.learning.part.Takes(msg) ||
		pressed == "esc" && len(m.bench.drill) > 0):
		m.roomKey(msg)
	case m.dialog != nil:
		m.dialogKey(msg)
	case pressed == "q" && m.opening():
		m.quit()
	case m.page != nil || m.bench != nil:
		m.roomKey(msg)
	case pressed == "q" || pressed == "esc":
		m.quit()
	}
}

func (m *Model) dialogKey(msg tea.KeyPressMsg) {
	dialog := m.dialog
	own := func(binding key.Binding) bool { return key.Matches(msg, binding) }
	switch free := !dialog.Typing() && !slices.ContainsFunc(dialog.Keys(), own); {
	case free && msg.String() == "?":
		m.openHelp()
	case free && key.Matches(msg, dialogs.KeyLabels) && !takesLetters(dialog):
		m.toggleLabels()
	default:
		m.do(dialog.HandleKey(msg, m.dialogState()))
	}
}

// applies applies the step of a dialog, or replaces the step being changed.
func (m *Model) applies(e dialogs.Apply) {
	if err := m.asking.failure(e.Step); err != nil {
		m.refuse(m.screenError(err, e.Step).Error())
		return // the dialog stays with its fields
	}
	switch {
	case m.editing != nil:
		m.replaceStep(m.editing.step, e.Step)
	case e.Stay:
		m.apply(e.Step, nil)
	case m.behind():
		m.refuse("the data have changed: wait for the figures, then apply")
	default:
		var joined *job.Job
		if m.work == nil {
			joined = m.asking.handOver(e.Step)
		}
		m.closeDialog()
		m.apply(e.Step, joined)
	}
}

// close closes the innermost open dialog or page.
func (m *Model) close() {
	switch {
	case m.covered != nil:
		m.dialog, m.covered = m.covered, nil
	case m.dialog != nil:
		m.closeDialog()
		m.startIfEmpty()
	default:
		m.leavePage()
	}
}

func (m *Model) closeDialog() {
	m.keepExport()
	m.dialog, m.covered, m.editing = nil, nil, nil
	m.asking.forget()
	m.later.Drop()
}

// cover opens a dialog over the open one, which returns when it closes.
func (m *Model) cover(dialog dialogs.Dialog) {
	if m.covered == nil {
		m.covered = m.dialog
	}
	m.dialog = dialog
}

// roomKey passes a key to a command, unless text is typed, and to the page or the focused pane.
func (m *Model) roomKey(msg tea.KeyPressMsg) {
	if m.page != nil && !m.page.Typing() || m.page == nil && !m.focused().Typing() {
		if m.page == nil && msg.String() == "esc" {
			m.leave(msg)
			return
		}
		commands := m.commands()
		for i := range commands {
			command := &commands[i]
			if !key.Matches(msg, command.binding) || m.page != nil && !command.anywhere {
				continue
			}
			if reason := command.why(m); reason != "" {
				m.say(command.binding.Help().Desc + ": " + reason)
				return
			}
			command.carryOut(m)
			return
		}
	}
	if m.page != nil {
		m.do(m.page.HandleKey(msg, m.state()))
		return
	}
	if !m.onlyInNumeric(msg) {
		m.do(m.focused().HandleKey(msg, m.state()))
	}
}

// leave goes back one step: out of a pane over the tab, a filter of the pane, or the zoom.
func (m *Model) leave(msg tea.KeyPressMsg) {
	b := m.bench
	switch action := b.focused().HandleKey(msg, m.state()); {
	case action != nil:
		m.do(action)
	case len(b.drill) > 0:
		b.back()
	case b.zoom:
		b.zoom = false
	}
}

// takesLetters reports whether a letter starts typing in a dialog.
func takesLetters(dialog dialogs.Dialog) bool {
	form, ok := dialog.(interface{ TakesLetters() bool })
	return ok && form.TakesLetters()
}
