package views

import (
	"strings"
)

// line puts the cells of one row together. Neighbouring cells of one style are
// drawn as one run, what does not fit is cut, and the row is always exactly as
// wide as it should be.
type line struct {
	width, used int
	over        *Style // draws the whole row: the cursor's
	drawn, run  strings.Builder
	style       *Style // of the run
}

// newLine returns an empty row. over, where it is not nil, takes the place of
// the styles of all cells.
func newLine(width int, over *Style) *line {
	return &line{width: max(0, width), over: over}
}

// put appends a drawable text that takes size cells.
func (l *line) put(style *Style, text string, size int) {
	if l.over != nil {
		style = l.over
	}
	if style != l.style {
		l.flush()
		l.style = style
	}
	l.run.WriteString(text)
	l.used += size
}

func (l *line) flush() {
	if l.run.Len() > 0 {
		l.drawn.WriteString(l.style.Render(l.run.String()))
		l.run.Reset()
	}
}

// left appends a text in size cells, the text on the left.
func (l *line) left(style *Style, text string, size int) {
	if size = l.room(size); size > 0 {
		l.put(style, Fit(text, size), size)
	}
}

// right appends a text in size cells, the text on the right.
func (l *line) right(style *Style, text string, size int) {
	if size = l.room(size); size > 0 {
		l.put(style, FitRight(text, size), size)
	}
}

// number is right for figures: one that does not fit is shown as …, never with
// digits cut off.
func (l *line) number(style *Style, text string, size int) {
	if Width(text) > size {
		text = "…"
	}
	l.right(style, text, size)
}

// text appends a text in as many cells as it takes.
func (l *line) text(style *Style, text string) { l.left(style, text, Width(text)) }

// mark points at the chosen row; before others a blank stands.
func (l *line) mark(style *Style, chosen bool) {
	if chosen {
		l.text(style, "▸")
	} else {
		l.gap(1)
	}
}

// gap appends blanks.
func (l *line) gap(size int) {
	if size = l.room(size); size > 0 {
		style := l.style
		if style == nil {
			style = &Style{}
		}
		l.put(style, strings.Repeat(" ", size), size)
	}
}

// room returns how many of size cells are left.
func (l *line) room(size int) int { return min(size, l.width-l.used) }

// rest returns the number of cells that are left.
func (l *line) rest() int { return l.width - l.used }

// String returns the row, filled up with blanks.
func (l *line) String() string {
	l.gap(l.rest())
	l.flush()
	return l.drawn.String()
}

// pair is a figure as it is now and in the original, spelled alike: they are
// always shown in this order, "8 (98)".
type pair struct{ now, original string }

// pairSize is the width of the two parts of a column of pairs.
type pairSize struct{ now, original int }

// grow makes the column wide enough for a pair.
func (c *pairSize) grow(p pair) {
	c.now, c.original = max(c.now, Width(p.now)), max(c.original, Width(p.original))
}

// size returns the cells that the column takes.
func (c pairSize) size() int {
	if c.original == 0 {
		return c.now
	}
	return c.now + c.original + 3
}

// pair appends a pair: the figure now in its style, the original one faint and
// in brackets.
func (l *line) pair(theme *Theme, style *Style, p pair, c pairSize) {
	l.number(style, p.now, c.now)
	if c.original > 0 {
		text := ""
		if p.original != "" {
			text = "(" + p.original + ")"
		}
		l.gap(1)
		l.right(&theme.Faint, text, c.original+2)
	}
}
