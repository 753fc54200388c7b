package pages

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// surveyPage opens the page for the survey of 5,000 records under a scenario.
func surveyPage(t *testing.T, scenario microdata.Scenario) *Variables {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", "survey.csv")
	format, err := fileio.GuessFile(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, _, err := fileio.Read(context.Background(), path, format, nil)
	if err != nil {
		t.Fatal(err)
	}
	return NewVariables(data, data, scenario, nil, false)
}

// pressed presses keys and returns the text of the page.
func (p *Variables) pressed(keys ...string) string {
	for _, name := range keys {
		p.HandleKey(draw.Press(name), views.State{})
	}
	return ansi.Strip(p.View(views.State{Look: draw.Look{Theme: draw.NewTheme(true, false)}}, 120, 38))
}

// onto moves the cursor to a variable.
func (p *Variables) onto(t *testing.T, name string) {
	t.Helper()
	p.pressed("home")
	for range p.order {
		if p.name() == name {
			return
		}
		p.pressed("down")
	}
	t.Fatalf("no variable %s", name)
}

// Differences within households in a variable that must be the same are reported at once.
func TestVariablesPageTellsDifferencesWithinHouseholds(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Household = "hid"
	page := surveyPage(t, scenario)
	page.onto(t, "sex")
	if strings.Contains(page.pressed(), "the members differ") {
		t.Error("a difference without the role")
	}
	page.pressed("c")
	page.seek()
	if text := page.pressed(); !strings.Contains(text, "sex is declared a household-level variable, but in ") ||
		!strings.Contains(text, "members differ") {
		t.Errorf("no word about households that differ:\n%s", text)
	}
	page.onto(t, "sex")
	page.pressed("c")
	page.onto(t, "region")
	page.pressed("c")
	page.seek()
	if strings.Contains(page.pressed(), "the members differ") {
		t.Error("region is the same within households")
	}
}

func TestRolesByHand(t *testing.T) {
	p := surveyPage(t, microdata.NewScenario())
	p.onto(t, "region")
	if text := p.pressed("k"); !strings.Contains(text, "1 key") || !strings.Contains(text, "KEY") {
		t.Errorf("region is not a key variable:\n%s", text)
	}
	p.pressed("w") // a key variable cannot be the weight, and region has no numbers
	if p.problem == "" || p.scenario.Weight != "" {
		t.Errorf("region became the weight: %q", p.problem)
	}
	p.pressed("down", "l", "up", "enter")
	if p.scenario.LinkedTo("urbrur") != "region" {
		t.Errorf("urbrur is linked to %q", p.scenario.LinkedTo("urbrur"))
	}
	p.pressed("d")
	if p.scenario.Has("region", "key") || len(p.scenario.Linked) != 0 {
		t.Errorf("after taking all roles: %+v", p.scenario)
	}
	if effect := p.HandleKey(draw.Press("esc"), views.State{}); effect != (dialogs.Close{}) {
		t.Errorf("esc asks for %v", effect)
	}
}

// seek runs the background work of the page.
func (p *Variables) seek() {
	s := views.State{Look: draw.Look{Theme: draw.NewTheme(true, false)}}
	for piece := p.Seek(s); piece != nil; piece = p.Seek(s) {
		piece(context.Background(), time.Second)()
	}
}

// Results of background work on data that a step has replaced are dropped.
func TestVariablesPageWorkOfOtherData(t *testing.T) {
	page := surveyPage(t, microdata.NewScenario())
	fewer, s := page.data.Select([]uint32{0, 1}), views.State{Look: draw.Look{Theme: draw.NewTheme(true, false)}}
	replaced := func(piece func(context.Context, time.Duration) func()) {
		of := page.data
		take := piece(context.Background(), time.Second)
		page.Look(fewer, true)
		take()
		if page.summaries[0] != nil || page.facts.found != nil {
			t.Errorf("the page tells what was found in other data: %v, %v", page.summaries[0], page.facts.found)
		}
		page.Look(of, true)
	}
	page.seek()
	page.summaries[0] = nil
	replaced(page.Seek(s)) // summarises the first variable
	page.seek()
	page.ShowFacts()
	page.facts.found = nil
	replaced(page.Seek(s)) // examines the file
}

// Several variables are marked and get a role together, or none if one of them contradicts it.
func TestVariablesPageMarksSeveral(t *testing.T) {
	page := surveyPage(t, microdata.NewScenario())
	page.onto(t, "region")
	if text := page.pressed("space", "space"); strings.Count(text, "● ") != 2 {
		t.Fatalf("not two are marked:\n%s", text)
	}
	page.pressed("k")
	if keys := page.scenario.Keys; len(keys) != 2 || keys[0] != "region" || len(page.marked) != 0 {
		t.Errorf("keys %q, marked %v", keys, page.marked)
	}
	page.onto(t, "region")
	page.pressed("space", "space", "d")
	if len(page.scenario.Keys) != 0 {
		t.Errorf("keys %q", page.scenario.Keys)
	}
	page.onto(t, "expend")
	page.pressed("space") // numbers, then words
	page.onto(t, "sex")
	if text := page.pressed("space", "n"); len(page.scenario.Numeric) != 0 || page.problem == "" ||
		!strings.Contains(text, page.problem[:20]) {
		t.Errorf("numeric %q, problem %q", page.scenario.Numeric, page.problem)
	}
}

// The list can be sorted by every column, the cursor stays on its variable, and a long reason wraps.
func TestVariablesPageSorts(t *testing.T) {
	page := surveyPage(t, microdata.NewScenario())
	page.seek()
	page.onto(t, "age")
	first := map[string]bool{}
	for range variableOrders {
		page.pressed("o")
		if first[page.data.Columns()[page.order[0]].Name()] = true; page.name() != "age" {
			t.Fatalf("the cursor went to %s", page.name())
		}
	}
	for _, name := range []string{"hid", "age", "region", "income"} { // the file, names, types, missing cells
		if !first[name] {
			t.Errorf("%s never comes first: %v", name, first)
		}
	}
	page.problem = strings.Repeat("a long reason ", 15) + "ends"
	if text := ansi.Strip(page.View(views.State{Look: draw.Look{Theme: draw.NewTheme(true, false)}}, 80,
		24)); !strings.Contains(text, "ends") {
		t.Errorf("the reason is cut:\n%s", text)
	}
}

// The page of the variable under the cursor is next to the list if there is room; i opens it instead of the list.
func TestVariablesPageInspects(t *testing.T) {
	page := surveyPage(t, microdata.NewScenario())
	page.seek()
	page.onto(t, "age")
	page.seek()
	s := views.State{Look: draw.Look{Theme: draw.NewTheme(true, false)}}
	if text := ansi.Strip(page.View(s, 200, 60)); !strings.Contains(text, "age · integer") ||
		!strings.Contains(text, "examples") {
		t.Errorf("no page beside the list:\n%s", text)
	}
	if text := page.pressed("i"); !strings.Contains(text, "age · integer") || strings.Contains(text, "[k] key") {
		t.Errorf("i does not open the page:\n%s", text)
	}
	if keys := page.Keys(); keys[0].Help().Desc != "back" {
		t.Errorf("the first key is %q", keys[0].Help())
	}
	page.pressed("/", "k") // typed, no role
	for _, b := range page.Keys() {
		if slices.Contains(b.Keys(), "i") {
			t.Error("i is a key while text is typed")
		}
	}
	if !page.Typing() || len(page.scenario.Keys) != 0 {
		t.Errorf("typing %v, keys %q", page.Typing(), page.scenario.Keys)
	}
	if text := page.pressed("esc", "esc"); !strings.Contains(text, "[k] key") {
		t.Errorf("esc does not lead back:\n%s", text)
	}
}

// As long as no variable has a role, a sentence summarises the risk of the file, and f opens its description,
// which scrolls.
func TestVariablesPageTellsWhatIsInTheFile(t *testing.T) {
	page := surveyPage(t, microdata.NewScenario())
	if text := page.pressed(); !strings.Contains(text, "inspecting the file …") {
		t.Errorf("before it was looked at:\n%s", text)
	}
	page.seek()
	const alone = "4,445 of 5,000 records unique (88.9 %)"
	text := strings.Join(strings.Fields(page.pressed()), " ") // it takes two lines
	if !strings.Contains(text, alone) || !strings.Contains(text, "identifiers: pid; f: more") {
		t.Errorf("no word about the file:\n%s", text)
	}
	text = page.pressed("f")
	for _, want := range []string{"Summary of", "sample uniques (f = 1)   4,445  88.9 %", "region × age × occup",
		"↓ "} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	if text = page.pressed("end"); !strings.Contains(text, "named like a sampling weight") ||
		strings.Contains(text, "↓ ") || len(page.scenario.Keys) > 0 {
		t.Errorf("the end of the page:\n%s", text)
	}
	if text = page.pressed("esc", "a"); strings.Contains(text, alone) || len(page.scenario.Keys) != 9 {
		t.Errorf("after the suggestions were accepted:\n%s", text)
	}
}

// The singular is used for one record and one variable.
func TestVariablesPageOfOneRecord(t *testing.T) {
	one := microdata.NewNumeric("age", microdata.Number, &microdata.Numbers{Values: []float64{5}})
	data, err := microdata.NewDataset([]*microdata.Column{one})
	if err != nil {
		t.Fatal(err)
	}
	page := NewVariables(data, data, microdata.NewScenario(), nil, false)
	if text := page.pressed(); !strings.Contains(text, "1 record · 1 variable ") {
		t.Errorf("the head:\n%s", text)
	}
}

// Names with the same beginning keep their ends in a narrow column.
func TestLongNamesAreDistinguished(t *testing.T) {
	columns := make([]*microdata.Column, 0, 3)
	for _, name := range []string{"household_size", "household_type", "region_of_birth"} {
		columns = append(columns, microdata.NewCategorical(name, microdata.Category, &microdata.Categories{
			Levels: []microdata.Level{{Label: "x"}}, Codes: microdata.CodesOf([]uint32{1})}))
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	p := &Variables{data: data}
	for name, want := range map[string]string{"household_size": "hou…size", "household_type": "hou…type",
		"region_of_birth": ""} {
		if got := p.short(name); got != want {
			t.Errorf("%s is shortened to %q, want %q", name, got, want)
		}
	}
}
