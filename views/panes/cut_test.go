package panes

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// tableOf returns the table of a pane, or nil.
func tableOf(pane views.Pane) *views.TablePane {
	if p, ok := pane.(*views.TablePane); ok {
		return p
	}
	field := reflect.ValueOf(pane).Elem().FieldByName("tablePane")
	if !field.IsValid() {
		return nil
	}
	return (*views.TablePane)(field.Addr().UnsafePointer())
}

// No pane drops rows without a mark, at any size; a cut sentence ends with one too.
func TestNothingIsCutWithoutAMark(t *testing.T) {
	step, by := 7, 1
	if !longtests.Wanted() {
		step, by = 31, 4
	}
	for position := range 4 {
		s := viewtest.SurveyAt(t, position)
		for _, pane := range All() {
			if seeker, ok := pane.(views.Seeker); ok {
				for piece := seeker.Seek(s); piece != nil; piece = seeker.Seek(s) {
					piece(context.Background(), time.Second)()
				}
			}
			for width := 18; width <= 130; width += step {
				for height := 1; height <= 45; height += by {
					checkCut(t, s, pane, width, height)
				}
			}
		}
	}
}

func checkCut(t *testing.T, s views.State, pane views.Pane, width, height int) {
	t.Helper()
	frame := viewtest.Styles.ReplaceAllString(pane.View(s, width, height, true), "")
	marked := strings.ContainsAny(frame, "↓…")
	tabled := tableOf(pane)
	if tabled == nil {
		return // a picture has no rows
	}
	table, cursor := tabled.Content(s, width), &tabled.Cursor
	what := ""
	switch whole := len(linesAbove(&table, width)); {
	case table.Instead != "":
		words := strings.Fields(table.Instead)
		if !strings.Contains(strings.Join(strings.Fields(frame), " "), words[len(words)-1]) {
			what = "a sentence"
		}
	case table.Rows > 0 && cursor.Shown < table.Rows && cursor.First == 0:
		what = "rows"
	case table.Rows == 0 && whole > height:
		what = "lines"
	}
	if left := "↓ " + draw.Count(table.Rows-cursor.Shown) +
		" more"; what == "rows" && width >= 20 && strings.Contains(frame, " more ") && strings.Contains(frame, "↓ ") &&
		!strings.Contains(frame, left) {
		t.Errorf("%s at %d×%d does not say %q:\n%s", pane.ID(), width, height, left, frame)
	}
	if what != "" && !marked {
		t.Errorf("%s at %d×%d cuts %s without a mark:\n%s", pane.ID(), width, height, what, frame)
	}
}

// linesAbove returns the lines above a table that has no rows.
func linesAbove(t *draw.Table, width int) []string {
	if t.Above == nil {
		return nil
	}
	return t.Above(width, 1)
}
