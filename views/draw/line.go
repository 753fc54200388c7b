package draw

import (
	"strings"
)

// Line builds one row of cells. Adjacent cells of one style are rendered as one run, what does not fit is cut, and
// the row always has its exact width.
type Line struct {
	width, used int
	over        *Style // overrides all styles, for the row under the cursor
	drawn, run  strings.Builder
	style       *Style // style of the run
}

// NewLine returns an empty row. If over is not nil, it overrides the styles of all cells.
func NewLine(width int, over *Style) *Line {
	return &Line{width: max(0, width), over: over}
}

// Put appends safe text that is size cells wide.
func (l *Line) Put(style *Style, text string, size int) {
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

func (l *Line) flush() {
	if l.run.Len() > 0 {
		l.drawn.WriteString(l.style.Render(l.run.String()))
		l.run.Reset()
	}
}

// Left appends a left-aligned text in size cells.
func (l *Line) Left(style *Style, text string, size int) {
	if size = l.room(size); size > 0 {
		l.Put(style, Fit(text, size), size)
	}
}

// Right appends a right-aligned text in size cells.
func (l *Line) Right(style *Style, text string, size int) {
	if size = l.room(size); size > 0 {
		l.Put(style, FitRight(text, size), size)
	}
}

// Number is Right for figures: one that does not fit is shown as …, never with digits cut off.
func (l *Line) Number(style *Style, text string, size int) {
	if Width(text) > size {
		text = "…"
	}
	l.Right(style, text, size)
}

// Text appends a text, made safe, in its own width.
func (l *Line) Text(style *Style, text string) {
	text = Label(text)
	l.Left(style, text, Width(text))
}

// mark appends a pointer for the chosen row, a space for others.
func (l *Line) mark(style *Style, chosen bool) {
	if chosen {
		l.Text(style, "▸")
	} else {
		l.Gap(1)
	}
}

// Gap appends spaces.
func (l *Line) Gap(size int) {
	if size = l.room(size); size > 0 {
		style := l.style
		if style == nil {
			style = &Style{}
		}
		l.Put(style, strings.Repeat(" ", size), size)
	}
}

// room returns how many of size cells are left.
func (l *Line) room(size int) int { return min(size, l.width-l.used) }

// Rest returns the number of cells that are left.
func (l *Line) Rest() int { return l.width - l.used }

// String returns the row, padded with spaces.
func (l *Line) String() string {
	l.Gap(l.Rest())
	l.flush()
	return l.drawn.String()
}

// Pair is a current figure and its original, formatted alike and always shown in this order: "8 (98)".
type Pair struct{ Now, Original string }

// PairSize is the width of both parts of a column of pairs.
type PairSize struct{ Now, Original int }

// Grow makes the column wide enough for a pair.
func (c *PairSize) Grow(p Pair) {
	c.Now, c.Original = max(c.Now, Width(p.Now)), max(c.Original, Width(p.Original))
}

// Size returns the width of the column.
func (c PairSize) Size() int {
	if c.Original == 0 {
		return c.Now
	}
	return c.Now + c.Original + 3
}

// Pair appends a pair: the current figure in its style, the original faint and in brackets.
func (l *Line) Pair(theme *Theme, style *Style, p Pair, c PairSize) {
	l.Number(style, p.Now, c.Now)
	if c.Original > 0 {
		text := ""
		if p.Original != "" {
			text = "(" + p.Original + ")"
		}
		l.Gap(1)
		l.Right(&theme.Faint, text, c.Original+2)
	}
}
