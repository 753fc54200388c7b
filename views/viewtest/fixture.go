package viewtest

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// versions are the survey as read and after each of three steps.
type versions struct {
	scenario microdata.Scenario
	States   []views.Version
	steps    []views.Step
}

// Survey reads the survey once and applies three steps: age in intervals, rare ethnic groups merged, k-anonymity.
var Survey = sync.OnceValues(func() (*versions, error) {
	content, err := os.ReadFile("../../testdata/survey.csv")
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
	version, err := Measured(data, &v.scenario)
	v.States = append(v.States, version)
	return err
}

// Measured returns a dataset with all figures.
func Measured(data *microdata.Dataset, scenario *microdata.Scenario) (views.Version, error) {
	now := measure.NewVersion(data, scenario, nil)
	set, err := catalog.Measures().Compute(context.Background(),
		measure.Input{Original: measure.NewVersion(data.Source(), scenario, nil), Current: now},
		measure.Everywhere, nil)
	return views.NewVersion(data, set), err
}

func (v *versions) step(report method.Report) {
	n := len(v.States)
	now, _ := views.ViolatorsOf(v.States[n-1].Assessment, 3)
	before, _ := views.ViolatorsOf(v.States[n-2].Assessment, 3)
	v.steps = append(v.steps, views.Step{Title: report.Title, Effect: report.Effect, Violators: now.Count,
		Change: now.Count - before.Count,
		At:     time.Date(2025, 3, 1, 12, 2*n, 0, 0, time.Local), Report: &report})
}

// At returns the state after the first position steps; the later ones are undone.
func (v *versions) At(position int, theme *draw.Theme) views.State {
	return views.State{
		File: "survey.csv", Scenario: &v.scenario, Original: v.States[0], Current: v.States[position],
		Steps: v.steps, Position: position, Selected: views.Selection{Variable: "age", Record: -1}, K: 3,
		Look: draw.Look{Theme: theme},
		Now:  func() time.Time { return time.Date(2025, 3, 1, 12, 30, 0, 0, time.Local) },
		Try: func(ctx context.Context, _ string, m method.Method) (*whatif.Result, error) {
			return Tried(ctx, m, v.States[position].Data, &v.scenario)
		},
	}
}

// Tried applies a method and computes all figures of the result.
func Tried(ctx context.Context, m method.Method, data *microdata.Dataset,
	scenario *microdata.Scenario) (*whatif.Result, error) {
	out, err := method.Apply(ctx, m, method.Input{Data: data, Scenario: scenario}, nil)
	if err != nil {
		return nil, err
	}
	after, err := Measured(out.Data, scenario)
	return &whatif.Result{Report: out.Report, Assessment: after.Assessment, Data: out.Data}, err
}

// SeekAll runs the background work of a pane until there is none left.
func SeekAll(t testing.TB, p views.Pane, s views.State) {
	t.Helper()
	for range 1000 {
		piece := p.(views.Seeker).Seek(s)
		if piece == nil {
			return
		}
		piece(t.Context(), time.Hour)()
	}
	t.Fatalf("%s never comes to rest", p.ID())
}

// SurveyAt returns the state of the survey after position of the three steps.
func SurveyAt(t testing.TB, position int) views.State {
	t.Helper()
	v, err := Survey()
	if err != nil {
		t.Fatal(err)
	}
	return v.At(position, draw.NewTheme(true, false))
}

// Apply does to a state what the running program does on an action.
func Apply(s *views.State, action draw.Action) {
	switch a := action.(type) {
	case views.SelectVariable:
		s.Selected.Variable = a.Name
	case views.SelectLevel:
		s.Selected.Level = a.Level
	case views.SelectStratum:
		s.Selected.Stratum = a.Stratum
	case views.SelectRecord:
		s.Selected.Record = a.Record
	case views.SetK:
		s.K = a.K
	}
}

// Typing presses keys in a pane; a text that is not the name of a key is typed.
func Typing(p views.Pane, s *views.State, names ...string) (last draw.Action) {
	for _, name := range names {
		last = p.HandleKey(draw.Press(name), *s)
		Apply(s, last)
	}
	return last
}

// Styles matches the escape sequences of styles in a frame.
var Styles = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// CheckFrame fails if a frame has the wrong number of lines, a line of the wrong width, or anything but styles and
// text.
func CheckFrame(t interface{ Fatalf(string, ...any) }, what, frame string, width, height int) {
	lines := strings.Split(frame, "\n")
	if len(lines) != height {
		t.Fatalf("%s: %d lines, not %d", what, len(lines), height)
	}
	for i, line := range lines {
		if got := draw.Width(line); got != width {
			t.Fatalf("%s: line %d of a frame of %d×%d has %d cells: %q", what, i+1, width, height, got, line)
		}
		for _, r := range Styles.ReplaceAllString(line, "") {
			if r < 0x20 || r >= 0x7f && r < 0xa0 || draw.Hidden(r) {
				t.Fatalf("%s: line %d has the character %U: %q", what, i+1, r, line)
			}
		}
	}
}

// Opening returns the survey after some steps with active measures and their originals.
func Opening(t *testing.T, position int, names ...string) views.State {
	t.Helper()
	s := SurveyAt(t, position)
	for _, name := range names {
		spec, ok := catalog.Measures().Find(name)
		if !ok {
			t.Fatalf("there is no measure %s", name)
		}
		original := measure.NewVersion(s.Original.Data, s.Scenario, nil)
		compute := func(v *measure.Version) *measure.Entry {
			in := measure.Input{Original: original, Current: v}
			entry, err := spec.Compute(context.Background(), in, spec.New(), nil)
			if err != nil {
				t.Fatal(err)
			}
			return &entry
		}
		s.Measures = append(s.Measures, views.Opened{Spec: spec, Of: "the original data",
			Original: compute(original), Current: compute(measure.NewVersion(s.Current.Data, s.Scenario, nil))})
	}
	return s
}

// Drawn returns the survey after steps of PRAM with the given parameters; the seed of each is its number, from 1.
func Drawn(t testing.TB, variable string, params ...string) views.State {
	t.Helper()
	s := SurveyAt(t, 0)
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
		s.Steps = append(s.Steps, views.Step{Name: "pram", Params: json.RawMessage(text), Title: out.Report.Title,
			Effect:    out.Report.Effect,
			Violators: -1, Report: &out.Report, NotApplicable: why})
	}
	s.Position, s.Current, s.NotApplicable = len(params), views.Version{Data: data}, why
	return s
}

// Sees draws a pane after its background work is done.
func Sees(t testing.TB, p views.Pane, s views.State, width, height int) string {
	t.Helper()
	p.View(s, width, height, true)
	SeekAll(t, p, s)
	return Styles.ReplaceAllString(p.View(s, width, height, true), "")
}

// MaskedSurvey is the survey with income, expend and savings in groups of five.
func MaskedSurvey(t testing.TB) views.State {
	t.Helper()
	s := SurveyAt(t, 0)
	m := microaggregation.New()
	m.Variables, m.Size = []string{"income", "expend", "savings"}, 5
	out, err := method.Apply(t.Context(), m, method.Input{Data: s.Original.Data, Scenario: s.Scenario}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Current = views.Version{Data: out.Data, Figures: s.Original.Figures, Assessment: s.Original.Assessment}
	s.Selected.Variable = "income"
	return s
}

// Size is the size of a frame with its border.
type Size struct{ Width, Height int }

// Parameters of PRAM used in tests.
const (
	RegionOnce    = `{"variables":["region","educ"]}`
	EducInStrata  = `{"variables":["educ"],"strata":["sex"],"forbid":[["none","tertiary"]],"condition":{"variable":"age","above":15}}`
	EducSomeWhere = `{"variables":["educ"],"form":"equal","pd":0.6,"condition":{"variable":"age","below":30}}`
)
