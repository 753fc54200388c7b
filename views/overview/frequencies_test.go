package overview

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

func TestFrequenciesPane(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 0), NewFrequencies()
	s.Selected.Variable = "region"
	if got := viewtest.Typing(p, &s, "down"); got != (views.SelectLevel{Level: 2}) {
		t.Errorf("down gives %v", got)
	}
	if got := viewtest.Typing(p, &s, "enter"); got != (views.ShowRecords{Variable: "region", Level: 2}) {
		t.Errorf("enter gives %v", got)
	}
	viewtest.Typing(p, &s, "s")
	counts := views.CategoriesOf(s.Current, "region").Counts()
	codes := codesOf(p, s)
	if !slices.IsSortedFunc(codes, func(a, b uint32) int { return counts[b] - counts[a] }) {
		t.Errorf("%v is not sorted by %v", codes, counts)
	}
	viewtest.Typing(p, &s, "/", "I", "S", "L", "e", "s")
	if !p.Typing() || len(codesOf(p, s)) != 1 {
		t.Errorf("the filter isles leaves %d", len(codesOf(p, s)))
	}
	viewtest.Typing(p, &s, "enter")
	if p.Typing() || len(codesOf(p, s)) != 1 {
		t.Error("enter does not keep the filter")
	}
	viewtest.Typing(p, &s, "esc")
	if len(codesOf(p, s)) != 8 {
		t.Error("esc does not take the filter back")
	}
	viewtest.Typing(p, &s, "/", "a")
	s.Selected.Variable = "sex"
	if p.View(s, 40, 10, true); len(codesOf(p, s)) != 2 {
		t.Error("the filter of one variable goes on with another")
	}
}

// codesOf returns the codes in a list of categories.
func codesOf(p *Frequencies, s views.State) []uint32 {
	return p.look(s, views.CategoriesOf(s.Current, s.Selected.Variable)).codes
}

// If rows represent several records, counts and shares are of records.
func TestFrequenciesOfGroupedRows(t *testing.T) {
	levels := []microdata.Level{{Label: "north"}, {Label: "south"}}
	column := microdata.NewCategorical("region", microdata.Category,
		&microdata.Categories{Levels: levels, Codes: microdata.CodesOf([]uint32{1, 2, 2})})
	data, err := microdata.NewGrouped([]*microdata.Column{column}, []int{60, 10, 30})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region"}
	version, err := viewtest.Measured(data, &scenario)
	if err != nil {
		t.Fatal(err)
	}
	s := viewtest.SurveyAt(t, 0)
	s.Scenario, s.Original, s.Current, s.Selected.Variable = &scenario, version, version, "region"
	if s.Records() != 100 || s.Rows() != 3 {
		t.Errorf("%d records in %d rows", s.Records(), s.Rows())
	}
	p := NewFrequencies()
	if frame := ansi.Strip(p.View(s, 80, 8, true)); !strings.Contains(frame, "60.0") || !strings.Contains(frame, "40.0") {
		t.Errorf("60 and 40 of 100 records:\n%s", frame)
	}
	if figures := p.Figures(s); len(figures) != 1 || figures[0].Values[0] != "60 of 100" {
		t.Errorf("%+v", figures)
	}
}
