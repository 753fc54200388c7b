package teaching

import (
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/lesson"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// List is the dialog that lists the lessons.
type List struct {
	dialogs.Narrow
	dialogs.Keyed
	lessons []*lesson.Lesson
	at      int
	open    func(l *lesson.Lesson) tea.Cmd
}

var _ dialogs.Dialog = (*List)(nil)

// NewList lists lessons; open opens one.
func NewList(lessons []*lesson.Lesson, open func(l *lesson.Lesson) tea.Cmd) *List {
	d := &List{lessons: lessons, open: open}
	d.Acts = d.acts
	return d
}

// Title says what is listed.
func (d *List) Title() string { return "Lessons" }

func (d *List) acts() []dialogs.Act {
	return []dialogs.Act{
		dialogs.NewAct("↑↓", "choose", dialogs.Moves(&d.at, len(d.lessons)), "up", "down", "home", "end"),
		dialogs.NewAct("enter", "begin", dialogs.Calls(func() tea.Cmd { return d.open(d.lessons[d.at]) })),
		dialogs.NewAct("esc", "close", dialogs.Closes, "esc", "q"),
	}
}

// View draws each lesson with what one learns in it, the chosen one in sight.
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
