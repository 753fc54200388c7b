package lesson

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/session"
)

// Every lesson can be read, has a description, and names existing measures and methods.
func TestLessonsAreComplete(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		if l.Title == "" || l.About == "" || l.Data != "guide10" && l.Data != "survey" || len(l.Scenario.Keys) == 0 ||
			len(l.Parts) < 5 {
			t.Errorf("%s lacks something: %+v", l.Name, l)
		}
		for i := range l.Parts {
			p := &l.Parts[i]
			figures := []*Figure{p.Figure}
			for _, m := range p.Wrong {
				if figures = append(figures, m.Figure); m.Because == "" || (m.Figure == nil) == (m.Value == nil) {
					t.Errorf("%s: mistake %+v", l.Name, m)
				}
			}
			for _, w := range p.Want {
				if figures = append(figures, w.Figure); w.Else == "" {
					t.Errorf("%s: nothing is said where %+v is not met", l.Name, w)
				}
			}
			for _, f := range figures {
				if f == nil || f.Table != "" {
					continue
				}
				if _, ok := catalog.Measures().Find(f.Measure); !ok {
					t.Errorf("%s: there is no measure %s", l.Name, f.Measure)
				}
			}
			for _, a := range p.Answers {
				if a.Text == "" || a.Because == "" {
					t.Errorf("%s: answer %+v", l.Name, a)
				}
			}
			if step, ok := p.Made(); ok {
				if _, known := catalog.Methods().Find(step.Step); !known || step.Problem != nil {
					t.Errorf("%s: step %+v", l.Name, step)
				}
			}
		}
	}
	if _, err := Find("none"); !errors.Is(err, ErrLesson) || !strings.Contains(err.Error(), "ten-records") {
		t.Errorf("a lesson that is not there: %v", err)
	}
}

func TestLessonsThatCannotBeRead(t *testing.T) {
	const head = `{"lesson":"a","title":"A","about":"b","data":"survey"}` + "\n" + `{"scenario":{"keys":["sex"]}}` + "\n"
	for text, want := range map[string]string{
		head + `{"say":"a","ask":"b"}`:                       "one of",
		head + `{"ask":"b"}`:                                 "needs a figure",
		head + `{"choose":"b","answers":[{"text":"c"}]}`:     "one is right",
		head + `{"try":"b","want":[{"rule":"default"}]}`:     "which methods",
		head + `{"says":"b"}`:                                "no field",
		`{"lesson":1}`:                                       "line 1",
		head + `{"say":"a"}` + "\n" + `{"say":"a","nothing"`: "line 4",
	} {
		if _, err := Read([]byte(text)); !errors.Is(err, ErrLesson) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// state returns a session with one figure, 0.02509, and a count, 4.
func state() *State {
	spec := measure.Spec{Name: "risk"}
	return &State{Current: measure.Set{{Spec: spec,
		Values: measure.Values{Numbers: []measure.Value{{Name: "r", Number: 0.02509}, {Name: "n", Number: 4}}}}}}
}

// Figures may be rounded and given in percent; counts are exact.
func TestTypedAnswers(t *testing.T) {
	off := 0.0047
	p := &Part{Ask: "?", Figure: &Figure{Measure: "risk", Name: "r"}, Because: "yes",
		Wrong: []Mistake{{Value: &off, Because: "that is 1/F"}}}
	for text, want := range map[string]string{"0.0251": "yes", ".025": "yes", "2.51%": "yes", "2.5 %": "yes",
		".0257": "the correct value is lower", "2": "the correct value is lower", ".02": "the correct value is higher",
		"0.0047": "1/F", "x": "not a number", "": "not a number", ".0000": "the correct value is higher", "0": "the correct value is higher"} {
		if got := p.asked(text, state()); !strings.Contains(got.Text, want) || got.Right != (want == "yes") {
			t.Errorf("%q: %+v, want %q", text, got, want)
		}
	}
	p.Figure.Name = "n"
	for text, right := range map[string]bool{"4": true, "4.0": true, "5": false, "4.4": false, "400 %": true} {
		if got := p.asked(text, state()); got.Right != right {
			t.Errorf("%q: %+v", text, got)
		}
	}
	p.line, p.Figure.Name = 7, "other"
	if got := p.asked("0", state()); got.Right || got.Text != `The lesson has an error in line 7: the measure risk has no figure "other" here, but r and n.` {
		t.Errorf("%+v", got)
	}
	if p.Figure.Measure = "suda"; p.asked("0", state()).Right || !math.IsNaN(state().Value(p.Figure)) {
		t.Error("a figure that is not there is answered")
	}
}

// Conditions are met by the session alone.
func TestWants(t *testing.T) {
	column := microdata.NewCategorical("a", microdata.Category,
		&microdata.Categories{Levels: []microdata.Level{{Label: "x"}, {Label: "y"}},
			Codes: microdata.CodesOf([]uint32{1, 2, 2})})
	data, err := microdata.NewDataset([]*microdata.Column{column})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"a"}
	s := state()
	s.Data, s.Scenario = data, &scenario
	s.Steps = []session.StepSpec{{Step: "recode-intervals", Params: []byte(`{"variable":"age"}`)}}
	one, two, three := 1.0, 2.0, 3.0
	for i, c := range []struct {
		want Requirement
		met  bool
	}{
		{Requirement{Rule: microdata.RuleDefault}, true}, {Requirement{Rule: microdata.RuleConservative}, false},
		{Requirement{Step: "recode"}, true}, {Requirement{Step: "recode-intervals", Variable: "age"}, true},
		{Requirement{Step: "recode", Variable: "sex"}, false}, {Requirement{Step: "pram"}, false},
		{Requirement{Categories: "a", AtLeast: &two}, true}, {Requirement{Categories: "a", AtLeast: &three}, false},
		{Requirement{Categories: "b", AtLeast: &one}, false},
		{Requirement{Missing: true, AtMost: &one}, true}, {Requirement{Missing: true, AtLeast: &one}, false},
		{Requirement{Changed: "a", AtLeast: &one}, false}, {Requirement{Changed: "none", AtMost: &one}, false},
		{Requirement{Figure: &Figure{Measure: "risk", Name: "n"}, AtMost: &three}, false},
		{Requirement{Figure: &Figure{Measure: "none"}, AtMost: &three}, false},
	} {
		if got := c.want.met(s); got != c.met {
			t.Errorf("case %d, %+v: %v", i, c.want, got)
		}
	}
}
