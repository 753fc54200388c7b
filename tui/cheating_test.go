package tui

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/lesson"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/teaching"
)

// inScenario changes the scenario of the session.
func inScenario(change func(s *microdata.Scenario)) func(d *driver) {
	return func(d *driver) {
		scenario := d.m.bench.scenario.Clone()
		change(&scenario)
		d.act(func() { d.m.setScenarios(dialogs.SetScenario{Scenario: scenario, Stay: true}) })
	}
}

// byStep applies a step.
func byStep(name, params string) func(d *driver) {
	return func(d *driver) {
		d.act(func() { d.m.apply(session.StepSpec{Step: name, Params: json.RawMessage(params), Seed: 1}, nil) })
	}
}

// cheats make exercises easier than lessons intend.
var cheats = map[string]func(d *driver){
	"reduced keys":    inScenario(func(s *microdata.Scenario) { s.Keys = s.Keys[1:] }),
	"another rule":    inScenario(func(s *microdata.Scenario) { s.Rule = microdata.RuleCategorySize }),
	"another k":       inScenario(func(s *microdata.Scenario) { s.K = []int{2} }),
	"no weight":       inScenario(func(s *microdata.Scenario) { s.Weight = "" }),
	"alpha":           inScenario(func(s *microdata.Scenario) { s.Alpha = 0.5 }),
	"deleted records": byStep("sample", `{"share":0.5}`),
	"values taken for missing": func(d *driver) {
		byStep("set-missing", `{"variable":"`+d.m.bench.scenario.Keys[1]+`","records":[1,2,3]}`)(d)
	},
}

// Exercises cannot be solved by making them easier: the right solution is then rejected, and so is the figure of
// other data as an answer.
func TestLessonsAreNotCheated(t *testing.T) {
	longtests.Needed(t)
	for _, name := range lesson.Names() {
		for cheat, do := range cheats {
			if name == "tables" && cheat == "no weight" {
				continue // its tables are not weighted
			}
			t.Run(name+"/"+cheat, func(t *testing.T) { cheated(t, name, do) })
		}
	}
}

func cheated(t *testing.T, name string, cheat func(d *driver)) {
	l, err := lesson.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	d := start(t, Options{Lesson: name, OpenLesson: lessonFile}, 120, 40)
	tries := works[name]
	cheat(d)
	d.Resize(120, 40)
	for i := range l.Parts {
		switch part := &l.Parts[i]; {
		case part.Ask != "":
			state, _ := d.m.lessonState()
			d.retype(fmt.Sprintf("%.6g", state.Value(part.Figure))).Press("enter").Dialog().Lacks("Right.")
		case part.Try != "":
			d.Press("enter")
			tries[0](d)
			tries = tries[1:]
			for range 3 { // dialogs open because something did not fit
				if _, in := d.m.dialog.(*teaching.Part); d.m.dialog != nil && !in {
					d.Press("esc")
				}
			}
			d.Press("C").Dialog().Contains("Not yet:")
		}
		d.act(func() { d.m.turnPart(1) })
		d.Resize(120, 40)
	}
}

// Shortcuts that leave key variables, rule and records unchanged.
func TestTasksAskForWhatTheyTell(t *testing.T) {
	for name, work := range map[string]func(d *driver){
		"k-anonymity": byStep("recode-intervals", `{"variable":"age","breaks":[0,130]}`),
		"recoding": func(d *driver) {
			works["recoding"][0](d)
			d.Press("C", "enter", "K", "enter")
		},
		"pram":    byStep("pram", `{"variables":["water"],"matrix":"typed","pd":1}`),
		"masking": byStep("microaggregate", `{"variables":["income","expend","savings"],"size":1000}`),
		"masking with linkage by one variable": func(d *driver) {
			byStep("microaggregate", `{"variables":["income","expend","savings"],"size":3}`)(d)
			d.act(func() {
				d.m.openMeasure(session.MeasureSpec{Name: "linkage", Params: []byte(`{"variables":["savings"]}`)})
			})
		},
		"intruder": byStep("recode-intervals", `{"variable":"age","breaks":[-1,99]}`),
	} {
		name, _, _ = strings.Cut(name, " ")
		d := start(t, Options{Lesson: name, OpenLesson: lessonFile}, 120, 40)
		l := d.m.learning.lesson
		at := slices.IndexFunc(l.Parts, func(p lesson.Part) bool { return p.Try != "" })
		d.act(func() { d.m.turnPart(at) })
		d.Resize(120, 40).Press("enter")
		work(d)
		d.Resize(120, 40)
		state, _ := d.m.lessonState()
		if v := l.Tried(at, &state); v.Right {
			t.Errorf("%s: taken for right: %s", name, v.Text)
		}
	}
}

// The right answer of a choice is at any position, and always at the same one for a learner.
func TestRightAnswersAreAnywhere(t *testing.T) {
	all, err := lesson.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		for i := range l.Parts {
			places := map[int]bool{}
			answers := l.Parts[i].Answers
			for learner := range uint64(60) {
				order := l.Order(i, learner)
				if !slices.Equal(order, l.Order(i, learner)) {
					t.Errorf("%s: another order for the same learner", l.Name)
				}
				places[slices.IndexFunc(order, func(at int) bool { return answers[at].Right })] = true
			}
			if len(answers) > 0 && len(places) != len(answers) {
				t.Errorf("%s, part %d: right at the places %v of %d", l.Name, i+1, places, len(answers))
			}
		}
	}
}

// The keys named in a lesson work while it is open, and lead back to it.
func TestKeysOfLessons(t *testing.T) {
	named := regexp.MustCompile(`(?:^|[ (])([A-Zinpruegme=:[\]])(?: opens| explains| proposes| with| looks| lists| tells| suppresses| puts| writes| compares| you can|\))`)
	tested := 0
	for _, name := range lesson.Names() {
		l, err := lesson.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range l.Parts {
			part := &l.Parts[i]
			if part.Try != "" {
				continue // which hides the lesson
			}
			for _, key := range named.FindAllStringSubmatch(part.Text()+" "+part.Hint+" "+part.Because, -1) {
				d := start(t, Options{Lesson: name, OpenLesson: lessonFile}, 120, 40)
				d.act(func() { d.m.turnPart(i) })
				before := d.Resize(120, 40).Text()
				if d.Press(key[1]); d.Text() == before || strings.Contains(d.Text(), "no key") {
					t.Errorf("%s, part %d: %s does nothing", name, i+1, key[1])
				}
				d.Press("esc")
				if _, in := d.m.dialog.(*teaching.Part); !in && !d.m.learning.aside {
					t.Errorf("%s, part %d: esc after %s does not lead back: %T", name, i+1, key[1], d.m.dialog)
				}
				tested++
			}
		}
	}
	if tested < 4 {
		t.Errorf("%d keys were tried", tested)
	}
}

// While a lesson is open the workbench can be used: tabs, panes, filters. Digits belong to the answer, letters are
// commands, and pasted text never acts as keys.
func TestWorkbenchDuringLesson(t *testing.T) {
	beside(t)
	d := start(t, Options{Lesson: "ten-records", OpenLesson: lessonFile}, 120, 40)
	tabOf := d.m.bench.tab
	if d.Press("[", "["); d.m.bench.tab == tabOf {
		t.Fatal("[ does not lead to another tab")
	}
	d.Screen().Contains("Data", "Ten records from the guide")
	if frame := d.Press("/").Type("Gender = Male").Text(); !strings.Contains(frame, "filter") ||
		strings.Contains(frame, "Ten records from the guide") {
		t.Errorf("the lesson covers what is typed:\n%s", frame)
	}
	d.Press("enter").Screen().Contains("3 of 10", "Ten records from the guide")
	d.Press("]", "]", "1", "enter").Type("4").Press("i").Dialog().Contains("Categories of Residence")
	d.Press("esc").Dialog().Contains("How many of the ten records")
	d.Press("enter").Dialog().Contains("Right.")
	d.Press("left", "q")
	if !d.quit {
		t.Error("q does not quit")
	}
}
