package draw

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Cursor is a position in a table: the row under the cursor, the column if the table has a cursor of cells, and
// what the last frame showed, for the mouse. It is adjusted at every use, because rows come and go between two
// keys.
type Cursor struct {
	At     int // the row under the cursor
	Column int // index among the columns that scroll sideways

	First, Left int   // the first row and the first such column shown
	Page        int   // lines for rows in the last frame
	top, Shown  int   // lines above the rows, and rows shown, in the last frame
	ends        []int // cells at which the columns from Left on end
}

// Move handles the keys that move the cursor between rows; taken is false for other keys.
func (c *Cursor) Move(msg tea.KeyPressMsg, rows int) (taken bool) {
	page := max(1, c.Page-1)
	by, taken := Stepped(msg, []int{-1, 1, -page, page, -c.At, rows - 1 - c.At},
		[]string{"up", "k"}, []string{"down", "j"}, []string{"pgup", "ctrl+b"}, []string{"pgdown", "ctrl+f"},
		[]string{"home", "g"}, []string{"end", "G"})
	if taken {
		c.At += by
		c.Clamp(rows)
	}
	return taken
}

// MoveSideways handles the keys that move the cursor between columns.
func (c *Cursor) MoveSideways(msg tea.KeyPressMsg, columns int) (taken bool) {
	by, taken := Stepped(msg, []int{-1, 1}, []string{"left", "h"}, []string{"right", "l"})
	if taken {
		c.Column = max(0, min(c.Column+by, columns-1))
	}
	return taken
}

// Stepped returns the distance by which a key moves the cursor: by[i] for keys[i].
func Stepped(msg tea.KeyPressMsg, by []int, keys ...[]string) (int, bool) {
	i := slices.IndexFunc(keys, func(names []string) bool { return key.Matches(msg, Bind("", "", names...)) })
	if i < 0 {
		return 0, false
	}
	return by[i], true
}

// Clamp moves the cursor into a table of rows rows.
func (c *Cursor) Clamp(rows int) { c.At = max(0, min(c.At, rows-1)) }

// ClampCells moves the cursor into a square table of n rows and columns.
func (c *Cursor) ClampCells(n int) {
	c.Clamp(n)
	c.Column = max(0, min(c.Column, n-1))
}

// window returns the rows to draw in so many lines, [first,last), including the row under the cursor. If rows
// below do not fit, the last of three or more lines is left for a mark.
func (c *Cursor) window(rows, lines int) (first, last int) {
	c.Clamp(rows)
	c.Page = max(1, lines)
	shown := c.Page
	if shown >= 3 && rows > shown {
		shown--
	}
	c.First = max(0, min(max(min(c.First, c.At), c.At-shown+1), rows-c.Page))
	if c.First+c.Page >= rows {
		return c.First, rows
	}
	return c.First, c.First + shown
}

// RowAt returns the row at a line of the last frame; ok is false if there is none.
func (c *Cursor) RowAt(y int) (row int, ok bool) {
	return c.First + y - c.top, y >= c.top && y < c.top+c.Shown
}

// columnAt returns the column at a cell of the last frame, or that under the cursor if there is none.
func (c *Cursor) columnAt(x int) int {
	for i, end := range c.ends {
		if x < end {
			if i == 0 {
				break // a column that does not scroll
			}
			return c.Left + i - 1
		}
	}
	return c.Column
}

// Key handles a key press; it returns nil if the table does not use the key.
func (c *Cursor) Key(msg tea.KeyPressMsg, t *Table) Action {
	if t.Rows == 0 || t.Instead != "" {
		return nil
	}
	c.Place(t)
	before := c.At
	switch {
	case t.Sideways != nil && c.MoveSideways(msg, t.Sideways.Columns):
		return Handled{}
	case c.Move(msg, t.Rows):
		c.rest(t, before)
		return t.choose(c.At)
	case t.Open != nil && key.Matches(msg, KeyEnter("")) && t.stops(c.At):
		return t.Open(c.At)
	}
	return nil
}

// rest moves the cursor on to the next visible row where it stops, or scrolls if there is none.
func (c *Cursor) rest(t *Table, before int) {
	if t.Stops == nil {
		return
	}
	far, last := c.At-before, c.First+c.Shown-1
	by := cmp.Compare(far, 0)
	for row := c.At; by != 0 && row >= c.First && row <= last; row += by {
		if t.Stops(row) {
			c.At = row
			return
		}
	}
	switch {
	case by > 0:
		c.At = min(t.Rows-1, last+far)
	case by < 0:
		c.At = max(0, c.First+far)
	}
}

// Click moves the cursor to a row or a cell, and opens the row if the cursor is there already. A click on a
// heading selects the column, one on the mark at the end goes to the next page.
func (c *Cursor) Click(x, y int, t *Table) Action {
	row, ok := c.RowAt(y)
	column := c.columnAt(x)
	switch {
	case t.Rows == 0 || t.Instead != "" || y < 0:
		return nil
	case t.Sideways != nil && y == c.top-1:
		c.Column = column
		return Handled{}
	case y == c.top+c.Shown && row < t.Rows && c.Shown < c.Page:
		return c.Wheel(c.Shown, t)
	case !ok || row >= t.Rows || !t.stops(row):
		return nil
	}
	here := row == c.At && column == c.Column && (!t.Follows || t.Selected == row)
	if c.At, c.Column = row, column; here && t.Open != nil {
		return t.Open(row)
	}
	return t.choose(row)
}

// Wheel scrolls the table; if the cursor follows the selection, it moves the selection.
func (c *Cursor) Wheel(lines int, t *Table) Action {
	if t.Rows == 0 || t.Instead != "" {
		return nil
	}
	c.Place(t)
	c.At += lines
	if c.Clamp(t.Rows); t.Follows {
		return t.choose(c.At)
	}
	return Handled{}
}

// Place moves the cursor to an existing row, or to the selected one if the table follows the selection. It leaves
// the cursor of an empty table, because rows may come back.
func (c *Cursor) Place(t *Table) {
	if t.Rows == 0 || t.Instead != "" {
		return
	}
	if t.Follows && t.Selected >= 0 {
		c.At = t.Selected
	}
	c.Clamp(t.Rows)
	if t.Sideways != nil {
		c.Column = max(0, min(c.Column, t.Sideways.Columns-1))
	}
}

// KeyEnter returns the binding of enter with its text in the bottom line.
func KeyEnter(text string) key.Binding { return Bind("enter", text, "enter") }

// KeyEscape returns the binding of esc.
func KeyEscape() key.Binding { return Bind("esc", "cancel", "esc") }

// Bind returns a binding of keys. help names the keys in the bottom line, text what they do; without keys the only
// key is help.
func Bind(help, text string, keys ...string) key.Binding {
	if len(keys) == 0 && help != "" {
		keys = []string{help}
	}
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, text))
}

// cursor returns the style of the row under the cursor, or nil for other rows.
func cursor(theme *Theme, chosen, focused bool) *Style {
	switch {
	case chosen && focused:
		return &theme.Selected
	case chosen:
		return &theme.SelectedIdle
	default:
		return nil
	}
}

// Handled is the action of a key that was handled and needs nothing else.
type Handled struct{}

// Action is what a key press or a mouse click asks for. The running program performs every action in one place,
// whether it came from a key, the mouse or the palette.
type Action any
