package tui

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/views"
)

// rowOfList is a line of a field or of a category, not one of help or a hint, which
// give way where there is no room.
var rowOfList = regexp.MustCompile(`^(▸ |● |  )\S|█`)

// No dialog drops rows without a mark, on a screen of eleven lines or more: where fewer stand
// there than a tall one has, an arrow or a … says so.
func TestNoDialogIsCutWithoutAMark(t *testing.T) {
	widths, heights := []int{20, 34, 60, 80, 100, 130}, []int{11, 15, 20, 24, 30, 38, 45}
	if testing.Short() {
		widths, heights = []int{20, 60, 100}, []int{11, 15, 24, 40}
	}
	for _, room := range rooms {
		d := surveyOf(t, 120, 40).Press(room.keys...)
		if d.m.dialog == nil {
			continue
		}
		for _, width := range widths {
			for _, height := range heights {
				d.Resize(width, height)
				place := d.m.dialogPlace(height - 2)
				width := max(1, place.width-4)
				tall, _ := d.dialogRows(width, 200)
				shown, text := d.dialogRows(width, max(1, place.height-2))
				if shown < tall && !strings.ContainsAny(text, "↓…") {
					t.Errorf("%s at %d×%d shows %d of %d rows without a mark:\n%s", room.name, width, height, shown, tall, text)
				}
			}
		}
	}
}

// dialogRows counts the rows of the open dialog in a window of a size, and returns
// what stands there.
func (d *driver) dialogRows(width, height int) (rows int, text string) {
	drawn := strings.Split(d.m.dialog.View(d.m.dialogState(), width, height), "\n")
	text = ansi.Strip(views.Within(d.m.theme, drawn, width, height)) // as the window does
	for line := range strings.SplitSeq(text, "\n") {
		if left, _, _ := strings.Cut(line, " │"); rowOfList.MatchString(left) {
			rows++
		}
	}
	return rows, text
}

// Nothing on the screen of any pane leaves the frame at sizes from the smallest on;
// every list that is cut says how much is below.
func TestEveryPaneAtEverySize(t *testing.T) {
	d := surveyOf(t, 120, 40)
	widths, heights := []int{20, 45, 60, 80, 100, 130}, []int{5, 10, 15, 24, 30, 45}
	if testing.Short() {
		widths, heights = []int{20, 60, 100}, []int{5, 15, 40}
	}
	for range tabCount {
		for number := range d.m.bench.names() {
			d.Press(string(rune('1' + number)))
			for _, width := range widths {
				for _, height := range heights {
					d.Resize(width, height) // the driver looks at every frame
				}
			}
			d.Resize(60, 15)
			if text := d.Text(); d.m.focused().ID() == "data" && !strings.Contains(text, "more") {
				t.Errorf("the list of records does not say that there are more:\n%s", text)
			}
		}
		d.Resize(120, 40).Press("]")
	}
}
