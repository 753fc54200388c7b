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

// window returns the first row to show so that the chosen one is in sight.
func window(chosen, rows, height int) int {
	if rows <= height || height <= 0 {
		return 0
	}
	return max(0, min(chosen-height/2, rows-height))
}

// moved returns the place in a list of n that a key leads to.
func moved(at, n int, pressed string) int {
	switch pressed {
	case "up", "k":
		at--
	case "down", "j":
		at++
	case "pgup":
		at -= 10
	case "pgdown":
		at += 10
	case "home":
		at = 0
	case "end":
		at = n - 1
	}
	return max(0, min(n-1, at))
}

// bar draws a share of the largest count, padded to width.
func bar(theme *views.Theme, count, largest, width int) string {
	return theme.Bar.Render(views.Bar(float64(count)/float64(max(1, largest)), width))
}
