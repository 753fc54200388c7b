package data

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// onColumn puts the cursor of a grid on a variable.
func onColumn(t *testing.T, p *Records, s *views.State, name string) {
	t.Helper()
	viewtest.Typing(p, s, "o")
	for _, r := range name {
		viewtest.Typing(p, s, string(r))
	}
	viewtest.Typing(p, s, "enter")
	if got := p.current(*s).name(); got != name {
		t.Fatalf("the cursor is on %s, not on %s", got, name)
	}
}

// places returns the records of a grid in their order.
func places(p *Records, s views.State) []int {
	records := make([]int, p.Rows(s))
	for place := range records {
		records[place] = p.record(place)
	}
	return records
}

// Age descending, then income ascending. Records without a value are last, ties are in file order, and a filter
// keeps the order.
func TestSortingRecords(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 0), NewRecords("", 0)
	onColumn(t, p, &s, "age")
	viewtest.Typing(p, &s, "s", "s")
	onColumn(t, p, &s, "income")
	viewtest.Typing(p, &s, "a")
	age, _ := s.Current.Data.Column("age")
	income, _ := s.Current.Data.Column("income")
	by := func(a, b int) int {
		missing := func(c *microdata.Column, record int) int { return map[bool]int{true: 1}[c.Missing(record)] }
		return cmp.Or(cmp.Compare(missing(age, a), missing(age, b)), cmp.Compare(age.Float(b), age.Float(a)),
			cmp.Compare(missing(income, a), missing(income, b)), cmp.Compare(income.Float(a), income.Float(b)), a-b)
	}
	check := func(what string, want int) {
		t.Helper()
		if got := places(p, s); len(got) != want || !slices.IsSortedFunc(got, by) {
			t.Errorf("%s: %d records of %d, in order: %v", what, len(got), want, slices.IsSortedFunc(got, by))
		}
	}
	check("all", 5000)
	frame := p.View(s, 100, 12, true)
	if !strings.Contains(frame, "◆age↓1") || !strings.Contains(frame, "income↑2") {
		t.Errorf("the headings do not say what the records are sorted by:\n%s", frame)
	}
	if title := p.TitleFor(s); !strings.HasSuffix(title, " · by age ↓, income ↑") {
		t.Errorf("the title is %q", title)
	}
	viewtest.Typing(p, &s, "g", "4", "1", "2", "7", "enter")
	if got := p.record(p.Cursor.At); got != 4126 {
		t.Errorf("going to record 4,127 leads to %d", got+1)
	}
	p.takeFilter(s, "sex = female")
	sex, _ := s.Current.Data.Column("sex")
	women := 0
	for record := range s.Records() {
		if sex.Text(record) == "female" {
			women++
		}
	}
	check("women", women)
	p.jump(s, p.record(77))
	if p.Cursor.At != 77 {
		t.Errorf("the place of a record is %d, not 77", p.Cursor.At)
	}
	p.takeFilter(s, "")
	onColumn(t, p, &s, "age")
	viewtest.Typing(p, &s, "s", "s", "s")
	if got := places(p, s); !slices.IsSorted(got) {
		t.Errorf("the third s does not give the order of the file back: %v …", got[:5])
	}
}

// New data are sorted like those before.
func TestOrderFollowsTheData(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 0), NewRecords("", 0)
	viewtest.Typing(p, &s, "F")
	onColumn(t, p, &s, "risk")
	viewtest.Typing(p, &s, "s", "s")
	for _, position := range []int{0, 3} {
		s = viewtest.SurveyAt(t, position)
		a := s.Current.Assessment
		if got := places(p, s); !slices.IsSortedFunc(got,
			func(x, y int) int { return cmp.Or(cmp.Compare(a.Risk(y), a.Risk(x)), x-y) }) {
			t.Errorf("after %d steps the records are not in the order of their risk", position)
		}
	}
}

// A large file is sorted one column at a time, while the earlier order is shown. A sort that was cancelled or
// replaced has no effect.
func TestSortingALargeFile(t *testing.T) {
	s, p := longFile(t), NewRecords("", 0)
	viewtest.Typing(p, &s, "s", "s")
	if frame := p.View(s, 60, 8, true); p.record(0) != 0 || !strings.Contains(p.TitleFor(s), "sorting, 0 of 1 columns") ||
		!strings.Contains(frame, "a↓") {
		t.Errorf("before it is sorted record %d is first: %s\n%s", p.record(0)+1, p.TitleFor(s), frame)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	p.Seek(s)(ended, time.Hour)()
	older := p.Seek(s)(context.Background(), time.Hour)
	viewtest.Typing(p, &s, "right", "a")
	older()
	if p.sorted.shown != nil {
		t.Error("what is not wanted any more is taken")
	}
	parts := 0
	for piece := p.Seek(s); piece != nil; piece = p.Seek(s) {
		parts++
		piece(context.Background(), time.Hour)()
	}
	got := places(p, s)
	if parts != 2 || !slices.IsSortedFunc(got, func(x, y int) int { return cmp.Or(y%7-x%7, x%3-y%3, x-y) }) {
		t.Errorf("sorted in %d parts: %v …", parts, got[:10])
	}
}

// longFile returns a file too long to be sorted between two frames: a is the record number modulo 7, b modulo 3.
func longFile(t *testing.T) views.State {
	t.Helper()
	const n = sortedAtOnce + 17
	var columns []*microdata.Column
	for name, by := range map[string]int{"a": 7, "b": 3} {
		codes, levels := microdata.NewCodes(n, by), make([]microdata.Level, by)
		for level := range levels {
			levels[level] = microdata.Level{Label: fmt.Sprint("v", level), Value: microdata.LabelNumber("v")}
		}
		for record := range n {
			codes.Set(record, uint32(1+record%by))
		}
		columns = append(columns, microdata.NewCategorical(name, microdata.Category, &microdata.Categories{Levels: levels,
			Codes: codes}))
	}
	slices.SortFunc(columns, func(x, y *microdata.Column) int { return strings.Compare(x.Name(), y.Name()) })
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	return views.State{Current: views.Version{Data: data}, Original: views.Version{Data: data},
		Look: draw.Look{Theme: draw.NewTheme(true, false)}, Selected: views.Selection{Record: -1}}
}

func TestFiguresOfRecords(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 3), NewRecords("", 0)
	onColumn(t, p, &s, "age")
	viewtest.Typing(p, &s, "F")
	if got := p.current(s).name(); got != "age" {
		t.Errorf("the cursor went to %s", got)
	}
	viewtest.Typing(p, &s, "o", "r", "i", "s", "k", "enter")
	frame := p.View(s, 100, 12, true)
	a := s.Current.Assessment
	want := strings.TrimPrefix(fmt.Sprintf("%.4f", a.Risk(0)), "0")
	if lines := strings.Split(frame, "\n"); !strings.Contains(lines[1], want) || !strings.Contains(lines[0], "f  ") ||
		!strings.Contains(frame, "re-identified") {
		t.Errorf("the first record has no risk of %s:\n%s", want, frame)
	}
	if p.Variable(s) != "" {
		t.Error("the risk is taken for a variable")
	}
	viewtest.Typing(p, &s, "F")
	if p.columns(s)[0].variable == nil {
		t.Error("the figures stay")
	}
	s.Scenario = &microdata.Scenario{}
	s.Current.Assessment = nil
	viewtest.Typing(p, &s, "F")
	if frame := p.View(s, 100, 12, true); !strings.Contains(frame, "there are no key variables") {
		t.Errorf("without key variables:\n%s", frame)
	}
}

func TestHidingAndMovingColumns(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 0), NewRecords("", 0)
	onColumn(t, p, &s, "hid")
	names := func() string {
		var names []string
		for _, c := range p.columns(s)[:4] {
			names = append(names, c.name())
		}
		return strings.Join(names, " ")
	}
	for _, test := range []struct{ key, want, at string }{
		{"x", "pid region urbrur hsize", "pid"},
		{">", "region pid urbrur hsize", "pid"},
		{">", "region urbrur pid hsize", "pid"},
		{"<", "region pid urbrur hsize", "pid"},
		{"right", "region pid urbrur hsize", "urbrur"},
		{"x", "region pid hsize roof", "hsize"},
		{"X", "hid pid region urbrur", "hsize"},
	} {
		viewtest.Typing(p, &s, test.key)
		if got := names(); got != test.want || p.current(s).name() != test.at {
			t.Errorf("after %s: %s, the cursor on %s", test.key, got, p.current(s).name())
		}
	}
	if title := p.TitleFor(s); strings.Contains(title, "hidden") {
		t.Errorf("nothing is hidden: %s", title)
	}
	viewtest.Typing(p, &s, "x")
	viewtest.Typing(p, &s, "x")
	if title := p.TitleFor(s); !strings.Contains(title, "2 columns hidden") {
		t.Error(title)
	}
	for range 100 {
		viewtest.Typing(p, &s, "x")
	}
	if len(p.columns(s)) != 1 {
		t.Errorf("%d columns are left", len(p.columns(s)))
	}
}

// Columns are as wide as the widest cell that is or was visible.
func TestWidthsFitWhatIsInSight(t *testing.T) {
	labels := slices.Repeat([]string{"a"}, 40)
	labels[30], labels[35] = strings.Repeat("b", 10), strings.Repeat("c", 40)
	levels, codes := []microdata.Level{}, microdata.NewCodes(40, 40)
	for record, label := range labels {
		levels = append(levels, microdata.Level{Label: fmt.Sprint(label, record), Value: microdata.LabelNumber("a")})
		codes.Set(record, uint32(record+1))
	}
	data, err := microdata.NewDataset([]*microdata.Column{
		microdata.NewCategorical("v", microdata.Category, &microdata.Categories{Levels: levels, Codes: codes}),
		microdata.NewCategorical("next", microdata.Category, &microdata.Categories{Levels: levels, Codes: codes})})
	if err != nil {
		t.Fatal(err)
	}
	s := views.State{Current: views.Version{Data: data}, Original: views.Version{Data: data},
		Look: draw.Look{Theme: draw.NewTheme(true, false)}, Selected: views.Selection{Record: -1}}
	p := NewRecords("", 0)
	at := func() int {
		head, _, _ := strings.Cut(viewtest.Styles.ReplaceAllString(p.View(s, 120, 8, true), ""), "\n")
		return strings.Index(head, "next") - strings.Index(head, "v")
	}
	for _, test := range []struct {
		keys []string
		want int
	}{{nil, 3}, {slices.Repeat([]string{"down"}, 30), 13}, {[]string{"end"}, 25}, {[]string{"home"}, 25},
		{[]string{"w"}, 43}, {[]string{"w"}, 25}} {
		viewtest.Typing(p, &s, test.keys...)
		if got := at(); got != test.want {
			t.Errorf("after %v the column takes %d cells, not %d", test.keys, got, test.want)
		}
	}
}
