package tui

import "github.com/sdcdesk/sdcdesk/views"

// Clickable is a dialog that takes clicks. x and y count the cells from the upper
// left corner of the inside of the window.
type Clickable interface {
	Dialog
	Click(x, y int, s views.State) Effect
}

// rowsShown remembers where a list was last drawn, for clicks.
type rowsShown struct {
	top, first, rows, width int
}

// at returns the place in the list of the row at a cell; ok is false where there
// is none.
func (r rowsShown) at(x, y int) (place int, ok bool) {
	return r.first + y - r.top, y >= r.top && y < r.top+r.rows && x < r.width
}
