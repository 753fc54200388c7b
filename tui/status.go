package tui

import (
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/views"
)

// notice is a sentence on the status line.
type notice struct {
	text    string
	isError bool
	at      time.Time
}

// keptNotices is the number of notices that can be read again.
const keptNotices = 100

// notify shows a sentence on the status line until the next key.
func (m *Model) notify(text string, isError bool) {
	m.notice = notice{text, isError, m.options.Now()}
	m.notices = append(m.notices, m.notice)
	m.notices = m.notices[max(0, len(m.notices)-keptNotices):]
}

// progressLine shows the work that runs, how far it has come, and the way out.
func (m *Model) progressLine(width int) string {
	text := " " + views.Safe(m.work.title) + "  " + m.elapsed() + "  "
	const end = "  esc cancels"
	space := width - views.Width(text) - len(end) - 2
	if space < 5 {
		return m.theme.Warning.Render(views.Fit(text+end, width))
	}
	return m.theme.Warning.Render(text) + m.progressBar(min(40, space)) + m.theme.Faint.Render(end)
}

// progressBar draws how far the work has come.
func (m *Model) progressBar(width int) string {
	return views.ProgressBar(m.theme, m.work.Meter.Fraction(), width)
}

func (m *Model) elapsed() string { return views.Duration(m.options.Now().Sub(m.work.Started)) }

// openingPage is the room while a session is being made.
func (m *Model) openingPage(width int) string {
	return strings.Join([]string{
		m.theme.Title.Render(views.Fit("sdcdesk", width)), "",
		m.theme.Strong.Render(views.Fit("  "+m.work.title, width)), "",
		"  " + m.progressBar(max(1, min(60, width-6))), "",
		m.theme.Faint.Render(views.Fit("  "+m.elapsed()+"   esc cancels", width)),
	}, "\n")
}
