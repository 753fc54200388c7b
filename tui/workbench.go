package tui

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
)

// workbench is the room where a session is worked on: its panes, what is
// selected, and the figures of the data as they are and as they were read.
type workbench struct {
	doc      *session.Session
	analyst  *session.Analyst
	scenario *microdata.Scenario // the session's; replaced as a whole, never modified

	panes []views.Pane
	tab   tab
	focus [tabCount]int // place of the focused pane in each tab
	zoom  bool
	drill []views.Pane // opened over the tab, the last one on top

	selected views.Selection
	k        int

	original, current views.Version
	stale             bool // current belongs to an older state of the session
	figures           int  // epoch of the request for figures
	cancel            context.CancelFunc
	steps             []views.Step
}

// newWorkbench opens a session.
func newWorkbench(doc *session.Session) *workbench {
	b := &workbench{doc: doc, analyst: session.NewAnalyst(), panes: views.All(), selected: views.Selection{Record: -1}}
	b.adopt()
	b.original = views.Version{Data: doc.Base()}
	b.current = views.Version{Data: doc.Data()}
	if len(b.scenario.Keys) > 0 {
		b.selected.Variable = b.scenario.Keys[0]
	}
	b.k = b.scenario.K[0]
	for _, k := range b.scenario.K {
		if k == 3 {
			b.k = k
		}
	}
	return b
}

// adopt takes over what the session says now: scenario and steps.
func (b *workbench) adopt() {
	scenario := b.doc.Scenario()
	b.scenario = &scenario
	b.steps = b.steps[:0]
	before := map[int]int(nil)
	for i, step := range b.doc.Steps() {
		b.steps = append(b.steps, viewStep(&step, b.k, b.before(i, before)))
		before = step.Violators
	}
}

// before returns the violators before step i.
func (b *workbench) before(i int, last map[int]int) map[int]int {
	if i > 0 || b.original.Assessment == nil {
		return last
	}
	counts := map[int]int{}
	for _, v := range b.original.Assessment.Violators {
		counts[v.K] = v.Count
	}
	return counts
}

// viewStep returns a step as the panes show it.
func viewStep(step *session.Step, k int, before map[int]int) views.Step {
	shown := views.Step{Name: step.Spec.Step, Params: step.Spec.Params, Title: step.Title, Effect: step.Report.Effect,
		Violators: -1, At: step.At, Report: &step.Report}
	if count, ok := step.Violators[k]; ok {
		shown.Violators = count
		if was, ok := before[k]; ok {
			shown.Change = count - was
		}
	}
	return shown
}

// state returns the picture that panes and dialogs draw from.
func (m *Model) state() views.State {
	s := views.State{Theme: m.theme, Now: m.options.Now, Selected: views.Selection{Record: -1}}
	b := m.bench
	if b == nil {
		return s
	}
	s.File, s.Scenario, s.Original, s.Current = b.doc.Name(), b.scenario, b.original, b.current
	s.Stale, s.Steps, s.Position = b.stale, b.steps, b.doc.Position()
	s.Selected, s.K = b.selected, b.k
	return s
}

// figuresMsg brings the figures of the data that were current when they were
// asked for.
type figuresMsg struct {
	epoch             int
	original, current views.Version
	err               error
}

// refresh has the figures of the session's data computed. Until they are there
// the old ones stay on the screen, marked as stale.
func (m *Model) refresh() tea.Cmd {
	b := m.bench
	if b.cancel != nil {
		b.cancel()
	}
	b.adopt()
	b.figures++
	if b.current.Data == b.doc.Data() && b.current.Assessment != nil && b.original.Assessment != nil && !b.stale {
		return nil
	}
	b.stale = true
	ctx, cancel := context.WithCancel(context.Background())
	b.cancel = cancel
	epoch, analyst, scenario, k := b.figures, b.analyst, b.scenario, b.k
	base, data := b.doc.Base(), b.doc.Data()
	return func() tea.Msg {
		msg := figuresMsg{epoch: epoch, original: views.Version{Data: base}, current: views.Version{Data: data}}
		if msg.original.Assessment, msg.err = analyst.Assess(ctx, base, scenario); msg.err == nil {
			msg.current.Assessment, msg.err = analyst.Assess(ctx, data, scenario)
		}
		views.Prepare(msg.original, k)
		views.Prepare(msg.current, k)
		return msg
	}
}

// show takes figures in, unless the session has moved on since.
func (m *Model) show(msg figuresMsg) tea.Cmd {
	b := m.bench
	if b == nil || msg.epoch != b.figures {
		return nil
	}
	if msg.err != nil {
		m.notify(msg.err.Error(), true)
		return nil
	}
	b.original, b.current, b.stale = msg.original, msg.current, false
	b.adopt()
	return m.ask()
}

// moved follows a change of the session: new data, other figures, and a dialog
// that stayed open asks anew.
func (m *Model) moved() tea.Cmd {
	m.asking.forget()
	return tea.Batch(m.refresh(), m.ask())
}

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
		return func(m *Model) tea.Cmd { return m.commit(result) }, nil
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

// pane returns the pane of an id.
func (b *workbench) pane(id string) views.Pane {
	for _, pane := range b.panes {
		if pane.ID() == id {
			return pane
		}
	}
	return nil
}

// focused returns the pane that gets the keys.
func (b *workbench) focused() views.Pane {
	if len(b.drill) > 0 {
		return b.drill[len(b.drill)-1]
	}
	return b.pane(b.tab.panes()[b.focus[b.tab]])
}

// alone returns the pane that is shown by itself; "" where all are shown.
func (b *workbench) alone(width, height int) string {
	if b.zoom || width < roomyWidth || height < roomyHeight-3 {
		return b.tab.panes()[b.focus[b.tab]]
	}
	return ""
}

// turn moves the focus by a number of panes.
func (b *workbench) turn(by int) {
	n := len(b.tab.panes())
	b.focus[b.tab] = (b.focus[b.tab] + by + n) % n
}

// choose moves the focus to the pane with a number of the tab.
func (b *workbench) choose(number int) {
	if number >= 1 && number <= len(b.tab.panes()) {
		b.focus[b.tab] = number - 1
	}
}
