package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/lesson"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/teaching"
)

// lessonState is the lesson being taken.
type lessonState struct {
	lesson *lesson.Lesson
	opened []session.MeasureSpec
	at     int // index of the current part
	made   int // number of parts whose steps were applied
	trying bool
	aside  bool           // the lesson is hidden until C is pressed
	part   *teaching.Part // open, or covered by another dialog
}

// openLessons lists the lessons, or returns to the one that was left.
func (m *Model) openLessons() {
	switch {
	case m.learning != nil && m.learning.trying:
		m.openPart(m.tried())
		return
	case m.learning != nil:
		m.learning.aside = false
		return // the part is shown again
	case m.options.OpenLesson == nil:
		m.refuse("there are no lessons in this program")
		return
	}
	all, err := lesson.All()
	if m.failed(err) {
		return
	}
	back, name := m.goBack()
	m.open(teaching.NewList(all, m.openLesson, teaching.WayBack{Name: name, Go: back}))
}

// beginLesson opens the lesson with a name.
func (m *Model) beginLesson(name string) {
	l, err := lesson.Find(name)
	if err != nil {
		m.fail(err)
		m.startIfEmpty()
		return
	}
	m.openLesson(l)
}

// openLesson opens the file of a lesson under its scenario in a session without a journal, and shows the first
// part. The session that was open can be returned to.
func (m *Model) openLesson(l *lesson.Lesson) {
	m.idle(func() {
		m.leaveForLesson()
		opener := m.options.OpenLesson
		var opened []session.MeasureSpec
		m.startNew("opening the lesson", "", true,
			func(ctx context.Context, meter *progress.Meter) (opening session.Opening, err error) {
				if opener == nil {
					return opening, errors.New("there are no lessons in this program")
				}
				if opened, err = l.Opened(); err != nil {
					return opening, err
				}
				return opener(ctx, l, meter)
			}, func() {
				m.lessonOpen = true
				m.learning = &lessonState{lesson: l, opened: opened}
				m.setScenarios(dialogs.SetScenario{Scenario: l.Scenario})
				for _, spec := range opened {
					if m.failed(m.bench.doc.OpenMeasure(spec)) {
						return
					}
				}
				m.bench.syncMeasures(m.options.Measures)
				m.openPart(nil)
			}, nil)
	})
}

// openPart opens the current part of the lesson and applies its step.
func (m *Model) openPart(verdict *lesson.Verdict) {
	t := m.learning
	if t.at < len(t.lesson.Parts) && t.made <= t.at {
		if step, ok := t.lesson.Parts[t.at].Made(); ok {
			m.apply(step, nil)
		}
		t.made = t.at + 1
	}
	m.closeDialog()
	t.trying, t.aside = false, false
	back, name := m.goBack()
	t.part = teaching.NewPart(t.lesson, t.at, verdict, teaching.Hooks{Turn: m.turnPart, State: m.lessonState,
		Try: func() { t.trying = true }, Aside: func() { t.aside = true }, Back: teaching.WayBack{Name: name, Go: back},
		Width: func() int { return m.width }, Learner: m.options.Learner})
}

// showLesson opens the part of a lesson if nothing else is open and the lesson is not hidden. A page closes it.
func (m *Model) showLesson() {
	t := m.learning
	switch {
	case t == nil || t.trying || t.aside || m.page != nil:
		if m.inLesson() {
			m.dialog = nil
		}
	case m.dialog == nil:
		m.dialog = t.part
	}
}

// endLesson ends the lesson.
func (m *Model) endLesson() {
	if m.inLesson() {
		m.dialog = nil
	}
	m.learning = nil
}

// inLesson reports whether the open dialog is a part of a lesson; the workbench can be used at the same time.
func (m *Model) inLesson() bool {
	return m.learning != nil && m.dialog != nil && m.dialog == dialogs.Dialog(m.learning.part)
}

// typingDuringLesson reports whether text is being typed in the workbench during a lesson; the window of the lesson
// is then hidden.
func (m *Model) typingDuringLesson() bool { return m.inLesson() && m.focused().Typing() }

// covers reports whether the open dialog takes all keys.
func (m *Model) covers() bool { return m.dialog != nil && !m.inLesson() }

// turnPart goes to another part, or ends the lesson after the last one.
func (m *Model) turnPart(by int) {
	t := m.learning
	if t.at = max(0, t.at+by); t.at > len(t.lesson.Parts) {
		m.learning = nil
		return
	}
	m.openPart(nil)
}

// lessonState returns the state that answers are checked against; ready is false while it is being computed.
func (m *Model) lessonState() (state lesson.State, ready bool) {
	b := m.bench
	state = lesson.State{Original: b.original.Figures, Current: b.current.Figures, Data: b.doc.Data(),
		Scenario: b.scenario, Opened: m.learning.opened}
	state.Tables = func() []*publish.Table {
		d := b.doc.Document()
		tables, err := d.Tables(context.Background(), b.analyst)
		if err != nil {
			return nil
		}
		return tables
	}
	for _, step := range b.doc.Steps()[:b.doc.Position()] {
		state.Steps = append(state.Steps, step.Spec)
	}
	ready = !b.stale && m.work == nil
	for _, o := range b.measures {
		if !slices.Contains(m.learning.lesson.Measures, o.Spec.Name) {
			continue
		}
		if ready = ready && !o.wanted(); o.Current != nil && !o.Stale {
			state.Original = state.Original.With(measure.Set{*o.Original})
			state.Current = state.Current.With(measure.Set{*o.Current})
		}
	}
	return state, ready
}

// tried checks what was done so far.
func (m *Model) tried() *lesson.Verdict {
	state, ready := m.lessonState()
	if !ready {
		return &lesson.Verdict{Text: "The figures are being computed: press C again in a moment."}
	}
	verdict := m.learning.lesson.Tried(m.learning.at, &state)
	return &verdict
}

// checkLesson checks after new figures whether the exercise is solved.
func (m *Model) checkLesson() {
	if t := m.learning; t == nil || !t.trying || m.dialog != nil || m.page != nil {
		return
	}
	if verdict := m.tried(); verdict.Right {
		m.openPart(verdict)
	}
}

// lessonLine is shown above the keys during an exercise.
func (m *Model) lessonLine(width int) string {
	t := m.learning
	text := fmt.Sprintf(" C: back to the lesson %s", t.lesson.Title)
	if t.trying {
		text = " C checks: " + t.lesson.Parts[t.at].Try
	}
	return m.theme.Warning.Fit(text, width)
}
