package views

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

// list is the cursor and the scroll position of a pane with rows. It is set
// right at every use, since rows come and go between two keys.
type list struct {
	at    int // the row under the cursor
	first int // the first row shown
	page  int // rows shown the last time
}

// move takes the keys that move the cursor; taken is false for others.
func (l *list) move(msg tea.KeyPressMsg, rows int) (taken bool) {
	switch {
	case key.Matches(msg, keyUp()):
		l.at--
	case key.Matches(msg, keyDown()):
		l.at++
	case key.Matches(msg, keyPageUp()):
		l.at -= max(1, l.page-1)
	case key.Matches(msg, keyPageDown()):
		l.at += max(1, l.page-1)
	case key.Matches(msg, keyTop()):
		l.at = 0
	case key.Matches(msg, keyBottom()):
		l.at = rows - 1
	default:
		return false
	}
	l.clamp(rows)
	return true
}

func (l *list) clamp(rows int) { l.at = max(0, min(l.at, rows-1)) }

// window returns the rows to draw, [first,last), with the cursor in sight.
func (l *list) window(rows, height int) (first, last int) {
	l.clamp(rows)
	l.page = max(1, height)
	if l.at < l.first {
		l.first = l.at
	}
	if l.at >= l.first+l.page {
		l.first = l.at - l.page + 1
	}
	l.first = max(0, min(l.first, rows-l.page))
	return l.first, min(rows, l.first+l.page)
}

// sentence fills a pane that has nothing to show with a plain sentence.
func sentence(s State, text string, width, height int) string {
	lines := wrapped(s.Theme.Faint.Render, text, max(1, width-2))
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

// fresh returns the style of a figure, faint while it is being recalculated.
func fresh(s State, style *lipgloss.Style) *lipgloss.Style {
	if s.Stale {
		return &s.Theme.Faint
	}
	return style
}
