package views

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"
)

// tableOf returns what a pane is as a table; nil where it is none.
func tableOf(pane Pane) *tablePane {
	if p, ok := pane.(*tablePane); ok {
		return p
	}
	field := reflect.ValueOf(pane).Elem().FieldByName("tablePane")
	if !field.IsValid() {
		return nil
	}
	return (*tablePane)(field.Addr().UnsafePointer())
}

// No pane drops rows without a mark, at any size; a sentence that is cut ends in one
// too.
func TestNothingIsCutWithoutAMark(t *testing.T) {
	step, by := 7, 1
	if !longTests() {
		step, by = 31, 4
	}
	for position := range 4 {
		s := surveyAt(t, position)
		for _, pane := range All() {
			if seeker, ok := pane.(Seeker); ok {
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

func checkCut(t *testing.T, s State, pane Pane, width, height int) {
	t.Helper()
	frame := styles.ReplaceAllString(pane.View(s, width, height, true), "")
	marked := strings.ContainsAny(frame, "↓…")
	tabled := tableOf(pane)
	if tabled == nil {
		return // a picture has no rows
	}
	table, cursor := tabled.content(s, width), &tabled.cursor
	what := ""
	switch whole := len(linesAbove(&table, width)); {
	case table.Instead != "":
		words := strings.Fields(table.Instead)
		if !strings.Contains(strings.Join(strings.Fields(frame), " "), words[len(words)-1]) {
			what = "a sentence"
		}
	case table.Rows > 0 && cursor.shown < table.Rows && cursor.first == 0:
		what = "rows"
	case table.Rows == 0 && whole > height:
		what = "lines"
	}
	if left := "↓ " + Count(table.Rows-cursor.shown) + " more"; what == "rows" && width >= 20 && strings.Contains(frame, " more ") && strings.Contains(frame, "↓ ") && !strings.Contains(frame, left) {
		t.Errorf("%s at %d×%d does not say %q:\n%s", pane.ID(), width, height, left, frame)
	}
	if what != "" && !marked {
		t.Errorf("%s at %d×%d cuts %s without a mark:\n%s", pane.ID(), width, height, what, frame)
	}
}

// linesAbove are those above a table that has no rows.
func linesAbove(t *Table, width int) []string {
	if t.Above == nil {
		return nil
	}
	return t.Above(width, 1)
}
