package data

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

func TestRecordsPane(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 3), NewRecords("", 0)
	s.Selected.Variable = "hid"
	frame := p.View(s, 100, 12, true)
	if !strings.Contains(frame, "◆region") {
		t.Errorf("the key variable is not marked:\n%s", frame)
	}
	if got := viewtest.Typing(p, &s, "g", "4", "1", "2", "7", "enter"); got != (views.SelectRecord{Record: 4126}) {
		t.Errorf("going to record 4,127 gives %v", got)
	}
	if frame = p.View(s, 100, 12, true); !strings.Contains(frame, "4,127") {
		t.Errorf("record 4,127 is not in sight:\n%s", frame)
	}
	if got := viewtest.Typing(p, &s, "enter"); got != (views.ShowRecord{Record: 4126}) {
		t.Errorf("enter gives %v", got)
	}
	viewtest.Typing(p, &s, "home")
	for range 11 {
		viewtest.Typing(p, &s, "right")
	}
	if frame = p.View(s, 60, 12, true); !strings.Contains(frame, "age: suppressed, was 32") {
		t.Errorf("the cell under the cursor is not told about:\n%s", frame)
	}
}

func TestClickingCells(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 3), NewRecords("", 0)
	s.Selected.Variable = "hid"
	frame := strings.Split(viewtest.Styles.ReplaceAllString(p.View(s, 100, 12, true), ""), "\n")
	at := draw.Width(frame[0][:strings.Index(frame[0], "◆urbrur")])
	if got := p.Click(at, 3, s); got != (views.SelectRecord{Record: 2}) || p.Cursor.Column != 3 {
		t.Errorf("a click on urbrur of the third record gives %v, column %d", got, p.Cursor.Column)
	}
	if got := p.Click(at+2, 3, s); got != (views.ShowRecord{Record: 2}) {
		t.Errorf("a second click gives %v", got)
	}
	if p.Click(at-2, 0, s); p.Cursor.Column != 2 {
		t.Errorf("a click on the name of region chooses column %d", p.Cursor.Column)
	}
}

func TestFilteringRecords(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 0), NewRecords("sex", 1)
	inCategory := p.Rows(s)
	if want := views.CategoriesOf(s.Current, "sex").Counts()[1]; inCategory != want {
		t.Fatalf("%d records of the category, not %d", inCategory, want)
	}
	viewtest.Typing(p, &s, "/")
	for _, r := range "age >" {
		viewtest.Typing(p, &s, string(r))
	}
	viewtest.Typing(p, &s, "enter")
	if frame := p.View(s, 90, 10, true); !p.Typing() || !strings.Contains(frame, "a value is expected") {
		t.Errorf("a filter that makes no sense is taken:\n%s", frame)
	}
	viewtest.Typing(p, &s, " ", "9", "0", "enter")
	if rows := p.Rows(s); p.Typing() || rows == 0 || rows >= inCategory {
		t.Errorf("%d of %d records", rows, inCategory)
	}
	for place := range p.Rows(s) {
		record := p.record(place)
		age, _ := s.Current.Data.Column("age")
		sex, _ := s.Current.Data.Column("sex")
		if age.Float(record) <= 90 || sex.Categories().Codes.At(record) != 1 {
			t.Errorf("record %d does not belong here", record+1)
		}
	}
	if !strings.Contains(p.TitleFor(s), "of 5,000 records") {
		t.Errorf("the title is %q", p.TitleFor(s))
	}
	viewtest.Typing(p, &s, "esc")
	if p.Rows(s) != inCategory {
		t.Error("esc does not take the filter back")
	}
}

// A long file is searched in pieces with the same result.
func TestLookingThroughALongFile(t *testing.T) {
	const n = firstLook + 3*lookAtOnce + 17
	codes := microdata.NewCodes(n, 2)
	for record := range n {
		codes.Set(record, uint32(1+record%7/6))
	}
	column := microdata.NewCategorical("v", microdata.Category,
		&microdata.Categories{Levels: []microdata.Level{{Label: "a"}, {Label: "b"}}, Codes: codes})
	data, err := microdata.NewDataset([]*microdata.Column{column})
	if err != nil {
		t.Fatal(err)
	}
	s := views.State{Current: views.Version{Data: data}, Original: views.Version{Data: data},
		Look: draw.Look{Theme: draw.NewTheme(true, false)}, Selected: views.Selection{Record: -1}}
	p := NewRecords("v", 2)
	if first := p.Rows(s); first != firstLook/7 || p.Seek(s) == nil {
		t.Errorf("%d found at first", first)
	}
	if !strings.Contains(p.TitleFor(s), "+ of") {
		t.Errorf("the title %q does not say that there may be more", p.TitleFor(s))
	}
	parts, older := 0, p.Seek(s)
	for piece := older; piece != nil; piece = p.Seek(s) {
		parts++
		piece(context.Background(), 0)()
	}
	older(context.Background(), 0)() // must have no effect
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	other := NewRecords("v", 2)
	other.Seek(s)(ended, time.Hour)()
	if other.Rows(s) != firstLook/7 {
		t.Errorf("a search that was cancelled goes on: %d found", other.Rows(s))
	}
	if p.Rows(s) != n/7 || parts != 4 {
		t.Errorf("%d found in %d parts, not %d in 4", p.Rows(s), parts, n/7)
	}
}
