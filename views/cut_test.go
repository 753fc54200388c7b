package views

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

// contentOf returns the table of a pane, whatever else the pane is.
func (p *tablePane) contentOf(s State, width int) (Table, *Cursor) {
	return p.content(s, width), &p.cursor
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
	tabled, ok := pane.(interface {
		contentOf(State, int) (Table, *Cursor)
	})
	if !ok {
		return // a picture has no rows
	}
	table, cursor := tabled.contentOf(s, width)
	what := ""
	switch whole := len(table.lines(s, width)); {
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

// lines are those above a table that has no rows.
func (t *Table) lines(s State, width int) []string {
	if t.Above == nil {
		return nil
	}
	return t.Above(width, 1)
}

// longTests reports whether tests run that take longer than somebody who changes a line
// should wait.
func longTests() bool { return os.Getenv("SDCDESK_LONG_TESTS") != "" }
