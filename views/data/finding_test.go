package data

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
	"pgregory.net/rapid"

	_ "github.com/sdcdesk/sdcdesk/house/longtests"
)

// The next match is that of a plain search cell by cell, whatever the size of the pieces.
func TestFindingCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, columns := rapid.IntRange(1, 9).Draw(t, "rows"), rapid.IntRange(1, 5).Draw(t, "columns")
		holds := rapid.SliceOfN(rapid.SampledFrom([]bool{false, false, false, true}), rows*columns, rows*columns).Draw(t,
			"holds")
		c := draw.Cursor{At: rapid.IntRange(0, rows-1).Draw(t, "row"), Column: rapid.IntRange(0, columns-1).Draw(t, "column")}
		back := rapid.Bool().Draw(t, "back")
		want, by := -1, map[bool]int{false: 1, true: -1}[back]
		for i := 1; i <= len(holds) && want < 0; i++ {
			if at := (c.At*columns + c.Column + i*by + 2*len(holds)) % len(holds); holds[at] {
				want = at
			}
		}
		f := cellSearch{cellQuery: cellQuery{text: "x", back: back, from: c.At*columns + c.Column, rows: rows, columns: columns}}
		holding := func(column int) func(int) bool {
			return func(row int) bool { return holds[row*columns+column] }
		}
		for f.runs() {
			*f.progress() = f.progress().look(context.Background(), &f.cellQuery, 0, holding)
		}
		if seen := f.progress(); seen.found != (want >= 0) || seen.found && seen.at != want {
			t.Fatalf("found %d, not %d", seen.at, want)
		}
	})
}

func TestFindingInRecords(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 0), NewRecords("", 0)
	onColumn(t, p, &s, "hid")
	find := func(text string) draw.Action {
		viewtest.Typing(p, &s, "f")
		for _, r := range text {
			viewtest.Typing(p, &s, string(r))
		}
		return viewtest.Typing(p, &s, "enter")
	}
	at := func() string { return fmt.Sprint(p.current(s).name(), " ", p.record(p.Cursor.At)+1) }
	last := find("DIVORCED")
	first := at()
	if text := p.cell(s, p.current(s), p.record(p.Cursor.At)).Text; text != "divorced" ||
		last != (views.SelectRecord{Record: p.record(p.Cursor.At)}) {
		t.Errorf("found %q at %s, %v", text, first, last)
	}
	if p.cell(s, p.current(s), p.record(p.Cursor.At)).Style != &s.Theme.Marked {
		t.Error("what was found does not stand out")
	}
	viewtest.Typing(p, &s, "n")
	second := at()
	viewtest.Typing(p, &s, "N")
	if at() != first || second == first {
		t.Errorf("n leads to %s, N back to %s", second, at())
	}
	if viewtest.Typing(p, &s, "N"); !strings.Contains(p.View(s, 120, 9, true), "continued from the end") {
		t.Errorf("before the first the last is not found: %s\n%s", at(), p.View(s, 120, 9, true))
	}
	before := at()
	if find("no such text"); at() != before || !strings.Contains(p.View(s, 120, 9, true), "no cell contains no such text") {
		t.Errorf("at %s\n%s", at(), p.View(s, 120, 9, true))
	}
	if viewtest.Typing(p, &s, "esc"); p.HandleKey(draw.Press("n"), s) != nil {
		t.Error("esc does not end the search")
	}
}

// A large file is searched in the background; esc cancels the search.
func TestFindingInALargeFile(t *testing.T) {
	s, p := longFile(t), NewRecords("", 0)
	p.takeFilter(s, "b = v2")
	viewtest.Typing(p, &s, "down", "down", "f", "v", "6", "enter")
	if frame := p.View(s, 100, 9, true); p.Cursor.At != 2 || !strings.Contains(frame, "looking for v6 … 0 %") {
		t.Errorf("the cursor is at %d:\n%s", p.Cursor.At, frame)
	}
	for piece := p.Seek(s); piece != nil; piece = p.Seek(s) {
		piece(context.Background(), 0)()
	}
	if record := p.record(p.Cursor.At); record%7 != 6 || record%3 != 2 || p.Cursor.At == 2 {
		t.Errorf("record %d at %d", record, p.Cursor.At)
	}
	before := p.Cursor.At
	viewtest.Typing(p, &s, "n")
	piece := p.Seek(s)
	viewtest.Typing(p, &s, "esc")
	if piece(context.Background(), time.Hour)(); p.Cursor.At != before || p.Seek(s) != nil {
		t.Errorf("the search that was ended leads to %d", p.Cursor.At)
	}
}

func TestCopyingFromRecords(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 3), NewRecords("", 0)
	onColumn(t, p, &s, "region")
	viewtest.Typing(p, &s, "down")
	if got := viewtest.Typing(p, &s, "y"); got != (views.Copy{Text: "Arden", What: "region of record 2"}) {
		t.Errorf("y gives %v", got)
	}
	viewtest.Typing(p, &s, "o", "h", "i", "d", "enter", "x", "x")
	copied, ok := viewtest.Typing(p, &s, "Y").(views.Copy)
	lines := strings.Split(copied.Text, "\n")
	if !ok || len(lines) != 3 || !strings.HasPrefix(lines[0], "region\turbrur\t") ||
		!strings.HasPrefix(lines[1], "Arden\trural\t") ||
		strings.Count(lines[0], "\t") != strings.Count(lines[1], "\t") {
		t.Errorf("Y gives %q", copied.Text)
	}
	age, _ := s.Current.Data.Column("age")
	for record := range s.Records() {
		if age.Missing(record) {
			p.jump(s, record)
			break
		}
	}
	onColumn(t, p, &s, "age")
	if got := viewtest.Typing(p, &s, "y").(views.Copy); got.Text != "" {
		t.Errorf("a suppressed cell is copied as %q", got.Text)
	}
}
