package views

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// versions are the survey as read and after each of three steps.
type versions struct {
	scenario microdata.Scenario
	states   []Version
	steps    []Step
}

// survey reads the survey once and takes three steps with it: ages in groups,
// rare ethnic groups joined, k-anonymity.
var survey = sync.OnceValues(func() (*versions, error) {
	content, err := os.ReadFile("../testdata/survey.csv")
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	data, _, err := fileio.ReadBytes(ctx, "survey.csv", content, fileio.Guess(content), nil)
	if err != nil {
		return nil, err
	}
	v := &versions{scenario: microdata.NewScenario()}
	v.scenario.Keys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
	v.scenario.Weight, v.scenario.Household = "weight", "hid"
	v.scenario.Numeric, v.scenario.Sensitive, v.scenario.Remove = []string{"income"}, []string{"health"}, []string{"pid"}
	if err := v.add(data); err != nil {
		return nil, err
	}
	importance := map[string]int{"region": 1, "sex": 2}
	age, ethnic, protect := &recode.Intervals{}, &recode.Group{}, suppress.NewKAnonymity()
	protect.Algorithm, protect.Rule = suppress.SDCMicro, string(microdata.RuleDefault)
	age.Variable, age.Breaks = "age", []float64{-1, 4, 14, 24, 34, 44, 54, 64, 99}
	ethnic.Variable, ethnic.Levels, ethnic.Label = "ethnic", []string{"Kesh", "other", "Veyra"}, "other"
	protect.K, protect.Importance = 3, importance
	for _, m := range []method.Method{age, ethnic, protect} {
		out, err := method.Apply(ctx, m, method.Input{Data: data, Scenario: &v.scenario}, nil)
		if err != nil {
			return nil, err
		}
		data = out.Data
		if err := v.add(data); err != nil {
			return nil, err
		}
		v.step(out.Report)
	}
	return v, nil
})

// add computes the figures of a dataset.
func (v *versions) add(data *microdata.Dataset) error {
	version, err := measured(data, &v.scenario)
	v.states = append(v.states, version)
	return err
}

// measured returns a dataset with all figures.
func measured(data *microdata.Dataset, scenario *microdata.Scenario) (Version, error) {
	now := measure.NewVersion(data, scenario, nil)
	set, err := catalog.Measures().Compute(context.Background(), measure.Input{Original: measure.NewVersion(data.Source(), scenario, nil), Current: now},
		measure.Everywhere, nil)
	return NewVersion(data, set), err
}

func (v *versions) step(report method.Report) {
	n := len(v.states)
	now, _ := violatorsOf(v.states[n-1].Assessment, 3)
	before, _ := violatorsOf(v.states[n-2].Assessment, 3)
	v.steps = append(v.steps, Step{Title: report.Title, Effect: report.Effect, Violators: now.Count, Change: now.Count - before.Count,
		At: time.Date(2025, 3, 1, 12, 2*n, 0, 0, time.Local), Report: &report})
}

// at returns the state after so many steps; those after it are undone.
func (v *versions) at(position int, theme *Theme) State {
	return State{
		File: "survey.csv", Scenario: &v.scenario, Original: v.states[0], Current: v.states[position],
		Steps: v.steps, Position: position, Selected: Selection{Variable: "age", Record: -1}, K: 3, Look: Look{Theme: theme},
		Now: func() time.Time { return time.Date(2025, 3, 1, 12, 30, 0, 0, time.Local) },
		Try: func(ctx context.Context, _ string, m method.Method) (Outcome, error) {
			return tried(ctx, m, v.states[position].Data, &v.scenario)
		},
	}
}

// tried makes a step and computes all figures after it.
func tried(ctx context.Context, m method.Method, data *microdata.Dataset, scenario *microdata.Scenario) (Outcome, error) {
	out, err := method.Apply(ctx, m, method.Input{Data: data, Scenario: scenario}, nil)
	if err != nil {
		return Outcome{}, err
	}
	after, err := measured(out.Data, scenario)
	return Outcome{Assessment: after.Assessment, Suppression: out.Report.Suppression, Data: out.Data}, err
}

// seekAll has a pane look for all that there is; it must come to rest.
func seekAll(t testing.TB, p Pane, s State) {
	t.Helper()
	for range 1000 {
		piece := p.(Seeker).Seek(s)
		if piece == nil {
			return
		}
		piece(t.Context(), time.Hour)()
	}
	t.Fatalf("%s never comes to rest", p.ID())
}

// surveyAt returns the state of the survey after so many of the three steps.
func surveyAt(t testing.TB, position int) State {
	t.Helper()
	v, err := survey()
	if err != nil {
		t.Fatal(err)
	}
	return v.at(position, NewTheme(true, false))
}

// press returns the key press of a name as Bubble Tea spells it.
func press(name string) tea.KeyPressMsg {
	codes := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "backspace": tea.KeyBackspace, "up": tea.KeyUp, "down": tea.KeyDown,
		"left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown}
	if code, ok := codes[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	r := []rune(name)[0]
	return tea.KeyPressMsg{Code: r, Text: string(r)}
}

// apply does to a state what the running program does after an action.
func apply(s *State, action Action) {
	switch a := action.(type) {
	case SelectVariable:
		s.Selected.Variable = a.Name
	case SelectLevel:
		s.Selected.Level = a.Level
	case SelectStratum:
		s.Selected.Stratum = a.Stratum
	case SelectRecord:
		s.Selected.Record = a.Record
	case SetK:
		s.K = a.K
	}
}

// typing presses keys in a pane; a text that is no name of a key is typed.
func typing(p Pane, s *State, names ...string) (last Action) {
	for _, name := range names {
		last = p.HandleKey(press(name), *s)
		apply(s, last)
	}
	return last
}

var styles = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// checkFrame reports lines that are not exactly as wide as they should be, a
// wrong number of them, and anything but styles and text.
func checkFrame(t interface{ Fatalf(string, ...any) }, what, frame string, width, height int) {
	lines := strings.Split(frame, "\n")
	if len(lines) != height {
		t.Fatalf("%s: %d lines, not %d", what, len(lines), height)
	}
	for i, line := range lines {
		if got := Width(line); got != width {
			t.Fatalf("%s: line %d of a frame of %d×%d has %d cells: %q", what, i+1, width, height, got, line)
		}
		for _, r := range styles.ReplaceAllString(line, "") {
			if r < 0x20 || r >= 0x7f && r < 0xa0 || Safe(string(r)) != string(r) {
				t.Fatalf("%s: line %d has the character %U: %q", what, i+1, r, line)
			}
		}
	}
}

// opening returns the survey after some steps with measures open, those of the
// original beside them.
func opening(t *testing.T, position int, names ...string) State {
	t.Helper()
	s := surveyAt(t, position)
	for _, name := range names {
		spec, ok := catalog.Measures().Find(name)
		if !ok {
			t.Fatalf("there is no measure %s", name)
		}
		original := measure.NewVersion(s.Original.Data, s.Scenario, nil)
		current := measure.NewVersion(s.Current.Data, s.Scenario, nil)
		o := Opened{Spec: spec, Of: "the original data"}
		for _, at := range []struct {
			v  *measure.Version
			to **measure.Entry
		}{{original, &o.Original}, {current, &o.Current}} {
			entry, err := spec.Compute(context.Background(), measure.Input{Original: original, Current: at.v}, spec.New(), nil)
			if err != nil {
				t.Fatal(err)
			}
			*at.to = &entry
		}
		s.Measures = append(s.Measures, o)
	}
	return s
}

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

// longTests reports whether tests run that take longer than somebody who changes a line
// should wait.
func longTests() bool { return os.Getenv("SDCDESK_LONG_TESTS") != "" }

// sees draws a pane and lets it find what it looks for, until there is nothing more.
func sees(t testing.TB, p Pane, s State, width, height int) string {
	t.Helper()
	p.View(s, width, height, true)
	for range 200 {
		piece := p.(Seeker).Seek(s)
		if piece == nil {
			return styles.ReplaceAllString(p.View(s, width, height, true), "")
		}
		piece(context.Background(), time.Second)()
	}
	t.Fatal("it never stops looking")
	return ""
}

// maskedSurvey is the survey with income, expend and savings in groups of five.
func maskedSurvey(t testing.TB) State {
	t.Helper()
	s := surveyAt(t, 0)
	m := microaggregation.New()
	m.Variables, m.Size = []string{"income", "expend", "savings"}, 5
	out, err := method.Apply(t.Context(), m, method.Input{Data: s.Original.Data, Scenario: s.Scenario}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Current = Version{Data: out.Data, Figures: s.Original.Figures, Assessment: s.Original.Assessment}
	s.Selected.Variable = "income"
	return s
}

// size is the size of a frame with its border.
type size struct{ width, height int }

const (
	regionOnce    = `{"variables":["region","educ"]}`
	educInStrata  = `{"variables":["educ"],"strata":["sex"],"forbid":[["none","tertiary"]],"condition":{"variable":"age","above":15}}`
	educSomeWhere = `{"variables":["educ"],"form":"equal","pd":0.6,"condition":{"variable":"age","below":30}}`
)
