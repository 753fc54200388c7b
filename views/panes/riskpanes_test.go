package panes

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk/suda"
	"github.com/sdcdesk/sdcdesk/views"
	dataview "github.com/sdcdesk/sdcdesk/views/data"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/overview"
	"github.com/sdcdesk/sdcdesk/views/pages"
	riskview "github.com/sdcdesk/sdcdesk/views/risk"
	utilityview "github.com/sdcdesk/sdcdesk/views/utility"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// Panes of active measures fill any size exactly, even while the data change.
func TestRiskPanesHaveTheirSize(t *testing.T) {
	s := viewtest.Opening(t, 2, "suda", "ldiversity", "tcloseness", "inference")
	for _, stale := range []bool{false, true} {
		for i := range s.Measures {
			s.Measures[i].Stale = stale
		}
		for _, id := range []string{"suda", "diversity", "inference", "open-measures", "risk-distribution"} {
			p := newPane(id)
			for width := 1; width < 130; width += 7 {
				for _, height := range []int{1, 2, 3, 5, 9, 14, 30} {
					viewtest.CheckFrame(t, id, p.View(s, width, height, true), width, height)
					viewtest.Typing(p, &s, "t", "down", "x")
				}
			}
		}
	}
}

// Figures of an earlier position are marked, and their key patterns are not labelled from the current data.
func TestRiskPanesOfEarlierData(t *testing.T) {
	s := viewtest.Opening(t, 2, "suda", "ldiversity", "inference")
	for i := range s.Measures {
		s.Measures[i].Stale, s.Measures[i].Of = true, "step 1"
	}
	for _, id := range []string{"suda", "diversity", "inference"} {
		if text := newPane(id).View(s, 80, 20, true); !strings.Contains(text, "as of step 1, not of the current data") {
			t.Errorf("%s does not say that it is old:\n%s", id, text)
		}
	}
	p := newPane("diversity")
	p.View(s, 80, 20, true)
	if got := viewtest.Typing(p, &s, "enter"); got != (draw.Handled{}) {
		t.Errorf("enter on a key of other data gives %v", got)
	}
}

// A scenario with fewer key variables, under which the measure is not computed yet.
func TestDiversityUnderAnotherScenario(t *testing.T) {
	s := viewtest.Opening(t, 0, "ldiversity")
	p := newPane("diversity")
	if text := p.View(s, 80, 20, true); !strings.Contains(text, "key pattern with region merged") {
		t.Fatalf("nothing is said of the key under the cursor:\n%s", text)
	}
	other := s.Scenario.Clone()
	other.Keys = other.Keys[:1]
	s.Scenario, s.Measures[0].Stale = &other, true
	if text := p.View(s, 80, 20, true); strings.Contains(text, "key pattern with region merged") {
		t.Errorf("a key of other variables is spelled with these:\n%s", text)
	}
}

// A measure that was stopped says so everywhere, with the key to restart it.
func TestStoppedMeasures(t *testing.T) {
	s := viewtest.Opening(t, 0, "suda", "ldiversity", "inference")
	for i := range s.Measures {
		s.Measures[i].Stopped, s.Measures[i].Current = true, nil
	}
	for id, name := range map[string]string{"suda": "suda", "diversity": "ldiversity", "inference": "inference",
		"open-measures": "suda", "utility": "suda"} {
		p := newPane(id)
		if text := p.View(s, 120, 20, true); !strings.Contains(text, "it was stopped. c computes it") {
			t.Errorf("%s does not say that it was stopped:\n%s", id, text)
		}
		if got := viewtest.Typing(p, &s, "c"); got != (views.StopMeasure{Name: name}) {
			t.Errorf("c in %s gives %v", id, got)
		}
	}
}

func TestRiskPanesOpenTheirMeasures(t *testing.T) {
	s := viewtest.SurveyAt(t, 0)
	for id, name := range map[string]string{"suda": "suda", "diversity": "ldiversity", "inference": "inference"} {
		p := newPane(id)
		p.View(s, 60, 12, true)
		if got := viewtest.Typing(p, &s, "enter"); got != (views.ComputeMeasure{Name: name}) {
			t.Errorf("enter in %s gives %v", id, got)
		}
	}
	s = viewtest.Opening(t, 0, "ldiversity")
	p := newPane("diversity")
	p.View(s, 80, 20, true)
	shown, ok := viewtest.Typing(p, &s, "enter").(views.ShowMatching)
	if !ok || !strings.Contains(shown.Condition, "region = ") {
		t.Errorf("enter on a key gives %v", shown)
	}
}

// A row of attribute inference selects the revealing variable, and names the remedy.
func TestInferenceSaysWhatHelps(t *testing.T) {
	s := viewtest.Opening(t, 3, "inference")
	p := newPane("inference")
	text := p.View(s, 100, 20, true)
	for _, part := range []string{"inferable cells 194", "hid (household)", "Remove hid."} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
	if got, ok := viewtest.Typing(p, &s, "down").(views.SelectVariable); !ok || got.Name == "hid" {
		t.Errorf("down gives %v", got)
	}
}

// The page of a record names its minimal sample uniques and its rank by each record-level figure.
func TestRecordStandsSomewhere(t *testing.T) {
	s := viewtest.Opening(t, 0, "suda")
	p := pages.NewRecord(319)
	if text := p.View(s, 140, 40, true); !strings.Contains(text, "counting …") || strings.Contains(text, "SUDA") {
		t.Errorf("records are gone through while the page is drawn:\n%s", text)
	}
	p.Seek(s)(t.Context(), time.Hour)()
	text := viewtest.Styles.ReplaceAllString(p.View(s, 140, 40, true), "")
	key := int(s.Current.Assessment.Table().Key(319))
	found := s.Measures[0].Current.Values.Result.(*suda.Result)
	if got := p.Analysis(s).Uniques; !slices.Equal(got, found.MSUs(key)) || len(got) == 0 {
		t.Errorf("minimal sample uniques %b, want %b", got, found.MSUs(key))
	}
	higher := 0
	score := found.Score(key)
	for record := range s.Records() {
		if found.Score(int(s.Current.Assessment.Table().Key(record))) > score {
			higher++
		}
	}
	if want := " " + draw.Count(higher+1) + " of 5,000"; !strings.Contains(text, want) {
		t.Errorf("the SUDA score has no %q:\n%s", want, text)
	}
}

// The threshold starts where the global risk is the target, moves along the risks of the file, and counts the
// records above it.
func TestThresholdMoves(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 0), riskview.NewRiskDistribution()
	frame := p.View(s, 80, 20, true)
	value, _ := s.Current.Assessment.Threshold(0.01)
	records, _ := s.Current.Assessment.Distribution().Above(value)
	if !strings.Contains(frame, "1.0 % with these risks capped, 0.1 % without these records") || !strings.Contains(frame,
		": "+draw.Count(records)+" records") {
		t.Errorf("at first:\n%s", frame)
	}
	p.HandleKey(tea.KeyPressMsg{Code: tea.KeyRight, Mod: tea.ModShift}, s)
	risks := s.Current.Assessment.Distribution().Risks()
	if at, _ := slices.BinarySearch(risks, value); p.Threshold != risks[at+1] || p.Threshold > risks[len(risks)-1] {
		t.Errorf("one further is %v from %v", p.Threshold, value)
	}
	for range 80 {
		viewtest.Typing(p, &s, "right")
	}
	if frame = p.View(s, 80, 20, true); p.Threshold != risks[len(risks)-1] ||
		!strings.Contains(frame, ": 0 records") {
		t.Errorf("at the end:\n%s", frame)
	}
	viewtest.Typing(p, &s, "x", "c", "left")
	if frame = p.View(s, 80, 20, true); !strings.Contains(frame, " > 0.01") ||
		!strings.Contains(p.TitleFor(s), "linear") {
		t.Errorf("linear and cumulative:\n%s", frame)
	}
	if figures := p.Figures(s); len(figures) == 0 ||
		figures[0].Values[len(figures[0].Values)-1] != figures[0].Value+" records" {
		t.Errorf("figures %+v", figures)
	}
	if got, ok := viewtest.Typing(p, &s, "enter").(views.ShowMatching); !ok ||
		!strings.HasPrefix(got.Condition, "risk > ") {
		t.Errorf("enter gives %v", got)
	}
}

// Enter shows exactly the records above the threshold, even if a risk has more digits than are shown.
func TestRecordsAboveTheThreshold(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 0), riskview.NewRiskDistribution()
	for range 40 {
		viewtest.Typing(p, &s, "left")
		shown := viewtest.Typing(p, &s, "enter").(views.ShowMatching)
		grid := dataview.NewMatching(shown.Condition)
		viewtest.Sees(t, grid, s, 80, 20)
		if want, _ := s.Current.Assessment.Distribution().Above(p.Threshold); grid.Rows(s) != want {
			t.Fatalf("%q shows %d records, %d are above", shown.Condition, grid.Rows(s), want)
		}
	}
}

// The figure under the cursor is explained first, then all others.
func TestFigureUnderTheCursorIsExplainedFirst(t *testing.T) {
	s := viewtest.Opening(t, 2, "suda", "tcloseness")
	s.K = 5
	for _, p := range []views.Pane{views.NewMeasured("suda"), utilityview.NewUtility(), overview.NewKAnonymity()} {
		p.View(s, 120, 40, true)
		before := p.Figures(s)
		viewtest.Typing(p, &s, "down", "down")
		after := p.Figures(s)
		if len(before) < 3 || len(after) != len(before) {
			t.Fatalf("%s: %d figures, then %d", p.ID(), len(before), len(after))
		}
		want := "Highest score" // the third of the main figures
		if p.ID() == "k-anonymity" {
			want = "Violators of 5-anonymity"
		} else if p.ID() == "utility" {
			want = before[1].Name // the first row is the title of the measure
		}
		if after[0].Name != want {
			t.Errorf("%s explains %q first, not %q", p.ID(), after[0].Name, want)
		}
	}
}

// A frame of a measure's table costs as much for very many rows as for few.
func TestTableOfAMeasureWithManyRows(t *testing.T) {
	s := viewtest.SurveyAt(t, 0)
	cost := func(rows int) float64 {
		table := measure.Table{Columns: []string{"variable", "category", "percent"}}
		for i := range rows {
			category := microdata.Combination{{Variable: "age", Label: fmt.Sprint(i)}}
			table.Rows = append(table.Rows, []any{"age", category, measure.Percent(1)})
		}
		return testing.AllocsPerRun(3, func() {
			shown := s.TableOf(&table, nil, &draw.Cursor{})
			shown.View(s.Look, &draw.Cursor{}, 98, 28, true)
		})
	}
	if few, many := cost(2*views.MostExamined), cost(100*views.MostExamined); many > 2*few {
		t.Errorf("%v allocations for many rows, %v for few", many, few)
	}
}

// For a step that names very many categories, a line formats no more labels than may fit.
func TestMeaningsOfAStepInALine(t *testing.T) {
	s, step := viewtest.SurveyAt(t, 0), views.Step{Meanings: make([]method.Meaning, 10_000)}
	if n := len(s.Meant(step.Meanings, 80)); n != 80 {
		t.Errorf("%d are spelled", n)
	}
	if n := len(s.Meant(step.Meanings, 20_000)); n != 10_000 {
		t.Errorf("%d are spelled", n)
	}
}
