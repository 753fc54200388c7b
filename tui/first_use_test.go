package tui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/lesson"
	"github.com/sdcdesk/sdcdesk/session"
)

// a in the pane Candidates adds methods for key variables; without any variable it says what is missing.
func TestUsualCandidatesForKeyVariables(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("f6", "3", "a")
	d.Pane("trials").Contains("k-anonymity by local suppression: k = 3", "k-anonymity by Mondrian ranges: k = 3").
		Pane("trials").Lacks("Microaggregation")
	for _, trial := range d.m.state().Trials {
		if trial.Err != nil || len(trial.Figures) == 0 {
			t.Errorf("%s: %v, %d figures", trial.Title, trial.Err, len(trial.Figures))
		}
	}
	d = start(t, Options{Demo: true, OpenDemo: textOpener("a.csv", "a,b\nx,y\n", microdata.NewScenario())}, 120, 40)
	d.Press("f6", "3", "a").Screen().Contains("press v to choose some")
}

// enter computes a measure with its defaults if they fit the data. Otherwise it opens the dialog, and so does
// enter on a computed measure.
func TestEnterComputesAMeasure(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("f5", "3")
	d.Screen().Contains("Press enter to compute it").Press("enter")
	if d.m.dialog != nil || d.m.state().Measured("suda") == nil {
		t.Fatalf("enter does not compute SUDA:\n%s", d.Text())
	}
	d.Screen().Contains("with a minimal sample unique")
	d.Press("enter").Dialog().Contains("missing")
	// No variable is sensitive: the dialog asks for one.
	d.Press("esc", "4", "enter").Dialog().Contains("Not applicable: no sensitive variables")
}

// space marks a variable, or a name in a list, and goes to the next.
func TestSpaceGoesOn(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("f4", "1", "home", "space", "space")
	if got := strings.Join(d.m.numbersMeant(), " "); got != "hsize age" {
		t.Errorf("marked are %q", got)
	}
	d.Press("end", "space", "space")
	if got := strings.Join(d.m.numbersMeant(), " "); got != "hsize age" {
		t.Errorf("at the end the mark is not taken away: %q", got)
	}
	surveyOf(t, 120, 40).openMethod("make-stratum").Press("space", "ctrl+a", "ctrl+a", "home", "space", "space", "enter").Dialog().
		Contains("variables  region, urbrur ")
}

// recodedFile runs the program on the survey as a file with a journal.
func recodedFile(t *testing.T, noTrace bool) *driver {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	d := start(t, Options{Path: writeSurvey(t), OpenLesson: lessonFile, NoTrace: noTrace}, 120, 40)
	return recodeAge(d.Press("enter", "a", "enter"))
}

// A lesson replaces a file with applied steps, and b in the lesson goes back to it.
func TestLessonLeadsBack(t *testing.T) {
	d := recodedFile(t, false).Press("C", "enter")
	d.Screen().Contains("b back to survey.csv")
	d.Press("b")
	if d.m.learning != nil || strings.Join(d.steps(), "") == "" || d.m.bench.doc.Name() != "survey.csv" {
		t.Fatalf("b does not go back:\n%s", d.Text())
	}
	// From one lesson to another, and from the list.
	d.Press("C", "enter").m.learning = nil
	d.m.dialog = nil
	d.Press("C", "down", "enter")
	if d.m.learning == nil {
		t.Fatal("another lesson asks, though nothing is left")
	}
	d.m.learning, d.m.dialog = nil, nil
	d.Press("C", "b")
	if len(d.steps()) != 1 {
		t.Errorf("the list does not lead back:\n%s", d.Text())
	}
	d.Press("C").Screen().Lacks("back to survey.csv")
}

// There is a way back without steps, without a session file, and if a lesson cannot be opened. Unsaved steps are
// not discarded without asking.
func TestWayBackWithoutSteps(t *testing.T) {
	d := recodedFile(t, true).Press("C", "enter")
	d.Press("ctrl+c").Dialog().Contains("Discard unsaved steps?", "1 step is not in any exported script")
	d.Press("esc", "b")
	if d.m.bench == nil || d.m.bench.doc.Name() != "survey.csv" || len(d.steps()) != 1 {
		t.Errorf("b does not go back to steps that are not kept:\n%s", d.Text())
	}
	d.m.options.OpenLesson = func(context.Context, *lesson.Lesson, *progress.Meter) (session.Opening, error) {
		return session.Opening{}, errors.New("no lesson")
	}
	if d.Press("C", "enter"); d.m.bench == nil || d.m.learning != nil || len(d.steps()) != 1 {
		t.Errorf("a lesson that cannot be opened leaves\n%s", d.Text())
	}
	d = recodedFile(t, false).Press("u", "C", "enter").Press("b")
	if d.m.bench == nil || d.m.bench.doc.Name() != "survey.csv" {
		t.Errorf("b does not go back to a file without steps:\n%s", d.Text())
	}
}

// A file with only numeric variables opens at their tab, with a hint what to do.
func TestNumericFileSaysWhereToGo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "taxes.csv")
	if err := os.WriteFile(path, []byte("income,tax\n1000.5,100\n2000.1,250\n1500.9,180\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := start(t, Options{Path: path}, 80, 24).Press("enter")
	d.Screen().Contains("n numeric ones")
	d.Press("enter").Screen().Contains("Numeric variables", "space marks variables", "v changes roles")
	surveyOf(t, 80, 24).Screen().Lacks("space marks variables")
}

// If there is no room for the help of a field, the key that explains it is named instead.
func TestHelpThatHasNoRoomIsNamed(t *testing.T) {
	d := demonstration(t, 80, 24).Press("f4", "1", "home", "down", "down", "M")
	d.Screen().Contains("? explains variables")
	if d.Press("?"); d.m.covered == nil {
		t.Errorf("? opens no page:\n%s", d.Text())
	}
	demonstration(t, 120, 40).Press("f4", "1", "M").Screen().Lacks("? explains")
}
