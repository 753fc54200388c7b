package teaching

import (
	"strings"

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
	back    WayBack
}

// WayBack leads to the file that made way for a lesson; Go is nil if there was none.
type WayBack struct {
	Name string
	Go   func() tea.Cmd
}

// acts returns the key that goes back, if there is a file to go back to.
func (w WayBack) acts() []dialogs.Act {
	if w.Go == nil {
		return nil
	}
	return []dialogs.Act{dialogs.NewAct("b", "back to "+strings.TrimRight(draw.Fit(w.Name, 24), " "), dialogs.Calls(w.Go))}
}

var _ dialogs.Dialog = (*List)(nil)

// NewList lists lessons; open opens one, back leads to the file that was left for one.
func NewList(lessons []*lesson.Lesson, open func(l *lesson.Lesson) tea.Cmd, back WayBack) *List {
	d := &List{lessons: lessons, open: open, back: back}
	d.Acts = d.acts
	return d
}

// Title says what is listed.
func (d *List) Title() string { return "Lessons" }

func (d *List) acts() []dialogs.Act {
	return append(d.back.acts(),
		dialogs.NewAct("↑↓", "choose", dialogs.Moves(&d.at, len(d.lessons)), "up", "down", "home", "end"),
		dialogs.NewAct("enter", "begin", dialogs.Calls(func() tea.Cmd { return d.open(d.lessons[d.at]) })),
		dialogs.NewAct("esc", "close", dialogs.Closes, "esc", "q"))
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
