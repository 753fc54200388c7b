package tui

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/lesson"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/teaching"
)

// lessonFile opens the file of a lesson from testdata.
func lessonFile(ctx context.Context, l *lesson.Lesson, meter *progress.Meter) (session.Opening, error) {
	if l.Own() {
		return l.Open(ctx, meter)
	}
	name := l.Data + ".csv"
	read, err := files[name]()
	return session.Opening{Source: session.NewDemonstration(name, fileio.NewFormat()), Data: read, Volatile: true}, err
}

// works solve the exercises of lessons by keys: by lesson, in order.
var works = map[string][]func(d *driver){
	"k-anonymity": {func(d *driver) { d.Press("K", "enter") }},
	"recoding": {func(d *driver) {
		onKeyVariable(d, "age")
		d.Press("r").retype("14 24 39 59").Press("enter")
	}},
	"suppression": {func(d *driver) {
		d.Press("V").focus("rule for missing values").Press("right", "enter")
		d.Press("K", "enter")
	}},
	"pram": {func(d *driver) { d.Press("P").focus("variables").retype("water").Press("enter") }},
	"masking": {
		func(d *driver) { maskNumbers(d, "microaggregate", "size", "12") },
		func(d *driver) {
			d.Press("u")
			maskNumbers(d, "noise", "percent", "20")
		},
	},
	"intruder": {func(d *driver) {
		onKeyVariable(d, "age")
		d.Press("r").retype("19 39 59").Press("enter")
	}},
	"tables": {func(d *driver) {
		d.Press("f8", "3", "A", "down", "down", "enter")
		d.Press("3", "down", "A", "down", "down", "enter")
	}, func(d *driver) { d.Press("3", "down", "A", "down", "down", "enter") }},
	"risk-utility": {func(d *driver) {
		onKeyVariable(d, "age")
		d.Press("r").retype("9 19 29 44 64").Press("enter")
		d.Press("K", "enter")
	}},
}

// maskNumbers masks the numeric variables of the lessons with a method and a parameter value.
func maskNumbers(d *driver, method, parameter, value string) {
	d.openMethod(method).focus("variables").retype("income, expend, savings")
	d.focus(parameter).retype(value).Press("enter")
}

// onKeyVariable moves the cursor of the first pane to a key variable.
func onKeyVariable(d *driver, name string) {
	d.Helper()
	d.Press("1", "home")
	for range d.m.bench.scenario.Keys {
		if d.m.bench.selected.Variable == name {
			return
		}
		d.Press("down")
	}
	d.Fatalf("no key variable %s", name)
}

// Every lesson can be completed with keys. Wrong answers are rejected, and unsolved exercises are not accepted.
func TestLessonsToTheirEnds(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range lesson.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := lesson.Find(name)
			if err != nil {
				t.Fatal(err)
			}
			d := start(t, Options{Lesson: name, OpenLesson: lessonFile}, 120, 40)
			tries := works[name]
			for i := range l.Parts {
				part := &l.Parts[i]
				d.Dialog().Contains(fmt.Sprintf("%s · %d of %d", l.Title, i+1, len(l.Parts)))
				switch {
				case part.Ask != "":
					answerFigure(d, part)
				case part.Choose != "":
					for _, place := range l.Order(i, 0) {
						d.Press("enter")
						if part.Answers[place].Right {
							break
						}
						d.Dialog().Lacks("Right.")
						d.Press("enter", "down")
					}
					d.Dialog().Contains("Right.")
				case part.Try != "":
					d.Press("enter")
					d.Screen().Contains("C checks:")
					d.Press("C").Dialog().Contains("Not yet:")
					if d.Press("enter"); d.m.dialog != nil {
						t.Fatal("enter does not lead back to the workbench")
					}
					tries[0](d)
					tries = tries[1:]
					d.Dialog().Contains("Right.")
				}
				if t.Failed() {
					t.FailNow()
				}
				d.Press("enter")
			}
			d.Dialog().Contains("End of the lesson.")
			if d.Press("enter"); d.m.dialog != nil || d.m.learning != nil || len(tries) > 0 {
				t.Errorf("the lesson does not end: %v, %d tries left", d.m.dialog, len(tries))
			}
			d.Press("C").Dialog().Contains("Lessons", "Ten records from the guide")
		})
	}
}

// answerFigure answers a question with a text that is not a number, with a number that is far off, with each of
// the mistakes, and then with the figure of the session.
func answerFigure(d *driver, part *lesson.Part) {
	d.Helper()
	state, ready := d.m.lessonState()
	value := state.Value(part.Figure)
	if !ready || math.IsNaN(value) {
		d.Fatalf("%s: the session has no such figure", part.Ask)
	}
	d.Press("enter").Dialog().Contains("That is not a number")
	d.retype("987654").Press("enter").Dialog().Contains("No: the correct value is lower")
	for _, m := range part.Wrong {
		var wrong float64
		if m.Value != nil {
			wrong = *m.Value
		} else {
			wrong = state.Value(m.Figure)
		}
		d.retype(fmt.Sprintf("%.6g", wrong)).Press("enter").Dialog().Contains(m.Because[:25]).Dialog().Lacks("Right.")
	}
	d.retype(fmt.Sprintf("%.4g", value)).Press("enter").Dialog().Contains("Right.")
}

// The figures of the first lesson are those printed in the guide.
func TestLessonOfTheGuide(t *testing.T) {
	beside(t)
	d := start(t, Options{Lesson: "ten-records", OpenLesson: lessonFile}, 80, 24).Press("enter")
	d.Type("4").Press("enter").Dialog().Contains("Right.", "sample uniques")
	d.Press("enter").Type("2.51 %").Press("enter").Dialog().Contains("Right.", ".0251")
	d.Press("left").Dialog().Contains("How many of the ten records")
}

// A lesson can be left and resumed; another file ends it.
func TestLessonIsPutAside(t *testing.T) {
	beside(t)
	d := start(t, Options{Lesson: "k-anonymity", OpenLesson: lessonFile}, 120, 40).Press("enter", "esc")
	d.Screen().Contains("C: back to the lesson k-anonymity and its limits")
	d.Press("C").Dialog().Contains("How many records violate 3-anonymity?")
	if _, ok := d.m.dialog.(*teaching.Part); !ok {
		t.Errorf("%T", d.m.dialog)
	}
	d.Press("esc", ":").Type("open another").Press("enter")
	if d.m.learning != nil {
		t.Error("the lesson goes on without its file")
	}
	d = surveyOf(t, 120, 40).Press("C")
	d.Screen().Contains("there are no lessons in this program")
}

// The golden frames of a lesson and of the description of a file, at the usual sizes.
func TestGoldenFramesOfLessonsAndFacts(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 60}} {
		at := fmt.Sprintf("-%dx%d.txt", size[0], size[1])
		d := start(t, Options{Lesson: "ten-records", OpenLesson: lessonFile}, size[0],
			size[1]).Press("enter").Type("7").Press("enter")
		golden(t, "lesson"+at, d.still().plain())
		golden(t, "facts"+at, demonstration(t, size[0], size[1]).Press("v", "f").still().plain())
	}
}

// A user's lesson works like those of the program, and an invalid one is refused with the reason.
func TestLessonOfAFile(t *testing.T) {
	folder := t.TempDir()
	data := "town,sex\nMill,female\nMill,female\nPort,male\n"
	script := filepath.Join(folder, "towns.jsonl")
	write := func(hash [32]byte) {
		text := fmt.Sprintf(`{"lesson":"towns","title":"Towns","data":"towns.csv","sha256":"%x","measures":["suda"]}
{"scenario":{"keys":["town","sex"]}}
{"ask":"How many have a score?","figure":{"measure":"suda","name":"scored"},"because":"It is alone."}
`, hash)
		if err := errors.Join(os.WriteFile(filepath.Join(folder, "towns.csv"), []byte(data), 0o600),
			os.WriteFile(script, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write(sha256.Sum256([]byte(data)))
	d := start(t, Options{Lesson: script, OpenLesson: lessonFile}, 120, 40)
	d.Dialog().Contains("Towns · 1 of 1")
	d.Type("2").Press("enter").Dialog().Contains("No: the correct value")
	d.retype("1").Press("enter").Dialog().Contains("Right. It is alone.")
	write(sha256.Sum256(nil))
	start(t, Options{Lesson: script, OpenLesson: lessonFile}, 120, 40).Screen().Contains("towns.csv is not the file")
}

// A measure with other parameters is not the one that the lesson asks for.
func TestMeasuresOfLessonsAsTheyCome(t *testing.T) {
	beside(t)
	d := start(t, Options{Lesson: "intruder", OpenLesson: lessonFile}, 120, 40).Press("enter")
	d.act(func() { d.m.openMeasure(session.MeasureSpec{Name: "suda", Params: []byte(`{"keys":["sex","educ"]}`)}) })
	d.Resize(120, 40).Type("0").Press("enter").Dialog().Contains("The figure is not available", "SUDA2").Dialog().Lacks("Right.")
}
