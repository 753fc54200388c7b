package tui

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/session"
)

// apply runs a step in the background and commits it when it is done. While
// other work runs it waits.
func (m *Model) apply(step session.StepSpec) tea.Cmd {
	if m.waits(func(m *Model) tea.Cmd { return m.apply(step) }) {
		return nil
	}
	b := m.bench
	job, analyst := b.doc.Prepare(), b.analyst
	return m.start(stepTitle(step), func(ctx context.Context, meter *progress.Meter) (func(*Model) tea.Cmd, error) {
		result, err := job.Run(ctx, step, analyst, meter)
		if err != nil {
			return nil, err
		}
		return func(m *Model) tea.Cmd {
			ahead := len(m.bench.steps) - m.bench.doc.Position()
			command := m.commit(result)
			if ahead > 0 && !m.notice.isError {
				m.notify(m.notice.text+" (undone steps left behind: "+strconv.Itoa(ahead)+"; the session file keeps them)", false)
			}
			return command
		}, nil
	})
}

// commit makes a result part of the session. It is on disk before it is shown.
func (m *Model) commit(result *session.Result) tea.Cmd {
	if err := m.bench.doc.Commit(result); err != nil {
		m.notify(err.Error(), true)
		return nil
	}
	m.notify(outcome(result), false)
	return m.moved()
}

// outcome says what a result did, its warnings first.
func outcome(result *session.Result) string {
	for _, warning := range result.Report.Warnings {
		return warning
	}
	if result.Report.Title == "" {
		return "done"
	}
	if result.Report.Effect == "" {
		return result.Report.Title
	}
	return result.Report.Title + ": " + result.Report.Effect
}

// jump moves the session to a position; steps whose data were let go are done
// again in the background.
func (m *Model) jump(position int) tea.Cmd {
	b := m.bench
	if position == b.doc.Position() {
		return nil
	}
	job, err := b.doc.PrepareJump(position)
	if err != nil {
		m.notify(err.Error(), true)
		return nil
	}
	if job.Ready() {
		if err := b.doc.Jump(position); err != nil {
			m.notify(err.Error(), true)
			return nil
		}
		return m.moved()
	}
	return m.start("going to step", func(ctx context.Context, meter *progress.Meter) (func(*Model) tea.Cmd, error) {
		result, err := job.Run(ctx, meter)
		if err != nil {
			return nil, err
		}
		return func(m *Model) tea.Cmd { return m.commit(result) }, nil
	})
}

// replace puts another step in the place of one that stands, and does the later
// ones again on top, in the background.
func (m *Model) replace(step int, spec session.StepSpec) tea.Cmd {
	if m.waits(func(m *Model) tea.Cmd { return m.replace(step, spec) }) {
		return nil
	}
	job, err := m.bench.doc.PrepareEdit(step)
	if err != nil {
		m.notify(err.Error(), true)
		return nil
	}
	analyst := m.bench.analyst
	return m.start("changing a step", func(ctx context.Context, meter *progress.Meter) (func(*Model) tea.Cmd, error) {
		result, err := job.Run(ctx, spec, analyst, meter)
		if err != nil {
			return nil, err
		}
		return func(m *Model) tea.Cmd { return m.commit(result) }, nil
	})
}

// askRemove asks whether to take out a step: that is no move that undo takes
// back.
func (m *Model) askRemove(step int) tea.Cmd {
	title := m.bench.steps[step].Title
	text := "Step " + strconv.Itoa(step+1) + " (" + title + ") is taken out for good. "
	if later := m.bench.doc.Position() - step - 1; later > 0 {
		text += "Later steps are done again without it. "
	}
	if m.bench.doc.Position() < len(m.bench.steps) {
		text += "Undone steps are given up."
	}
	m.dialog = newConfirm("Remove a step?", text, "remove", func(m *Model) tea.Cmd { return m.remove(step) })
	return nil
}

// remove takes out a step in the background.
func (m *Model) remove(step int) tea.Cmd {
	if m.waits(func(m *Model) tea.Cmd { return m.remove(step) }) {
		return nil
	}
	removal, err := m.bench.doc.PrepareRemove(step)
	if err != nil {
		m.notify(err.Error(), true)
		return nil
	}
	analyst := m.bench.analyst
	return m.start("removing a step", func(ctx context.Context, meter *progress.Meter) (func(*Model) tea.Cmd, error) {
		result, err := removal.Run(ctx, analyst, meter)
		if err != nil {
			return nil, err
		}
		return func(m *Model) tea.Cmd { return m.commit(result) }, nil
	})
}
