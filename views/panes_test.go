package views

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

func TestKeyVariablesPane(t *testing.T) {
	s, p := surveyAt(t, 2), NewKeyVariables()
	p.View(s, 60, 12, true)
	if got := typing(p, &s, "up"); got != (SelectVariable{"sex"}) {
		t.Errorf("up from age gives %v", got)
	}
	if got := typing(p, &s, "end", "enter"); got != (ShowVariable{"ethnic"}) {
		t.Errorf("enter on the last gives %v", got)
	}
	if got := p.Click(3, 1, s); got != (SelectVariable{"region"}) {
		t.Errorf("a click on the first line gives %v", got)
	}
	if got := typing(p, &s, "x"); got != nil {
		t.Errorf("x gives %v", got)
	}
}

func TestFrequenciesPane(t *testing.T) {
	s, p := surveyAt(t, 0), NewFrequencies()
	s.Selected.Variable = "region"
	if got := typing(p, &s, "down"); got != (SelectLevel{2}) {
		t.Errorf("down gives %v", got)
	}
	if got := typing(p, &s, "enter"); got != (ShowRecords{"region", 2}) {
		t.Errorf("enter gives %v", got)
	}
	typing(p, &s, "s")
	counts := categoriesOf(s.Current, "region").Counts()
	codes := codesOf(p, s)
	if !slices.IsSortedFunc(codes, func(a, b uint32) int { return counts[b] - counts[a] }) {
		t.Errorf("%v is not sorted by %v", codes, counts)
	}
	typing(p, &s, "/", "I", "S", "L", "e", "s")
	if !p.Typing() || len(codesOf(p, s)) != 1 {
		t.Errorf("the filter isles leaves %d", len(codesOf(p, s)))
	}
	typing(p, &s, "enter")
	if p.Typing() || len(codesOf(p, s)) != 1 {
		t.Error("enter does not keep the filter")
	}
	typing(p, &s, "esc")
	if len(codesOf(p, s)) != 8 {
		t.Error("esc does not take the filter back")
	}
	typing(p, &s, "/", "a")
	s.Selected.Variable = "sex"
	if p.View(s, 40, 10, true); len(codesOf(p, s)) != 2 {
		t.Error("the filter of one variable goes on with another")
	}
}

// Beside each category stands how many records of the original became it, also
// where suppression took some of them away.
func TestOriginalCounts(t *testing.T) {
	s := surveyAt(t, 3)
	now, before := categoriesOf(s.Current, "ethnic"), categoriesOf(s.Original, "ethnic")
	of := func(label string) int { code, _ := before.CodeOf(label); return before.Counts()[code] }
	for label, want := range map[string]int{"Meri": of("Meri"), "other": of("Kesh") + of("other") + of("Veyra")} {
		code, ok := now.CodeOf(label)
		if _, counts := fates(now, before); !ok || counts[code] != want {
			got := counts[code]
			t.Errorf("%s: %d in the original, not %d", label, got, want)
		}
	}
	if _, got := fates(before, before); got != nil {
		t.Errorf("a variable that did not change has original counts: %v", got)
	}
}

func TestOriginalCountsOfWhatIsLost(t *testing.T) {
	levels := func(labels string) []microdata.Level {
		var all []microdata.Level
		for _, label := range labels {
			all = append(all, microdata.Level{Label: string(label), Value: math.NaN()})
		}
		return all
	}
	categories := func(labels, codes string, ordered bool) *microdata.Categories {
		c := &microdata.Categories{Levels: levels(labels), Codes: microdata.NewCodes(len(codes), len(labels)), Ordered: ordered}
		for i, code := range codes {
			c.Codes.Set(i, uint32(code-'0'))
		}
		return c
	}
	tests := []struct {
		name        string
		before, now *microdata.Categories
		want        []int
	}{
		{"between two of the same fate", categories("abcde", "12345", true), categories("AB", "10122", true), []int{0, 3, 2}},
		{"between two of different fate", categories("abcde", "12345", true), categories("AB", "11022", true), []int{0, -1, -1}},
		{"at the end", categories("abcd", "1234", true), categories("AB", "1120", true), []int{0, 2, -1}},
		{"without an order", categories("abcd", "1234", false), categories("AB", "1022", false), []int{0, -1, -1}},
		{"one becomes several", categories("ab", "112", true), categories("AB", "122", true), nil},
		{"missing from the beginning", categories("ab", "0012", true), categories("A", "0011", true), []int{2, 2}},
	}
	for _, test := range tests {
		if _, got := fates(test.now, test.before); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, not %v", test.name, got, test.want)
		}
	}
}

func TestKAnonymityPane(t *testing.T) {
	s, p := surveyAt(t, 1), NewKAnonymity()
	if got := typing(p, &s, "+"); got != (SetK{4}) {
		t.Errorf("+ gives %v", got)
	}
	a := s.Current.Assessment
	if frame := p.View(s, 60, 30, true); !strings.Contains(frame, Count(a.Table().Violators(a.KeyFrequencies(), 4))) || !strings.Contains(frame, "4▴") {
		t.Errorf("k = 4, which the scenario does not count, is not listed, or not on the axis:\n%s", frame)
	}
	if got := typing(p, &s, "-", "-", "-"); got != (SetK{2}) {
		t.Errorf("- gives %v", got)
	}
	p.View(s, 60, 12, true) // a click falls on what was drawn
	if got := p.Click(1, 3, s); got != (SetK{5}) {
		t.Errorf("a click on the third k gives %v", got)
	}
	frame := p.View(s, 60, 15, true)
	for _, figure := range []string{"1,693", "33.860 %", "(3,702", "74.040 %)", "2,498", "history"} {
		if !strings.Contains(frame, figure) {
			t.Errorf("the pane lacks %s:\n%s", figure, frame)
		}
	}
}

// Brackets stand close to what is in them, with the counts under each other.
func TestBracketsOfViolators(t *testing.T) {
	v := []risk.Violators{{K: 2, Count: 383}, {K: 3, Count: 4397}, {K: 5, Count: 10000}}
	for width, want := range map[int][]string{
		60: {"    (383    3.830 %)", "  (4,397   43.970 %)", " (10,000  100.000 %)"},
		20: {"   (383)", " (4,397)", "(10,000)"},
	} {
		if _, got := violatorTexts(v, v, 10000, width); !slices.Equal(got, want) {
			t.Errorf("in %d cells %q, want %q", width, got, want)
		}
	}
}

// One of something is not many.
func TestOneOfEach(t *testing.T) {
	content := []byte("a,b\nA,x\n")
	data, _, err := fileio.ReadBytes(t.Context(), "one.csv", content, fileio.Guess(content), nil)
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"a", "b"}
	v, err := measured(data, &scenario)
	if err != nil {
		t.Fatal(err)
	}
	s := surveyAt(t, 0)
	s.Scenario, s.Current, s.Original, s.Selected.Variable = &scenario, v, v, "a"
	for _, c := range []struct {
		pane Pane
		want string
	}{{NewFrequencies(), "a · 1 category"}, {NewAtRisk(), "Records at risk · 1 violates k = 3"}} {
		if got := c.pane.TitleFor(s); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// What to do is not cut where there is little room.
func TestNoOpenMeasures(t *testing.T) {
	if frame := NewOpenMeasures().View(surveyAt(t, 0), 28, 10, false); strings.Contains(frame, "…") || !strings.Contains(frame, "opens one") {
		t.Errorf("cut:\n%s", frame)
	}
}

// The list looks up violators as it is scrolled, and in the end has them all,
// each once, the riskiest first.
func TestAtRiskPane(t *testing.T) {
	s, p := surveyAt(t, 1), NewAtRisk()
	a := s.Current.Assessment
	v := p.look(s, 0)
	if len(v.records) >= v.count {
		t.Fatalf("all %d violators are looked up at once", v.count)
	}
	first := v.records[0]
	if got := typing(p, &s, "enter"); got != (ShowRecord{first}) {
		t.Errorf("enter gives %v", got)
	}
	typing(p, &s, "end")
	if records := p.look(s, 0).records; len(records) != v.count || s.Selected.Record != records[len(records)-1] {
		t.Fatalf("the end is at %d of %d, record %d is selected", len(records), v.count, s.Selected.Record)
	}
	if !slices.IsSortedFunc(p.look(s, 0).records, func(x, y int) int {
		if d := a.Risk(y) - a.Risk(x); d != 0 {
			return int(math.Copysign(1, d))
		}
		return x - y
	}) {
		t.Error("the violators are not in the order of their risk")
	}
	s.K = 2
	if got := p.look(s, 0).count; got != 1693 {
		t.Errorf("%d violators of 2", got)
	}
}

func TestStepsPane(t *testing.T) {
	s, p := surveyAt(t, 2), NewSteps()
	p.View(s, 80, 6, true)
	if got := typing(p, &s, "up", "enter"); got != (Jump{3}) {
		t.Errorf("up and enter give %v", got)
	}
	if got := typing(p, &s, "end", "enter"); got != (Jump{0}) {
		t.Errorf("the last line gives %v", got)
	}
	s.Position = 3
	if p.View(s, 80, 6, true); p.cursor.At != 0 {
		t.Error("the cursor does not follow the session")
	}
}

func TestRecordsPane(t *testing.T) {
	s, p := surveyAt(t, 3), NewRecords("", 0)
	s.Selected.Variable = "hid"
	frame := p.View(s, 100, 12, true)
	if !strings.Contains(frame, "◆region") {
		t.Errorf("the key variable is not marked:\n%s", frame)
	}
	if got := typing(p, &s, "g", "4", "1", "2", "7", "enter"); got != (SelectRecord{4126}) {
		t.Errorf("going to record 4,127 gives %v", got)
	}
	if frame = p.View(s, 100, 12, true); !strings.Contains(frame, "4,127") {
		t.Errorf("record 4,127 is not in sight:\n%s", frame)
	}
	if got := typing(p, &s, "enter"); got != (ShowRecord{4126}) {
		t.Errorf("enter gives %v", got)
	}
	typing(p, &s, "home")
	for range 11 {
		typing(p, &s, "right")
	}
	if frame = p.View(s, 60, 12, true); !strings.Contains(frame, "age: suppressed, was 32") {
		t.Errorf("the cell under the cursor is not told about:\n%s", frame)
	}
}

func TestClickingCells(t *testing.T) {
	s, p := surveyAt(t, 3), NewRecords("", 0)
	s.Selected.Variable = "hid"
	frame := strings.Split(styles.ReplaceAllString(p.View(s, 100, 12, true), ""), "\n")
	at := Width(frame[0][:strings.Index(frame[0], "◆urbrur")])
	if got := p.Click(at, 3, s); got != (SelectRecord{2}) || p.cursor.Column != 3 {
		t.Errorf("a click on urbrur of the third record gives %v, column %d", got, p.cursor.Column)
	}
	if got := p.Click(at+2, 3, s); got != (ShowRecord{2}) {
		t.Errorf("a second click gives %v", got)
	}
	if p.Click(at-2, 0, s); p.cursor.Column != 2 {
		t.Errorf("a click on the name of region chooses column %d", p.cursor.Column)
	}
}

func TestFilteringRecords(t *testing.T) {
	s, p := surveyAt(t, 0), NewRecords("sex", 1)
	inCategory := p.rows(s)
	if want := categoriesOf(s.Current, "sex").Counts()[1]; inCategory != want {
		t.Fatalf("%d records of the category, not %d", inCategory, want)
	}
	typing(p, &s, "/")
	for _, r := range "age >" {
		typing(p, &s, string(r))
	}
	typing(p, &s, "enter")
	if frame := p.View(s, 90, 10, true); !p.Typing() || !strings.Contains(frame, "a value is expected") {
		t.Errorf("a filter that makes no sense is taken:\n%s", frame)
	}
	typing(p, &s, " ", "9", "0", "enter")
	if rows := p.rows(s); p.Typing() || rows == 0 || rows >= inCategory {
		t.Errorf("%d of %d records", rows, inCategory)
	}
	for place := range p.rows(s) {
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
	typing(p, &s, "esc")
	if p.rows(s) != inCategory {
		t.Error("esc does not take the filter back")
	}
}

// A long file is looked through in parts; what is found is the same.
func TestLookingThroughALongFile(t *testing.T) {
	const n = firstLook + 3*lookAtOnce + 17
	codes := microdata.NewCodes(n, 2)
	for record := range n {
		codes.Set(record, uint32(1+record%7/6))
	}
	column := microdata.NewCategorical("v", microdata.Category, &microdata.Categories{Levels: []microdata.Level{{Label: "a"}, {Label: "b"}}, Codes: codes})
	data, err := microdata.NewDataset([]*microdata.Column{column})
	if err != nil {
		t.Fatal(err)
	}
	s := State{Current: Version{Data: data}, Original: Version{Data: data}, Theme: NewTheme(true, false), Selected: Selection{Record: -1}}
	p := NewRecords("v", 2)
	if first := p.rows(s); first != firstLook/7 || p.Seek(s) == nil {
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
	older(context.Background(), 0)() // has nothing more to say
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	other := NewRecords("v", 2)
	other.Seek(s)(ended, time.Hour)()
	if other.rows(s) != firstLook/7 {
		t.Errorf("a search that was cancelled goes on: %d found", other.rows(s))
	}
	if p.rows(s) != n/7 || parts != 4 {
		t.Errorf("%d found in %d parts, not %d in 4", p.rows(s), parts, n/7)
	}
}

func TestRecordPage(t *testing.T) {
	s := surveyAt(t, 0)
	p := NewRecord(319)
	frame := styles.ReplaceAllString(p.View(s, 120, 30, true), "")
	for _, text := range []string{"Hollow Isles", "f = 1", "p/q ln(1/p)", "0.085791", "blank in", "✓ k = 3"} {
		if !strings.Contains(frame, text) {
			t.Errorf("the page lacks %q:\n%s", text, frame)
		}
	}
	if figures := p.Figures(s); len(figures) != 4 || !strings.Contains(figures[0].Value, "0.085791") {
		t.Errorf("figures: %+v", figures)
	}
}

func TestPanesHaveTheirIDs(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range append(All(), NewRecord(0)) {
		if seen[p.ID()] || p.ID() == "" || p.Title() == "" {
			t.Errorf("pane %q %q", p.ID(), p.Title())
		}
		seen[p.ID()] = true
	}
}

// Arranged columns fit into the width as soon as the least widths of those that
// must stay do.
func TestArrange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fields := make([]Column, rapid.IntRange(1, 8).Draw(t, "columns"))
		least := -1
		for i := range fields {
			f := Column{Size: rapid.IntRange(1, 30).Draw(t, "size"), Rank: rapid.IntRange(0, 3).Draw(t, "rank")}
			f.Least = rapid.IntRange(0, f.Size).Draw(t, "least")
			if f.Rank == 0 {
				least += 1 + f.Least
				if f.Least == 0 {
					least += f.Size
				}
			}
			fields[i] = f
		}
		before := fmt.Sprint(fields)
		width := rapid.IntRange(1, 150).Draw(t, "width")
		arrange(fields, width)
		spread(fields, max(width, 0))
		if used := taken(fields, func(f Column) int { return f.Size }); used > width && least <= width {
			t.Fatalf("%s take %d of %d cells", before, used, width)
		}
	})
}

// codesOf returns the codes that a list of categories shows.
func codesOf(p *Frequencies, s State) []uint32 {
	return p.look(s, categoriesOf(s.Current, s.Selected.Variable)).codes
}

// A pane without a row offers neither to move among rows nor to open one.
func TestPanesWithoutRowsOfferNoRow(t *testing.T) {
	s := surveyAt(t, 0)
	for _, id := range []string{"trials", "open-measures", "ru-map", "suppressions", "risk"} {
		p := newPane(id)
		p.View(s, 80, 20, true)
		for _, b := range p.Keys() {
			if key.Matches(press("enter"), b) || key.Matches(press("down"), b) {
				t.Errorf("%s offers %s %s", id, b.Help().Key, b.Help().Desc)
			}
		}
	}
	s.Trials = []Trial{{Title: "rounding"}}
	p := newPane("trials")
	p.View(s, 80, 20, true)
	if !slices.ContainsFunc(p.Keys(), func(b key.Binding) bool { return b.Help().Desc == "apply" }) {
		t.Error("a candidate is not offered to be applied")
	}
}
