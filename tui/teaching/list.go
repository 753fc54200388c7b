package teaching

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/lesson"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// List is the dialog that lists the lessons.
type List struct {
	dialogs.Narrow
	dialogs.KeyHandler
	lessons []*lesson.Lesson
	at      int
	open    func(l *lesson.Lesson)
	back    WayBack
}

// WayBack leads back to the file replaced by a lesson; Go is nil if there was none.
type WayBack struct {
	Name string
	Go   func()
}

// acts returns the key that goes back, if there is a file to go back to.
func (w WayBack) acts() []views.KeyAction {
	if w.Go == nil {
		return nil
	}
	return []views.KeyAction{views.Emits("b", "back to "+strings.TrimRight(draw.Fit(w.Name, 24), " "), dialogs.Call(w.Go))}
}

var _ dialogs.Dialog = (*List)(nil)

// NewList lists lessons; open opens one, back leads to the file replaced by a lesson.
func NewList(lessons []*lesson.Lesson, open func(l *lesson.Lesson), back WayBack) *List {
	d := &List{lessons: lessons, open: open, back: back}
	d.Acts = d.acts
	return d
}

// Title returns the heading.
func (d *List) Title() string { return "Lessons" }

func (d *List) acts() []views.KeyAction {
	return append(d.back.acts(),
		views.Presses("↑↓", "choose", dialogs.Moves(&d.at, len(d.lessons)), "up", "down", "home", "end"),
		views.Emits("enter", "begin", dialogs.Call(func() { d.open(d.lessons[d.at]) })),
		views.Emits("esc", "close", dialogs.Close{}, "esc", "q"))
}

// View draws each lesson with its summary; the chosen one is visible.
func (d *List) View(s views.State, width, height int) string {
	theme := s.Theme
	var lines []string
	end := 0
	for i, l := range d.lessons {
		style, mark := &theme.Plain, "  "
		if i == d.at {
			style, mark = &theme.Selected, "▸ "
		}
		lines = append(lines, style.Fit(mark+l.Title, width))
		for _, line := range theme.Faint.Wrapped(l.About, max(1, width-4)) {
			lines = append(lines, "    "+line)
		}
		if i == d.at {
			end = len(lines)
		}
	}
	first := max(0, min(end-max(1, height-1), len(lines)-height))
	return draw.Within(theme, lines[first:], width, height)
}
