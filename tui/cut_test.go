package tui

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// rowOfList matches a line of a field or a category, not one of help or a hint, which are dropped if there is
// little room.
var rowOfList = regexp.MustCompile(`^(▸ |● |  )\S|█`)

// dialogRooms opens every dialog, each on a driver without one.
func dialogRooms(d *driver) map[string]func() {
	open := map[string]func(){}
	for _, room := range rooms {
		open[room.name] = func() { d.Press(room.keys...) }
	}
	for _, c := range curves {
		open["curve "+c.name] = func() { c.open(d) }
	}
	for _, spec := range d.m.options.Methods {
		open["method "+spec.Name] = func() { d.openMethod(spec.Name) }
	}
	open["scenario"] = func() { newScenario(d, "neighbour", "age") }
	open["new scenario"] = func() { d.Press("V", "n") }
	open["picker"] = func() { d.Press("V", "down", "space") }
	open["page of a method"] = func() { d.Press("K", "?") }
	open["explanation in a dialog"] = func() { d.Press("K", "i") }
	open["later steps"] = func() {
		recodeAge(d).Press("K", "enter", "6", "down", "down", "d")
	}
	open["quit"] = func() { d.Press("q") }
	return open
}

// No dialog drops rows of fields and lists without a mark, even on the smallest screens: if there are fewer than
// on a tall screen, there is an arrow or "…".
func TestNoDialogIsCutWithoutAMark(t *testing.T) {
	longtests.Needed(t)
	widths, heights := []int{20, 34, 60, 80, 100, 130}, []int{5, 6, 7, 8, 9, 10, 11, 15, 20, 24, 30, 38, 45}
	if !longtests.Wanted() {
		widths, heights = []int{20, 60, 100}, []int{5, 11, 24, 40}
	}
	for name := range dialogRooms(surveyOf(t, 120, 40)) {
		d := surveyOf(t, 120, 40)
		dialogRooms(d)[name]()
		if d.m.dialog == nil {
			continue
		}
		for _, width := range widths {
			for _, height := range heights {
				if name == "help-searched" && height < 8 {
					continue // under the search and a heading, no line is left for a mark
				}
				d.m.width, d.m.height = width, height
				place := d.m.dialogPlace(height - 2)
				width := max(1, place.width-4)
				tall, _ := d.dialogRows(width, 200)
				shown, text := d.dialogRows(width, max(1, place.height-2))
				if shown < tall && !strings.ContainsAny(text, "↑↓…") {
					t.Errorf("%s at %d×%d shows %d of %d rows without a mark:\n%s", name, width, height, shown, tall, text)
				}
				d.frame()
			}
		}
	}
}

// pictured are the dialogs with a picture under their fields.
var pictured = map[string]bool{"Top and bottom coding": true, "Rounding": true,
	"Suppression above a risk threshold": true, "k-anonymity by local suppression": true,
	"Microaggregation": true, "Noise": true, "Rank swapping": true, "Shuffling": true, "Synthetic values": true,
	"Multivariate top coding": true, "Recoding by intervals": true, "Recoding by a hierarchy": true, "Hierarchy of region": true}

// dialogRows counts the rows of the open dialog in a window of a size, and returns its text.
func (d *driver) dialogRows(width, height int) (rows int, text string) {
	drawn := strings.Split(d.m.dialog.View(d.m.dialogState(), width, height), "\n")
	text = ansi.Strip(draw.Within(d.m.theme, drawn, width, height)) // like the window
	for line := range strings.SplitSeq(text, "\n") {
		left, _, _ := strings.Cut(line, " │")
		if pictured[d.m.dialog.Title()] && strings.TrimSpace(left) == "" {
			break // a picture joins bars if there is less room
		}
		if rowOfList.MatchString(left) {
			rows++
		}
	}
	return rows, text
}

// At any size, nothing in any pane exceeds the frame, and every cut list says how much is below.
func TestEveryPaneAtEverySize(t *testing.T) {
	d := surveyOf(t, 120, 40)
	widths, heights := []int{20, 45, 60, 80, 100, 130}, []int{5, 10, 15, 24, 30, 45}
	if !longtests.Wanted() {
		widths, heights = []int{20, 60, 100}, []int{5, 15, 40}
	}
	for range tabCount {
		for number := range d.m.bench.names() {
			d.Press(string(rune('1' + number)))
			for _, width := range widths {
				for _, height := range heights {
					d.Resize(width, height) // the driver checks every frame
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
