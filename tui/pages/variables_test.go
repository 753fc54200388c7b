package pages

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/engine/fileio"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// surveyPage opens the page on the survey of 5,000 records under a scenario.
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
	return NewVariables(data, scenario, nil, false)
}

// pressed presses keys and returns what the page then shows.
func (p *Variables) pressed(keys ...string) string {
	for _, name := range keys {
		p.HandleKey(dialogs.Press(name))
	}
	return ansi.Strip(p.View(views.State{Theme: views.NewTheme(true, false)}, 120, 38))
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

// A variable that is to be the same for households, and is not, is told of at
// once.
func TestVariablesPageTellsDifferencesWithinHouseholds(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Household = "hid"
	page := surveyPage(t, scenario)
	page.onto(t, "sex")
	if strings.Contains(page.pressed(), "the members differ") {
		t.Error("a difference without the role")
	}
	if text := page.pressed("c"); !strings.Contains(text, "sex is to be the same for households, but in ") || !strings.Contains(text, "households the members differ") {
		t.Errorf("no word about households that differ:\n%s", text)
	}
	page.onto(t, "sex")
	page.pressed("c")
	page.onto(t, "region")
	if strings.Contains(page.pressed("c"), "the members differ") {
		t.Error("region is the same within households")
	}
}

func TestRolesByHand(t *testing.T) {
	p := surveyPage(t, microdata.NewScenario())
	p.onto(t, "region")
	if text := p.pressed("k"); !strings.Contains(text, "1 key") || !strings.Contains(text, "KEY") {
		t.Errorf("region is no key variable:\n%s", text)
	}
	p.pressed("w") // a key variable is no weight, and region has no numbers
	if p.problem == "" || p.scenario.Weight != "" {
		t.Errorf("region became the weight: %q", p.problem)
	}
	p.pressed("down", "l", "up", "enter")
	if p.scenario.LinkedTo("urbrur") != "region" {
		t.Errorf("urbrur is linked to %q", p.scenario.LinkedTo("urbrur"))
	}
	p.pressed("space")
	if p.scenario.Has("region", "key") || len(p.scenario.Linked) != 0 {
		t.Errorf("after taking all roles: %+v", p.scenario)
	}
	if effect := p.HandleKey(dialogs.Press("esc")); effect != (dialogs.Close{}) {
		t.Errorf("esc asks for %v", effect)
	}
}
