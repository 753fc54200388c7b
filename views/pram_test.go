package views

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
)

// drawn returns the state of the survey after steps of PRAM with the given
// parameters, each with its place as the seed.
func drawn(t testing.TB, variable string, params ...string) State {
	t.Helper()
	s := surveyAt(t, 0)
	scenario := s.Scenario.Clone()
	scenario.PRAM = []string{"health"}
	s.Scenario, s.Steps, s.Selected.Variable = &scenario, nil, variable
	data := s.Current.Data
	why := ""
	if variable == "region" {
		why = "PRAM has been applied to region"
	}
	for i, text := range params {
		values := map[string]json.RawMessage{}
		m := pram.New()
		if err := json.Unmarshal([]byte(text), &values); err != nil {
			t.Fatal(err)
		}
		if err := method.Decode(m, values); err != nil {
			t.Fatal(err)
		}
		out, err := m.Apply(context.Background(), method.Input{Data: data, Scenario: &scenario, Seed: uint64(i + 1)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		data = out.Data
		s.Steps = append(s.Steps, Step{Name: "pram", Params: json.RawMessage(text), Title: out.Report.Title, Effect: out.Report.Effect,
			Violators: -1, Report: &out.Report, NotApplicable: why})
	}
	s.Position, s.Current, s.NotApplicable = len(params), Version{Data: data}, why
	return s
}

const (
	regionOnce    = `{"variables":["region","educ"]}`
	educInStrata  = `{"variables":["educ"],"strata":["sex"],"forbid":[["none","tertiary"]],"condition":{"variable":"age","above":15}}`
	educSomeWhere = `{"variables":["educ"],"form":"equal","pd":0.6,"condition":{"variable":"age","below":30}}`
)

func panesOfPRAM() []Pane {
	return []Pane{NewPRAMVariables(), NewPRAMMatrix(), NewPRAMFrequencies(), NewPRAMTransitions()}
}

func TestGoldenPRAM(t *testing.T) {
	states := []struct {
		name  string
		state State
	}{
		{"none", drawn(t, "health")},
		{"once", drawn(t, "region", regionOnce)},
		{"twice", drawn(t, "region", regionOnce, regionOnce)},
		{"strata", drawn(t, "educ", educInStrata)},
		{"uncomposed", drawn(t, "educ", regionOnce, educSomeWhere)},
	}
	for _, p := range panesOfPRAM() {
		var frames []string
		for _, c := range states {
			for _, z := range []size{{24, 6}, {46, 12}, {76, 14}} {
				frames = append(frames, fmt.Sprintf("%s, %d×%d\n%s\n", c.name, z.width, z.height, styles.ReplaceAllString(framed(c.state, p, z), "")))
			}
		}
		golden(t, p.ID(), strings.Join(frames, "\n"))
	}
}

// Every pane of PRAM fills any size, whatever is pressed.
// After two applications the share is that of the values that differ from the
// source, counted text by text.
func TestChangedSinceTheSource(t *testing.T) {
	s := drawn(t, "educ", regionOnce, educSomeWhere)
	now, _ := s.Current.Data.Column("educ")
	before, _ := s.Original.Data.Column("educ")
	changed, present := 0, 0
	for record := range now.Len() {
		if now.Missing(record) || before.Missing(record) {
			continue
		}
		if present++; now.Text(record) != before.Text(record) {
			changed++
		}
	}
	share := drawnShare{}
	for range 2 {
		if got := share.of(s, "educ"); !got.ok || got.changed != changed || got.present != present || changed == 0 {
			t.Errorf("%d of %d changed, want %d of %d", got.changed, got.present, changed, present)
		}
	}
}

func TestPRAMPanesHaveTheirSize(t *testing.T) {
	for _, s := range []State{drawn(t, "age", `{"variables":["age"]}`), drawn(t, "educ", educInStrata), drawn(t, "region", regionOnce)} {
		for _, p := range panesOfPRAM() {
			for _, name := range []string{"down", "right", "end", "pgup", ">", "<", "left", "home", "G", "l"} {
				apply(&s, p.HandleKey(press(name), s))
				for _, z := range []size{{1, 1}, {7, 3}, {20, 5}, {40, 10}, {100, 30}, {198, 58}} {
					checkFrame(t, p.ID()+" after "+name, p.View(s, z.width, z.height, true), z.width, z.height)
				}
			}
			apply(&s, p.Click(30, 3, s))
			apply(&s, p.Wheel(2, s))
			for _, figure := range p.Figures(s) {
				if figure.Name == "" || figure.Value == "" || figure.Definition == "" || figure.Source == "" {
					t.Errorf("%s: a figure is not explained: %+v", p.ID(), figure)
				}
			}
		}
	}
}

func TestApplicationsEndWithAReset(t *testing.T) {
	s := drawn(t, "region", regionOnce, regionOnce)
	if a := applicationsOf(s, "region"); len(a.reports) != 2 || a.steps[1] != 2 {
		t.Errorf("applications %v", a.steps)
	}
	s.Steps = append(s.Steps, Step{Name: "reset", Params: json.RawMessage(`{"variable":"region"}`), Report: &method.Report{}})
	s.Position = 3
	if a, other := applicationsOf(s, "region"), applicationsOf(s, "educ"); len(a.reports) != 0 || len(other.reports) != 2 {
		t.Errorf("%d applications after the reset, %d of the other variable", len(a.reports), len(other.reports))
	}
	s.Position = 1
	if a := applicationsOf(s, "region"); len(a.reports) != 1 {
		t.Error("an undone step counts")
	}
}

func TestCandidatesForPRAM(t *testing.T) {
	s := drawn(t, "region")
	names := candidates(s)
	if names[0] != "health" || names[1] != "region" {
		t.Errorf("candidates %q", names)
	}
	for _, name := range names {
		for _, role := range []microdata.Role{microdata.RoleWeight, microdata.RoleHousehold, microdata.RoleRemoved} {
			if s.Scenario.Has(name, role) {
				t.Errorf("%s is a candidate, and %s", name, role)
			}
		}
	}
}

// Figures that do not apply are nowhere: each place says why.
func TestNotApplicable(t *testing.T) {
	s := drawn(t, "region", regionOnce)
	for _, p := range []Pane{NewKAnonymity(), NewRisk(), NewAtRisk(), NewRecord(3)} {
		if text := p.View(s, 60, 12, true); !strings.Contains(text, "Not applicable: PRAM has been applied to region") {
			t.Errorf("%s:\n%s", p.ID(), text)
		}
	}
	if text := RiskLine(s, 80); !strings.Contains(text, "not applicable: PRAM has been applied to region") {
		t.Errorf("risk line %q", text)
	}
	if text := RiskLine(s, 24); !strings.Contains(text, "not applicable") {
		t.Errorf("narrow risk line %q", text)
	}
	steps := NewSteps()
	if text := steps.View(s, 110, 5, true); !strings.Contains(text, "violators(3) n/a") {
		t.Errorf("steps:\n%s", text)
	}
	for _, p := range []Pane{NewKAnonymity(), NewRisk(), NewAtRisk(), steps} {
		if figures := p.Figures(s); len(figures) != 1 || figures[0].Value != "not applicable: "+s.NotApplicable {
			t.Errorf("%s: figures %v", p.ID(), figures)
		}
	}
	before := surveyAt(t, 0)
	for _, c := range []struct {
		state State
		after string
		want  string
	}{
		{before, "PRAM has been applied to sex", "After the step k-anonymity and risk do not apply: PRAM has been applied to sex."},
		{s, "", "do not apply now: PRAM has been applied to region."},
		{s, "PRAM has been applied to region, sex", "do not apply: PRAM has been applied to region, sex."},
	} {
		text := WhatIfBlock(c.state, WhatIfFigures{NotApplicable: c.after, After: before.Current.Figures}, 100, 10)
		if !strings.Contains(text, c.want) || strings.Contains(text, "k = 3") {
			t.Errorf("what-if:\n%s", text)
		}
	}
}
