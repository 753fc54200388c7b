package data

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// The key patterns stay sorted by the same column, even if the scenario no longer has households.
func TestDistinctKeysStaySorted(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 0), NewDistinctKeys()
	viewtest.Sees(t, p, s, 120, 20)
	keys, _ := p.of(s)
	p.putOn(keys, s.Keys()[0])
	viewtest.Typing(p, &s, "s", "s")
	descending := func() {
		t.Helper()
		viewtest.Sees(t, p, s, 120, 20)
		codes := s.Current.Assessment.Table().Codes(0)
		keys, _ := p.of(s)
		for row := 1; row < p.Rows(keys); row++ {
			if codes[p.record(row)] > codes[p.record(row-1)] {
				t.Fatalf("row %d is not in order", row)
			}
		}
	}
	descending()
	alone := s.Scenario.Clone()
	alone.Household = ""
	version, err := viewtest.Measured(s.Current.Data, &alone)
	if err != nil {
		t.Fatal(err)
	}
	s.Scenario, s.Current, s.Original = &alone, version, version
	descending()
}

// A key variable may have the same name as a figure.
func TestDistinctKeysOfVariablesNamedAsFigures(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 0), NewDistinctKeys()
	var columns []*microdata.Column
	scenario := microdata.Scenario{Rule: s.Scenario.Rule}
	for place, name := range []string{"risk", "f", "hh. risk"} {
		of := s.Current.Column(s.Keys()[place])
		columns = append(columns, microdata.NewCategorical(name, of.Kind(), of.Categories()))
		scenario.Keys = append(scenario.Keys, name)
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	version, err := viewtest.Measured(data, &scenario)
	if err != nil {
		t.Fatal(err)
	}
	s.Scenario, s.Current, s.Original = &scenario, version, version
	frame := viewtest.Sees(t, p, s, 120, 20)
	for _, head := range []string{"key risk", "key f", "◆risk", "◆f", "◆hh. risk"} {
		if !strings.Contains(frame, head) {
			t.Errorf("no column %s in\n%s", head, frame)
		}
	}
}

// The line below the key patterns, and copied texts, format figures like the rows.
func TestDistinctKeysSpellFigures(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 0), NewDistinctKeys()
	viewtest.Sees(t, p, s, 120, 20)
	viewtest.Typing(p, &s, "down")
	if frame := viewtest.Sees(t, p, s, 120, 20); !strings.Contains(frame, " records: 1 ") {
		t.Error(frame)
	}
	if copied, _ := viewtest.Typing(p, &s, "y").(views.Copy); copied.Text != "1" || copied.What != "records of key 2" {
		t.Errorf("%q, %s", copied.Text, copied.What)
	}
	viewtest.Typing(p, &s, "x")
	if title := p.TitleFor(s); !strings.HasSuffix(title, " · 1 column hidden") {
		t.Error(title)
	}
}

// Labelled codes of key patterns are aligned.
func TestDistinctKeysAlignMeanings(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 0), NewDistinctKeys()
	age := s.Current.Column("age").WithDescription(&microdata.Description{Labels: map[string]string{"5": "five years old"}})
	data, err := microdata.NewDataset([]*microdata.Column{age})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.Scenario{Rule: s.Scenario.Rule, Keys: []string{"age"}}
	version, err := viewtest.Measured(data, &scenario)
	if err != nil {
		t.Fatal(err)
	}
	s.Scenario, s.Current, s.Original = &scenario, version, version
	p.By = draw.Sorting{{Id: "age"}}
	frame := strings.Split(viewtest.Sees(t, p, s, 120, 20), "\n")
	head := strings.Index(frame[0], "◆age")
	if head < 0 || !strings.Contains(strings.Join(frame, "\n"), "5 five years old") {
		t.Fatal(strings.Join(frame, "\n"))
	}
	for _, line := range frame[1:10] {
		if cell := []rune(line)[len([]rune(frame[0][:head]))]; cell == ' ' {
			t.Errorf("not below the heading: %s", line)
		}
	}
}
