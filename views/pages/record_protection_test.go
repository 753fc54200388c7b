package pages

import (
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// Every option to protect a record has the figures of the whole file after its step.
func TestWaysCarryTheWholeFile(t *testing.T) {
	for _, position := range []int{0, 2} {
		s, p := viewtest.SurveyAt(t, position), NewRecord(319)
		if text := p.View(s, 120, 60, true); strings.Count(text, "…  ") < 2 {
			t.Errorf("before the options are tried:\n%s", text)
		}
		viewtest.SeekAll(t, p, s)
		text := viewtest.Styles.ReplaceAllString(p.View(s, 120, 60, true), "")
		lines := strings.Split(text, "\n")
		analysis := p.Analysis(s)
		if n := len(analysis.options); n < 4 || len(p.drawn.options) != n {
			t.Fatalf("%d options in %d places", n, len(p.drawn.options))
		}
		for i, w := range analysis.options {
			after, err := viewtest.Tried(t.Context(), w.method, s.Current.Data, s.Scenario)
			if err != nil {
				t.Fatal(err)
			}
			violators := 0
			for record := range after.Assessment.Records {
				if after.Assessment.Violates(record, s.K) {
					violators++
				}
			}
			line := lines[p.drawn.options[i]]
			for _, want := range []string{" " + draw.Count(violators) + " ", " " + wording.Amounts(after.Assessment.Expected, s.Current.Assessment.Expected)[0]} {
				if !strings.Contains(line+" ", want) {
					t.Errorf("after %d steps, option %d has no %q: %q", position, i, want, line)
				}
			}
			if m, ok := w.method.(*suppress.KAnonymity); ok {
				here := "none"
				for _, name := range s.Keys() {
					if column, _ := after.Data.Column(name); column.Missing(319) {
						here = name
					}
				}
				if !strings.Contains(line, here) || !strings.Contains(line, draw.Count(after.Report.Suppression.Total)) ||
					m.K != s.K {
					t.Errorf("k-anonymity blanks %s and %d cells: %q", here, after.Report.Suppression.Total, line)
				}
			}
		}
	}
}

// Down chooses one option after the other, and scrolls if none is visible; enter opens the chosen one if it is
// visible.
func TestWaysAreChosen(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 0), NewRecord(319)
	show := func(height int) []string {
		return strings.Split(viewtest.Styles.ReplaceAllString(p.View(s, 78, height, true), ""), "\n")
	}
	show(22)
	if viewtest.Typing(p, &s, "enter") != nil {
		t.Error("enter opens what is not in sight")
	}
	n := len(p.Analysis(s).options)
	seen := map[int]bool{}
	for range 80 {
		viewtest.Typing(p, &s, "down")
		lines := show(22)
		option := slices.Index(p.drawn.options, p.Cursor.At)
		for y, line := range lines {
			if strings.HasPrefix(line, "▸") && (option < 0 || p.Cursor.At-p.Cursor.First != y) {
				t.Errorf("the mark stands on line %d", y)
			}
		}
		if option >= 0 {
			seen[option] = true
			got, ok := viewtest.Typing(p, &s, "enter").(views.OpenStep)
			if !ok || got.Method != p.Analysis(s).options[option].method {
				t.Fatalf("enter gives %v", got)
			}
		}
	}
	if len(seen) != n {
		t.Errorf("%d of %d options were chosen", len(seen), n)
	}
	for range 80 {
		viewtest.Typing(p, &s, "up")
		show(22)
	}
	if p.Cursor.First != 0 || viewtest.Typing(p, &s, "enter") != nil {
		t.Errorf("the page does not come back to its top: %d", p.Cursor.First)
	}
	viewtest.Typing(p, &s, "end")
	show(22)
	y := p.drawn.options[1] - p.Cursor.First
	if p.Click(5, y, s) != (draw.Handled{}) || p.Cursor.At != p.drawn.options[1] {
		t.Errorf("a click chooses line %d", p.Cursor.At)
	}
	show(22)
	if _, ok := p.Click(5, p.drawn.options[1]-p.Cursor.First, s).(views.OpenStep); !ok {
		t.Error("the second click opens nothing")
	}
	s.Stale = true
	if viewtest.Typing(p, &s, "enter") != nil || p.Seek(s) != nil {
		t.Error("an option of older data is opened or tried")
	}
}
