package tui

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/session"
)

// worked opens a file, accepts the suggested scenario, recodes age and quits.
func worked(t *testing.T, options Options) {
	t.Helper()
	d := start(t, options, 120, 40).Press("enter", "a", "enter")
	recodeAge(d)
	if len(d.steps()) != 1 {
		t.Fatalf("steps %q", d.steps())
	}
	d.Press("q")
	if !d.quit {
		t.Fatal("q does not quit")
	}
}

func TestSessionFileIsContinued(t *testing.T) {
	file, journal := writeSurvey(t), filepath.Join(t.TempDir(), "session.jsonl")
	worked(t, Options{Path: file, Journal: journal})
	info, err := os.Stat(journal)
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); mode != 0o600 {
		t.Errorf("the session file has mode %o", mode)
	}
	d := start(t, Options{Journal: journal}, 120, 40)
	if len(d.steps()) != 1 {
		t.Errorf("without a file it goes on with %q", d.steps())
	}
	d.Press("u", "q")
	d = start(t, Options{Path: file, Journal: journal}, 120, 40)
	d.Dialog().Contains("Continue?", "0 of 1 steps")
	d.Press("n")
	d.Screen().Contains("delimiter")
	other := filepath.Join(t.TempDir(), "other.csv")
	if err := os.WriteFile(other, []byte("a,b\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d = start(t, Options{Path: other, Journal: journal}, 160, 40)
	d.Screen().Contains("belongs to", "choose another session file")
}

// Undo, redo and a jump in the list of steps are moves in the session file, each once and under its name.
func TestMovesAreThoseOfTheSession(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "session.jsonl")
	d := recodeAge(start(t, Options{Path: writeSurvey(t), Journal: journal}, 120, 40).Press("enter", "a", "enter"))
	d.Press("1", "g", "r", "down", "space", "down", "space", "m", "esc", "u", "u", "u", "ctrl+r", "U", "U", "6", "end",
		"enter")
	if position, count := d.m.bench.doc.Position(), len(d.m.bench.doc.Steps()); position != 0 || count != 2 {
		t.Errorf("position %d of %d", position, count)
	}
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	moves := regexp.MustCompile(`"move":"\w+","position":\d`).FindAllString(string(text), -1)
	if want := []string{`"move":"undo","position":1`, `"move":"undo","position":0`, `"move":"redo","position":1`,
		`"move":"redo","position":2`, `"move":"jump","position":0`}; !slices.Equal(moves, want) {
		t.Errorf("the moves in the session file are %q, want %q", moves, want)
	}
}

// A step that does not give the same result again is named, and the session continues before it.
func TestAStepThatGivesOtherDataIsNamed(t *testing.T) {
	file, journal := writeSurvey(t), filepath.Join(t.TempDir(), "session.jsonl")
	worked(t, Options{Path: file, Journal: journal})
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	other := regexp.MustCompile(`"after":"[0-9a-f]+"`).ReplaceAll(text, []byte(`"after":"0"`))
	if err := os.WriteFile(journal, other, 0o600); err != nil {
		t.Fatal(err)
	}
	d := start(t, Options{Journal: journal}, 120, 40)
	d.Screen().Contains("step 1 (intervals age", "gives different data than before")
	if len(d.steps()) != 0 || len(d.m.bench.steps) != 1 {
		t.Errorf("of %d steps %q stand", len(d.m.bench.steps), d.steps())
	}
}

// A journal can have a scenario without any k.
func TestScenarioWithoutK(t *testing.T) {
	scenario := surveyScenario()
	scenario.K = []int{}
	d := start(t, Options{Demo: true, OpenDemo: opener("sample.csv", scenario)}, 120, 40).Press("K", "esc", "r", "esc",
		"3", "down", "4", "enter", "esc", "5", "i", "esc")
	d.Resize(80, 24)
	d.Screen().Contains("quit")
}

func TestFileThatIsNoSession(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(path, []byte("not a journal\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := start(t, Options{Journal: path}, 120, 40)
	d.Screen().Contains("notes.txt", "demonstration")
	if text, err := os.ReadFile(path); err != nil || string(text) != "not a journal\n" {
		t.Errorf("the file was changed: %q, %v", text, err)
	}
}

func TestChangedFileStartsNewSession(t *testing.T) {
	file := writeSurvey(t)
	worked(t, Options{Path: file})
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text[:strings.LastIndexByte(string(text[:len(text)-1]), '\n')+1], 0o600); err != nil {
		t.Fatal(err)
	}
	d := start(t, Options{Path: file}, 120, 40)
	d.Screen().Contains("delimiter", "the file has changed since its last session")
}

func TestSessionOfAnotherProgramIsLeftAlone(t *testing.T) {
	file := writeSurvey(t)
	d := start(t, Options{Path: file}, 120, 40).Press("enter", "a", "enter")
	recodeAge(d)
	other := start(t, Options{Path: file}, 120, 40)
	other.Screen().Contains("open in another program", "delimiter")
	d.Press("q")
}

func TestDemonstrationIsContinued(t *testing.T) {
	opener := func(ctx context.Context, meter *progress.Meter) (session.Opening, microdata.Scenario, error) {
		opening, scenario, err := opener("sample.csv", surveyScenario())(ctx, meter)
		opening.Volatile = false
		return opening, scenario, err
	}
	d := recodeAge(start(t, Options{Demo: true, OpenDemo: opener, Recent: session.ListJournals}, 120, 40))
	d.Press(":").Type("open another").Press("enter")
	d.Screen().Contains("recent sessions", "<survey.csv> ", " 1 step ")
	d.Press("down", "down", "enter")
	if d.m.bench == nil || len(d.steps()) != 1 {
		t.Fatalf("the session does not go on:\n%s", d.Text())
	}
	d.Press("q")
}

func TestCancelledReadingLeadsBack(t *testing.T) {
	d := start(t, Options{Path: writeSurvey(t)}, 120, 40).Hold().Press("enter")
	d.Screen().Contains("reading survey.csv", "esc cancels")
	d.Press("esc").Release()
	d.Screen().Contains("delimiter", "cancelled, nothing was changed")

	d = start(t, Options{OpenDemo: opener("sample.csv", surveyScenario())}, 120, 40).Hold().Press("enter", "esc").Release()
	d.Screen().Contains("demonstration")
	if d.m.bench != nil {
		t.Error("the demonstration was opened")
	}
}

// Keys pressed while a file is read apply to the page that follows.
func TestKeysTypedAheadWhileReading(t *testing.T) {
	d := start(t, Options{Path: writeSurvey(t)}, 120, 40).Hold().Press("enter", "a", "enter", "2").Release()
	if d.m.bench == nil || d.m.page != nil || d.m.focused().ID() != "frequencies" {
		t.Fatalf("typed ahead:\n%s", d.Text())
	}
	d = start(t, Options{Path: writeSurvey(t)}, 120, 40).Hold().Press("enter", "q")
	d.Dialog().Contains("Quit while work runs?")
}

func TestQuestionThatIsNotAnsweredLeadsToTheStart(t *testing.T) {
	file := writeSurvey(t)
	worked(t, Options{Path: file})
	d := start(t, Options{Path: file}, 120, 40).Press("esc")
	d.Screen().Contains("demonstration")
}

func TestScenarioIsChangedLater(t *testing.T) {
	d := recodeAge(surveyOf(t, 120, 40))
	before := d.m.bench.current.Assessment.Violators[1].Count
	d.Press("v", "home", "down", "down", "k", "enter") // region is no longer a key variable
	if got := d.m.bench.current.Assessment.Violators[1].Count; got >= before || len(d.steps()) != 1 {
		t.Errorf("%d violators, before %d; steps %q", got, before, d.steps())
	}
	d.Press("v", "esc")
	d.Screen().Contains("6 key variables")
}

// A session without steps is offered again if its variables have roles.
func TestASessionWithoutStepsIsOfferedForItsRoles(t *testing.T) {
	path := writeSurvey(t)
	start(t, Options{Path: path}, 120, 40).Press("enter", "q")
	d := start(t, Options{Path: path}, 120, 40)
	if d.m.dialog != nil {
		t.Fatalf("a session without roles is offered:\n%s", d.Text())
	}
	d.Press("enter", "a", "enter", "q")
	d = start(t, Options{Path: path}, 120, 40)
	d.Dialog().Contains("Continue?", "variable roles and no steps")
	if d.Press("enter"); len(d.m.bench.scenario.Keys) == 0 {
		t.Errorf("the scenario is %+v", d.m.bench.scenario)
	}
}

// A new user finds the lessons on the first page: they are listed, and esc comes back.
func TestStartPageHasTheLessons(t *testing.T) {
	d := start(t, Options{OpenLesson: lessonFile}, 80, 24).Press("down")
	d.Screen().Contains("▸ lessons", "learn disclosure control")
	d.Press("enter").Dialog().Contains("k-anonymity")
	d.Press("esc").Screen().Contains("▸ lessons", "demonstration")
	if d.Press("enter", "enter"); d.m.learning == nil || d.m.bench == nil {
		t.Errorf("no lesson is taken:\n%s", d.Text())
	}
}

// If a new session file is named, it is used although there is another session on the file.
func TestNamedSessionIsMade(t *testing.T) {
	file, journal := writeSurvey(t), filepath.Join(t.TempDir(), "new.jsonl")
	worked(t, Options{Path: file})
	start(t, Options{Path: file}, 120, 40).Dialog().Contains("Continue?")
	d := start(t, Options{Path: file, Journal: journal}, 120, 40)
	d.Screen().Contains("delimiter")
	d.Press("enter", "a", "enter")
	if _, err := os.Stat(journal); err != nil {
		t.Error(err)
	}
	if len(d.steps()) != 0 {
		t.Errorf("it begins with the steps %q", d.steps())
	}
}

// A session file with a damaged line is offered with the part before it, wherever it is opened, and resumed after
// confirmation.
func TestSessionWithDamageIsOffered(t *testing.T) {
	file, journal := writeSurvey(t), filepath.Join(t.TempDir(), "session.jsonl")
	worked(t, Options{Path: file, Journal: journal})
	start(t, Options{Journal: journal}, 120, 40).Press("u", "ctrl+r", "q")
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	text = append([]byte(strings.Replace(string(text), `{"move":"undo"`, `{"move:"undo"`, 1)),
		text[strings.Index(string(text), `{"step"`):]...)
	if err := os.WriteFile(journal, text, 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := session.ReadJournal(journal, nil)
	if err != nil {
		t.Fatal(err)
	}
	recent := func(*session.MethodSource) ([]session.JournalInfo, error) { return []session.JournalInfo{info}, nil }
	d := start(t, Options{Recent: recent}, 120, 40)
	d.Screen().Contains("line 4 of its file cannot be read")
	d.Press("down", "down", "enter")
	d.Dialog().Contains("Continue?", "is not valid JSON", "with 1 more step", "session.jsonl.damaged")
	if _, err := os.Stat(session.DamagedPath(journal)); err == nil {
		t.Error("the file is cut before that is wanted")
	}
	d = start(t, Options{Journal: journal}, 120, 40)
	d.Dialog().Contains("Continue?")
	d = start(t, Options{Path: file, Journal: journal}, 120, 40)
	d.Dialog().Contains("Continue?")
	d.Press("enter")
	if len(d.steps()) != 1 {
		t.Errorf("it goes on with %q", d.steps())
	}
	if kept, err := os.ReadFile(session.DamagedPath(journal)); err != nil || string(kept) != string(text) {
		t.Errorf("%d bytes are kept, %v", len(kept), err)
	}
}

// A damaged session of the demonstration can be replaced by a new one.
func TestDamagedDemonstrationStartsOver(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "session.jsonl")
	data, err := files["survey.csv"]()
	if err != nil {
		t.Fatal(err)
	}
	options := Options{Journal: journal,
		OpenDemo: func(context.Context, *progress.Meter) (session.Opening, microdata.Scenario, error) {
			return session.Opening{Name: "demonstration", Data: data}, surveyScenario(), nil
		}}
	demo := options
	demo.Demo = true
	recodeAge(start(t, demo, 120, 40)).Press("q")
	file, err := os.OpenFile(journal, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString("?\n"); err != nil {
		t.Fatal(err)
	}
	file.Close()
	d := start(t, options, 120, 40)
	d.Dialog().Contains("Continue?")
	d.Press("enter")
	if len(d.steps()) != 1 {
		t.Errorf("it goes on with %q", d.steps())
	}
}
