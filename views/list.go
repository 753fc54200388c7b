package views

import (
	"strings"

	"charm.land/bubbles/v2/key"
)

// list is the cursor and the scroll position of a pane with rows. It is set
// right at every use, since rows come and go between two keys.
type list struct {
	at    int // the row under the cursor
	first int // the first row shown
	page  int // rows shown the last time
}

// move takes the keys that move the cursor; taken is false for others.
func (l *list) move(pressed string, rows int) (taken bool) {
	switch pressed {
	case "up", "k":
		l.at--
	case "down", "j":
		l.at++
	case "pgup":
		l.at -= max(1, l.page-1)
	case "pgdown":
		l.at += max(1, l.page-1)
	case "home", "g":
		l.at = 0
	case "end", "G":
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

// listKeys are the bindings that move in every list.
func listKeys() []key.Binding {
	return []key.Binding{bind("↑↓", "move", "up", "down", "k", "j", "pgup", "pgdown", "home", "end", "g", "G")}
}

func bind(help, text string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, text))
}

// rowStyle returns the style of a row: the cursor's where it is on it.
func rowStyle(theme *Theme, chosen, focused bool) func(...string) string {
	switch {
	case chosen && focused:
		return theme.Selected.Render
	case chosen:
		return theme.SelectedIdle.Render
	default:
		return theme.Plain.Render
	}
}

// sentence fills a pane that has nothing to show with a plain sentence.
func sentence(s State, text string, width, height int) string {
	return Exactly(strings.Join(wrapped(s.Theme.Faint.Render, text, max(1, width)), "\n"), width, height)
}

// stale marks figures that are being recalculated.
func stale(s State, style func(...string) string) func(...string) string {
	if s.Stale {
		return s.Theme.Faint.Render
	}
	return style
}
