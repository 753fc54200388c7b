package draw

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Cursor is the place in a table: the row under the cursor, the column where the
// table has a cursor of cells, and what was in sight the last time, for the
// mouse. It is set right at every use, since rows come and go between two keys.
type Cursor struct {
	At     int // the row under the cursor
	Column int // of the columns that are scrolled sideways

	First, Left int   // the first row and the first such column shown
	Page        int   // lines for rows the last time
	top, Shown  int   // lines above the rows, and rows, the last time
	ends        []int // cells at which the columns scrolled sideways end, from left on
}

// Move takes the keys that move the cursor among rows; taken is false for others.
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

// MoveSideways takes the keys that move the cursor among columns.
func (c *Cursor) MoveSideways(msg tea.KeyPressMsg, columns int) (taken bool) {
	by, taken := Stepped(msg, []int{-1, 1}, []string{"left", "h"}, []string{"right", "l"})
	if taken {
		c.Column = max(0, min(c.Column+by, columns-1))
	}
	return taken
}

// Stepped returns by how much a key moves: keys[i] by by[i].
func Stepped(msg tea.KeyPressMsg, by []int, keys ...[]string) (int, bool) {
	i := slices.IndexFunc(keys, func(names []string) bool { return key.Matches(msg, Bind("", "", names...)) })
	if i < 0 {
		return 0, false
	}
	return by[i], true
}

// Clamp puts the cursor on one of so many rows.
func (c *Cursor) Clamp(rows int) { c.At = max(0, min(c.At, rows-1)) }

// ClampCells puts the cursor into a square table of so many rows and columns.
func (c *Cursor) ClampCells(n int) {
	c.Clamp(n)
	c.Column = max(0, min(c.Column, n-1))
}

// window returns the rows to draw in so many lines, [first,last), the cursor
// among them. Where rows below have no room the last of three lines or more is
// Left to the mark that says so.
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

// RowAt returns the row of a line of the table as it was drawn last; ok is false
// where there is none.
func (c *Cursor) RowAt(y int) (row int, ok bool) {
	return c.First + y - c.top, y >= c.top && y < c.top+c.Shown
}

// columnAt returns the column at a cell of the last frame; that under the cursor
// where there is none.
func (c *Cursor) columnAt(x int) int {
	for i, end := range c.ends {
		if x < end {
			if i == 0 {
				break // a column that is never scrolled
			}
			return c.Left + i - 1
		}
	}
	return c.Column
}

// Key does what a key asks for; nil where it is not the table's.
func (c *Cursor) Key(msg tea.KeyPressMsg, t *Table) Action {
	if t.Rows == 0 || t.Instead != "" {
		return nil
	}
	c.Settle(t)
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

// rest moves the cursor on to the next row that it stops on where one is in sight; else it
// scrolls.
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

// Click puts the cursor on a row, or a cell; where it is already it opens the
// row. On the name of a column it chooses that, on the mark at the end it goes on
// a page.
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

// Wheel scrolls; where the cursor follows the selection, that moves.
func (c *Cursor) Wheel(lines int, t *Table) Action {
	if t.Rows == 0 || t.Instead != "" {
		return nil
	}
	c.Settle(t)
	c.At += lines
	if c.Clamp(t.Rows); t.Follows {
		return t.choose(c.At)
	}
	return Handled{}
}

// Settle puts the cursor on a row: on the selected one of a table that follows one. It stays
// while there are none, since they may come again.
func (c *Cursor) Settle(t *Table) {
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

// KeyEnter is enter, with what it does for the bottom line.
func KeyEnter(text string) key.Binding { return Bind("enter", text, "enter") }

// KeyEscape is escape.
func KeyEscape() key.Binding { return Bind("esc", "cancel", "esc") }

// Bind returns a binding of keys with how the bottom line calls them and what they do;
// without keys, that which the bottom line names.
func Bind(help, text string, keys ...string) key.Binding {
	if len(keys) == 0 && help != "" {
		keys = []string{help}
	}
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, text))
}

// cursor returns the style of the row under the cursor; nil for other rows.
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

// Handled says that the key was taken and nothing else is to do.
type Handled struct{}

// Action is what a key press or a mouse click asks for. The set is closed:
// the running program carries out every action in one place, whether it came
// from a key, the mouse or the palette.
type Action any
