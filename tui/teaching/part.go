package teaching

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/lesson"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Hooks are the functions of the program that the dialog of a part calls.
type Hooks struct {
	Turn    func(by int)                // go to the next part, or back
	Try     func()                      // let the student try the exercise
	State   func() (lesson.State, bool) // the state to check answers against; false: being computed
	Width   func() int                  // width of the screen
	Aside   func()                      // hide the lesson and use the workbench
	Back    WayBack                     // to the file replaced by the lesson
	Learner uint64                      // seed of the order of answers
}

// Part is the dialog of one part of a lesson. It shows the text, takes an answer and reports whether it is right.
// The workbench can be used at the same time: keys that the part does not take go to the workbench.
type Part struct {
	dialogs.KeyHandler
	lesson  *lesson.Lesson
	at      int
	part    *lesson.Part
	hooks   Hooks
	field   *draw.TextField // the field for a figure
	order   []int           // the order in which answers are listed
	answer  int             // index of the chosen one in that order
	verdict *lesson.Verdict // on the last answer; nil: none
	first   int             // the first visible line
}

var _ dialogs.Dialog = (*Part)(nil)

// NewPart opens a part of a lesson, counted from 0, with the verdict on an exercise if there is one.
func NewPart(l *lesson.Lesson, at int, verdict *lesson.Verdict, hooks Hooks) *Part {
	part := &lesson.Part{Say: "End of the lesson. The file stays open for your own work. C lists the other lessons."}
	if at < len(l.Parts) {
		part = &l.Parts[at]
	}
	d := &Part{lesson: l, at: at, part: part, hooks: hooks, verdict: verdict, field: draw.NewTextField("")}
	if at < len(l.Parts) {
		d.order = l.Order(at, hooks.Learner)
	}
	d.Acts = d.acts
	return d
}

// Title names the lesson and the part.
func (d *Part) Title() string {
	return fmt.Sprintf("%s · %d of %d", d.lesson.Title, min(d.at+1, len(d.lesson.Parts)), len(d.lesson.Parts))
}

// widest is the maximum width of the window, shortly its minimum height.
const (
	widest  = 110
	shortly = 7
)

// Size returns the size of the text.
func (d *Part) Size() (width, height int) {
	width = min(widest, d.hooks.Width())
	return width, max(shortly, len(d.lines(draw.NewTheme(true, false), max(1, width-4)))) + 2
}

// Low marks a window that leaves the panes above it visible.
func (d *Part) Low() {}

// right reports whether the part needs no further answer.
func (d *Part) right() bool {
	return d.part.Say != "" || d.verdict != nil && d.verdict.Right
}

// Typing reports whether a figure is being typed.
func (d *Part) Typing() bool { return d.part.Ask != "" && !d.right() }

func (d *Part) acts() []views.KeyAction {
	var acts []views.KeyAction
	add := func(act views.KeyAction) { acts = append(acts, act) }
	turn := func(by int) dialogs.Call { return func() { d.hooks.Turn(by) } }
	if d.part.Choose != "" && !d.right() {
		add(views.Presses("↑↓", "choose", func(msg tea.KeyPressMsg, s views.State) draw.Action {
			d.verdict = nil
			return dialogs.Moves(&d.answer, len(d.part.Answers))(msg, s)
		}, "up", "down"))
	}
	add(views.Presses("", "", dialogs.Moves(&d.first, 1<<10), "pgup", "pgdown"))
	if d.at > 0 && !d.Typing() {
		add(views.Emits("←", "back", turn(-1), "left"))
	}
	switch {
	case d.right():
		add(views.Emits("enter", "go on", turn(1)))
	case d.part.Try != "":
		add(views.Emits("enter", "try it", dialogs.Call(d.hooks.Try)))
	default:
		add(views.Handles("enter", "answer", d.judge))
	}
	if !d.Typing() {
		acts = append(acts, d.hooks.Back.acts()...)
	}
	return append(acts, views.Emits("esc", "leave (C resumes the lesson)", dialogs.Call(d.hooks.Aside)))
}

// judge checks the typed or chosen answer.
func (d *Part) judge() {
	var verdict lesson.Verdict
	if d.part.Choose != "" {
		verdict = d.part.Chosen(d.order[d.answer])
	} else if state, ready := d.hooks.State(); ready {
		verdict = d.lesson.Asked(d.at, d.field.Text(), &state)
	} else {
		verdict.Text = "The figures are being computed: answer again in a moment."
	}
	d.verdict = &verdict
}

// Takes reports whether the part takes a key: one of its own or, while a figure is asked for, a character of a
// number. All other keys go to the workbench.
func (d *Part) Takes(msg tea.KeyPressMsg) bool {
	if slices.ContainsFunc(d.Keys(), func(b key.Binding) bool { return key.Matches(msg, b) }) {
		return true
	}
	if msg.Text != "" {
		return d.Typing() && strings.Contains("0123456789.,%- ", msg.Text)
	}
	switch msg.Code {
	case tea.KeyBackspace, tea.KeyDelete, tea.KeyLeft, tea.KeyRight, tea.KeyHome, tea.KeyEnd:
		return d.Typing()
	}
	return d.Typing() && msg.String() == "ctrl+u"
}

// HandleKey takes an answer, or types.
func (d *Part) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	action := views.CarryOut(d.acts(), msg, s)
	if action == nil && d.Typing() {
		d.field.Handle(msg)
		d.verdict = nil
	}
	return action
}

// View draws the text, the answers and the verdict on the last one.
func (d *Part) View(s views.State, width, height int) string {
	lines := d.lines(s.Theme, width)
	d.first = max(0, min(d.first, len(lines)-height))
	return draw.Within(s.Theme, lines[d.first:], width, height)
}

// lines returns the whole text in a width.
func (d *Part) lines(theme *draw.Theme, width int) []string {
	lines := theme.Plain.Wrapped(d.part.Text(), width)
	if d.part.Try != "" {
		lines = append([]string{theme.Heading.Fit("Try it", width)}, lines...)
	}
	lines = append(lines, "")
	for i, place := range d.order {
		answer := &d.part.Answers[place]
		style, mark := &theme.Plain, "  "
		if i == d.answer {
			style, mark = &theme.Strong, "▸ "
		}
		for _, line := range style.Wrapped(answer.Text, max(1, width-2)) {
			lines = append(lines, theme.Key.Render(mark)+line)
			mark = "  "
		}
	}
	if d.part.Ask != "" {
		lines = append(lines, theme.Key.Render("  answer: ")+d.field.View(theme, max(1, min(24, width-10))))
	}
	if v := d.verdict; v != nil {
		style := &theme.Warning
		text := v.Text
		if v.Right {
			style, text = &theme.Low, strings.TrimSpace("Right. "+text)
		}
		lines = style.Append(append(lines, ""), text, width)
	}
	return lines
}
