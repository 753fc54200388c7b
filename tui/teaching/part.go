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

// Hooks are what the dialog of a part has the program do.
type Hooks struct {
	Turn    func(by int)                // go on to the next part, or back
	Try     func()                      // let the student work
	State   func() (lesson.State, bool) // what answers are checked by; false: it is being counted
	Width   func() int                  // of the screen
	Aside   func()                      // leave the lesson for the workbench beside it
	Back    WayBack                     // to the file that was left for the lesson
	Learner uint64                      // for whom answers stand in their order
}

// Part is the dialog of one part of a lesson. It tells its text, takes an answer and
// says whether it is right. The workbench beside it can be used: keys that the part does
// not take are those of the workbench.
type Part struct {
	dialogs.Keyed
	lesson  *lesson.Lesson
	at      int
	part    *lesson.Part
	hooks   Hooks
	field   *draw.TextField // of a figure that is asked for
	order   []int           // in which the answers are offered
	answer  int             // of those that are offered, in that order
	verdict *lesson.Verdict // of the last answer; nil: there was none
	first   int             // the first line shown
}

var _ dialogs.Dialog = (*Part)(nil)

// NewPart opens a part of a lesson, counted from 0; with a verdict on what was tried,
// where there is one.
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

// widest is the width of the window, and its lines at least.
const (
	widest  = 110
	shortly = 7
)

// Size is that of what there is to read.
func (d *Part) Size() (width, height int) {
	width = min(widest, d.hooks.Width())
	return width, max(shortly, len(d.lines(draw.NewTheme(true, false), max(1, width-4)))) + 2
}

// Low says that the window leaves the panes above it in sight.
func (d *Part) Low() {}

// right reports whether the part needs no answer any more.
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
	return append(acts, views.Emits("esc", "leave, C comes back", dialogs.Call(d.hooks.Aside)))
}

// judge checks the answer that was typed or chosen.
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

// Takes reports whether a key is the part's: one of its own or, while a figure is asked
// for, a character of a number. All others are keys of the workbench.
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

// View draws the text, the answers and what was said of the last one.
func (d *Part) View(s views.State, width, height int) string {
	lines := d.lines(s.Theme, width)
	d.first = max(0, min(d.first, len(lines)-height))
	return draw.Within(s.Theme, lines[d.first:], width, height)
}

// lines are all that there is to read, in a width.
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
