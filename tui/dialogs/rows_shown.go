package dialogs

import "github.com/sdcdesk/sdcdesk/views"

// Clickable is a dialog that takes clicks. x and y count the cells from the upper
// left corner of the inside of the window.
type Clickable interface {
	Dialog
	Click(x, y int, s views.State) Effect
}

// RowsShown remembers where a list was last drawn, for clicks.
type RowsShown struct {
	Top, First, Rows, Width int
}

// At returns the place in the list of the row at a cell; ok is false where there
// is none.
func (r RowsShown) At(x, y int) (place int, ok bool) {
	return r.First + y - r.Top, y >= r.Top && y < r.Top+r.Rows && x < r.Width
}

// Window returns the first row to show so that the chosen one is in sight.
func Window(chosen, rows, height int) int {
	if rows <= height || height <= 0 {
		return 0
	}
	return max(0, min(chosen-height/2, rows-height))
}

// Moved returns the place in a list of n that a key leads to.
func Moved(at, n int, pressed string) int {
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

// Bar draws a share of the largest count, padded to width.
func Bar(theme *views.Theme, count, largest, width int) string {
	return theme.Bar.Render(views.Bar(float64(count)/float64(max(1, largest)), width))
}
