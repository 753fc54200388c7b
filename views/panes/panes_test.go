package panes

import (
	"math"
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/overview"
	"github.com/sdcdesk/sdcdesk/views/pages"
	utilityview "github.com/sdcdesk/sdcdesk/views/utility"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

func TestKeyVariablesPane(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 2), overview.NewKeyVariables()
	p.View(s, 60, 12, true)
	if got := viewtest.Typing(p, &s, "up"); got != (views.SelectVariable{Name: "sex"}) {
		t.Errorf("up from age gives %v", got)
	}
	if got := viewtest.Typing(p, &s, "end", "enter"); got != (views.ShowVariable{Name: "ethnic"}) {
		t.Errorf("enter on the last gives %v", got)
	}
	if got := p.Click(3, 1, s); got != (views.SelectVariable{Name: "region"}) {
		t.Errorf("a click on the first line gives %v", got)
	}
	if got := viewtest.Typing(p, &s, "x"); got != nil {
		t.Errorf("x gives %v", got)
	}
}

// Next to each category is the number of original records that became it, even if some of them were suppressed.
func TestOriginalCounts(t *testing.T) {
	s := viewtest.SurveyAt(t, 3)
	now, before := views.CategoriesOf(s.Current, "ethnic"), views.CategoriesOf(s.Original, "ethnic")
	of := func(label string) int { code, _ := before.CodeOf(label); return before.Counts()[code] }
	for label, want := range map[string]int{"Meri": of("Meri"), "other": of("Kesh") + of("other") + of("Veyra")} {
		code, ok := now.CodeOf(label)
		if counts := now.OriginalCounts(before); !ok || counts[code] != want {
			got := counts[code]
			t.Errorf("%s: %d in the original, not %d", label, got, want)
		}
	}
	if got := before.OriginalCounts(before); got != nil {
		t.Errorf("a variable that did not change has original counts: %v", got)
	}
}

func TestKAnonymityPane(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 1), overview.NewKAnonymity()
	if got := viewtest.Typing(p, &s, "+"); got != (views.SetK{K: 4}) {
		t.Errorf("+ gives %v", got)
	}
	a := s.Current.Assessment
	if frame := p.View(s, 60, 30,
		true); !strings.Contains(frame, draw.Count(a.Table().Violators(a.KeyFrequencies(), 4))) ||
		!strings.Contains(frame, "◆ k = 4") {
		t.Errorf("k = 4, which the scenario does not count, is not listed, or not on the axis:\n%s", frame)
	}
	if got := viewtest.Typing(p, &s, "-", "-", "-"); got != (views.SetK{K: 2}) {
		t.Errorf("- gives %v", got)
	}
	p.View(s, 60, 12, true) // a click applies to what was drawn
	if got := p.Click(1, 3, s); got != (views.SetK{K: 5}) {
		t.Errorf("a click on the third k gives %v", got)
	}
	frame := p.View(s, 60, 15, true)
	for _, figure := range []string{"1,693", "33.9 %", "(3,702", "74.0 %)", "2,498", "history"} {
		if !strings.Contains(frame, figure) {
			t.Errorf("the pane lacks %s:\n%s", figure, frame)
		}
	}
}

// The singular is used for one of anything.
func TestOneOfEach(t *testing.T) {
	content := []byte("a,b\nA,x\n")
	data, _, err := fileio.ReadBytes(t.Context(), "one.csv", content, fileio.Guess(content), nil)
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"a", "b"}
	v, err := viewtest.Measured(data, &scenario)
	if err != nil {
		t.Fatal(err)
	}
	s := viewtest.SurveyAt(t, 0)
	s.Scenario, s.Current, s.Original, s.Selected.Variable = &scenario, v, v, "a"
	for _, c := range []struct {
		pane views.Pane
		want string
	}{{overview.NewFrequencies(), "a · 1 category"}, {overview.NewAtRisk(), "Records at risk · 1 violates 3-anonymity"}} {
		if got := c.pane.TitleFor(s); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Instructions are not cut if there is little room.
func TestNoOpenMeasures(t *testing.T) {
	if frame := utilityview.NewOpenMeasures().View(viewtest.SurveyAt(t, 0), 28, 10, false); strings.Contains(frame, "…") ||
		!strings.Contains(frame, "activates one") {
		t.Errorf("cut:\n%s", frame)
	}
}

// The list looks up violators while it scrolls, and in the end has all of them once, the riskiest first.
func TestAtRiskPane(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 1), overview.NewAtRisk()
	a := s.Current.Assessment
	v := p.Look(s, 0)
	if len(v.Records) >= v.Count {
		t.Fatalf("all %d violators are looked up at once", v.Count)
	}
	first := v.Records[0]
	if got := viewtest.Typing(p, &s, "enter"); got != (views.ShowRecord{Record: first}) {
		t.Errorf("enter gives %v", got)
	}
	viewtest.Typing(p, &s, "end")
	if records := p.Look(s, 0).Records; len(records) != v.Count || s.Selected.Record != records[len(records)-1] {
		t.Fatalf("the end is at %d of %d, record %d is selected", len(records), v.Count, s.Selected.Record)
	}
	if !slices.IsSortedFunc(p.Look(s, 0).Records, func(x, y int) int {
		if d := a.Risk(y) - a.Risk(x); d != 0 {
			return int(math.Copysign(1, d))
		}
		return x - y
	}) {
		t.Error("the violators are not in the order of their risk")
	}
	s.K = 2
	if got := p.Look(s, 0).Count; got != 1693 {
		t.Errorf("%d violators of 2", got)
	}
}

func TestStepsPane(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 2), overview.NewSteps()
	p.View(s, 80, 6, true)
	if got := viewtest.Typing(p, &s, "up", "enter"); got != (views.Jump{Node: 3}) {
		t.Errorf("up and enter give %v", got)
	}
	if got := viewtest.Typing(p, &s, "end", "enter"); got != (views.Jump{Node: 0}) {
		t.Errorf("the last line gives %v", got)
	}
	s.Position = 3
	if p.View(s, 80, 6, true); p.Cursor.At != 0 {
		t.Error("the cursor does not follow the session")
	}
}

func TestRecordPage(t *testing.T) {
	s := viewtest.SurveyAt(t, 0)
	p := pages.NewRecord(319)
	frame := viewtest.Styles.ReplaceAllString(p.View(s, 120, 30, true), "")
	for _, text := range []string{"Hollow Isles", "f = 1", "p/q ln(1/p)", "0.085791", "suppress", "✓ k = 3"} {
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
	for _, p := range append(All(), pages.NewRecord(0)) {
		if seen[p.ID()] || p.ID() == "" || p.Title() == "" {
			t.Errorf("pane %q %q", p.ID(), p.Title())
		}
		seen[p.ID()] = true
	}
}

// A pane without rows offers neither moving nor opening.
func TestPanesWithoutRowsOfferNoRow(t *testing.T) {
	s := viewtest.SurveyAt(t, 0)
	for _, id := range []string{"trials", "open-measures", "ru-map", "suppressions", "risk"} {
		p := newPane(id)
		p.View(s, 80, 20, true)
		for _, b := range p.Keys() {
			if key.Matches(draw.Press("enter"), b) || key.Matches(draw.Press("down"), b) {
				t.Errorf("%s offers %s %s", id, b.Help().Key, b.Help().Desc)
			}
		}
	}
	s.Trials = []views.Trial{{Title: "rounding"}}
	p := newPane("trials")
	p.View(s, 80, 20, true)
	if !slices.ContainsFunc(p.Keys(), func(b key.Binding) bool { return b.Help().Desc == "apply" }) {
		t.Error("a candidate is not offered to be applied")
	}
}
