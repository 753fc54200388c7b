package views

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

// heatMap is a square table of figures with a shade for each: rows are what
// was, columns what became of it.
type heatMap struct {
	labels []string
	size   int // cells that the widest figure takes
	text   func(row, column int) string
	shade  func(row, column int) float64 // 0 to 1
	mark   func(row, column int) string  // stands in the place of the figure; "": none
	wrong  func(row int) bool            // rows that are not right; nil: all are
}

// heatCursor is the cursor of a heat map and what is in sight of it.
type heatCursor struct{ rows, columns list }

func keyLeft() key.Binding  { return bind("←", "left", "left", "h") }
func keyRight() key.Binding { return bind("→", "right", "right", "l") }

// heatKeys is the one entry for all keys that move in a heat map.
func heatKeys() key.Binding {
	return bind("←↑↓→", "cell", "left", "right", "up", "down", "h", "j", "k", "l", "pgup", "pgdown", "ctrl+b", "ctrl+f", "home", "end", "g", "G")
}

// move takes the keys that move the cursor in a map of n categories.
func (c *heatCursor) move(msg tea.KeyPressMsg, n int) bool {
	switch {
	case key.Matches(msg, keyLeft()):
		c.columns.at--
	case key.Matches(msg, keyRight()):
		c.columns.at++
	default:
		return c.rows.move(msg, n)
	}
	c.columns.clamp(n)
	return true
}

func (c *heatCursor) clamp(n int) {
	c.rows.clamp(n)
	c.columns.clamp(n)
}

// heatStyle returns the style of a share: nothing is faint, and more than half
// the strongest.
func heatStyle(theme *Theme, share float64) *lipgloss.Style {
	for i, end := range heatEnds {
		if share <= end {
			return &theme.Heat[i]
		}
	}
	return &theme.Heat[len(theme.Heat)-1]
}

// heatEnds are the upper ends of all shades but the last.
var heatEnds = [...]float64{0, 0.02, 0.06, 0.15, 0.5}

// draw draws the head of the columns and the rows in sight, with the cursor
// among them; it takes height lines at most.
func (h *heatMap) draw(s State, c *heatCursor, width, height int, focused bool) []string {
	n := len(h.labels)
	labels, cell := h.sizes(width)
	shown := max(1, (width-2-labels)/(cell+1))
	firstColumn, lastColumn := c.columns.window(n, shown)
	firstRow, lastRow := c.rows.window(n, max(1, height-1))
	head := newLine(width, nil)
	corner := " from ↓ to →"
	if Width(corner) > labels {
		corner = " ↓ →"
	}
	head.left(&s.Theme.Heading, corner, labels)
	head.left(&s.Theme.Heading, more(firstColumn > 0, "‹"), 1)
	for j := firstColumn; j < lastColumn; j++ {
		head.left(&s.Theme.Heading, " ", 1)
		head.right(&s.Theme.Heading, h.labels[j], cell)
	}
	if lastColumn < n {
		head.text(&s.Theme.Heading, "›")
	}
	lines := []string{head.String()}
	for i := firstRow; i < lastRow; i++ {
		l := newLine(width, nil)
		here := i == c.rows.at
		style := &s.Theme.Plain
		switch {
		case h.wrong != nil && h.wrong(i):
			style = &s.Theme.Error
		case here:
			style = &s.Theme.Strong
		}
		l.mark(style, here)
		l.left(style, h.labels[i], labels)
		for j := firstColumn; j < lastColumn; j++ {
			l.left(&s.Theme.Plain, "", 1) // no shade between two cells
			h.cell(s, l, i, j, cell, here && j == c.columns.at, focused)
		}
		l.left(&s.Theme.Plain, "", 1)
		lines = append(lines, l.String())
	}
	return lines
}

func more(yes bool, sign string) string {
	if yes {
		return sign
	}
	return ""
}

func (h *heatMap) cell(s State, l *line, row, column, size int, chosen, focused bool) {
	style := fresh(s, heatStyle(s.Theme, h.shade(row, column)))
	text := h.text(row, column)
	if h.mark != nil {
		if mark := h.mark(row, column); mark != "" {
			text, style = mark, &s.Theme.Suppressed
		}
	}
	if over := cursor(s.Theme, chosen, focused); over != nil {
		style = over
	}
	l.number(style, text, size)
}

// sizes returns the width of the labels of the rows, and of the cells: wide
// enough for the figures, and for the labels above them where there is room.
func (h *heatMap) sizes(width int) (labels, cell int) {
	longest := 4
	for _, label := range h.labels {
		longest = max(longest, min(widest, Width(Safe(shortened(label)))))
	}
	labels = min(longest, max(6, width/4))
	room := (width-2-labels)/max(1, len(h.labels)) - 1
	return labels, max(h.size, 4, min(longest, room, 14))
}

// click returns the cell under the mouse; the head is line 0.
func (h *heatMap) click(c *heatCursor, x, y, width int) bool {
	labels, cell := h.sizes(width)
	row, column := c.rows.first+y-1, c.columns.first+(x-labels-1)/(cell+1)
	if y < 1 || x <= labels || row >= len(h.labels) || column >= len(h.labels) {
		return false
	}
	c.rows.at, c.columns.at = row, column
	return true
}

// below puts a status line under other lines, at the foot of a pane.
func below(lines []string, status string, width, height int) string {
	if height < 2 {
		return Exactly(status, width, height)
	}
	lines = lines[:min(len(lines), height-1)]
	return Exactly(strings.Join(lines, "\n"), width, height-1) + "\n" + Exactly(status, width, 1)
}
