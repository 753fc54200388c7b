package session

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/method"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// resumed resumes the session of a journal on the small survey.
func resumed(t fataler, source, journalPath string) (*Session, error) {
	t.Helper()
	data, format := readText(t, smallText)
	opening := fileOpening(t, source, data, format)
	opening.Journal = journalPath
	return Resume(context.Background(), opening, nil)
}

// history is the part of a session that must survive the program.
type history struct {
	position int
	hash     string
	steps    []string
	keys     string
}

func historyOf(s *Session) history {
	h := history{position: s.Position(), hash: hashText(s.Data()), keys: strings.Join(s.Scenario().Keys, ",")}
	for _, step := range s.Steps() {
		h.steps = append(h.steps, step.Spec.Step+string(step.Spec.Params)+step.After+step.Title)
	}
	return h
}

func (h history) equal(other history) bool {
	return h.position == other.position && h.hash == other.hash && h.keys == other.keys &&
		strings.Join(h.steps, "\n") == strings.Join(other.steps, "\n")
}

// workOn makes steps, moves and changes, and returns the history after each line of the journal, including the
// first two.
func workOn(t *testing.T, s *Session) []history {
	t.Helper()
	all := []history{{}, historyOf(s)}
	note := func(err error) {
		t.Helper()
		must(t, err)
		all = append(all, historyOf(s))
	}
	do(t, s, ages)
	note(nil)
	do(t, s, regions)
	note(nil)
	note(undo(s))
	note(redo(s))
	note(jump(s, 0))
	note(jump(s, 1))
	do(t, s, two) // leaves a branch behind
	note(nil)
	scenario := s.Scenario()
	scenario.Keys = []string{"sex", "region"}
	note(s.SetScenario(scenario))
	job, err := s.PrepareEdit(0, wideAges)
	must(t, err)
	result, err := job.Run(context.Background(), nil, nil)
	must(t, err)
	note(s.Commit(result))
	return all
}

func TestJournalBringsEverythingBack(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	workOn(t, s)
	want := historyOf(s)
	must(t, s.Close())
	again, err := resumed(t, s.identity.Path, s.JournalPath())
	must(t, err)
	defer again.Close()
	if got := historyOf(again); !got.equal(want) {
		t.Errorf("continued %+v\nwant %+v", got, want)
	}
	do(t, again, regions)
	must(t, undo(again))
	must(t, redo(again))
}

func TestJournalCutAnywhereLosesNothingThatWasShown(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	want := workOn(t, s)
	text, err := os.ReadFile(s.JournalPath())
	must(t, err)
	must(t, s.Close())
	cut, every := filepath.Join(t.TempDir(), "cut.jsonl"), 35
	if longtests.Wanted() {
		every = 7
	}
	for length := bytes.IndexByte(text, '\n') + 1; length <= len(text); length++ {
		atEnd := text[length-1] == '\n' || length < len(text) && text[length] == '\n'
		if !longtests.Wanted() && !atEnd && length%5 != 0 {
			continue
		}
		lines := bytes.Count(text[:length], []byte("\n"))
		if length < len(text) && text[length] == '\n' {
			lines++ // the line is complete except for its newline
		}
		script, end, err := readJournal(text[:length], nil)
		if err != nil || script.Lines != lines ||
			end.whole != len(bytes.Join(bytes.SplitAfter(text, []byte("\n"))[:lines], nil)) && !end.open {
			t.Fatalf("cut at byte %d: %d lines of %d, %d bytes, %v", length, script.Lines, lines, end.whole, err)
		}
		if lines == 1 || length%every != 0 && text[length-1] != '\n' { // with one line the scenario was never shown
			continue
		}
		must(t, os.WriteFile(cut, text[:length], 0o600))
		again, err := resumed(t, s.identity.Path, cut)
		if err != nil {
			t.Fatalf("cut at byte %d: %v", length, err)
		}
		if got := historyOf(again); !got.equal(want[lines-1]) {
			t.Fatalf("cut at byte %d, after %d lines: %+v\nwant %+v", length, lines, got, want[lines-1])
		}
		if length%10 == 0 { // the next line must be complete
			do(t, again, ages)
			if info, err := ReadJournal(cut, nil); err != nil || info.Err != nil {
				t.Fatalf("cut at byte %d and continued: %v, %v", length, err, info.Err)
			}
		}
		must(t, again.Close())
	}
}

func TestJournalCutAfterFirstLine(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	must(t, s.Close())
	text, err := os.ReadFile(s.JournalPath())
	must(t, err)
	must(t, os.WriteFile(s.JournalPath(), text[:bytes.IndexByte(text, '\n')+9], 0o600))
	again, err := resumed(t, s.identity.Path, s.JournalPath())
	must(t, err)
	do(t, again, ages)
	must(t, again.Close())
	info, err := ReadJournal(s.JournalPath(), nil)
	if err != nil || info.Err != nil || info.Source.Format().Delimiter != "," || len(info.Steps) != 1 {
		t.Errorf("%+v, %v", info, err)
	}
}

func TestCutFirstLineIsNoJournal(t *testing.T) {
	folder := stateHere(t)
	s := openSmall(t)
	must(t, s.Close())
	text, err := os.ReadFile(s.JournalPath())
	must(t, err)
	must(t, os.WriteFile(filepath.Join(folder, "torn"+journalEnding), text[:20], 0o600))
	found, err := ListJournals(nil)
	if err != nil || len(found) != 1 {
		t.Errorf("%d journals, %v", len(found), err)
	}
}

func TestDamagedLineIsNamed(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	do(t, s, ages)
	must(t, s.Close())
	text, err := os.ReadFile(s.JournalPath())
	must(t, err)
	must(t,
		os.WriteFile(s.JournalPath(), append(bytes.Replace(text, []byte("{\"scenario"), []byte("{scenario"), 1), "{}\n"...),
			0o600))
	_, err = resumed(t, s.identity.Path, s.JournalPath())
	var line *ScriptError
	if !errors.As(err, &line) || line.Line != 2 {
		t.Errorf("error %v", err)
	}
}

func TestChangedJournalIsNoticed(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	do(t, s, ages)
	do(t, s, two)
	must(t, undo(s))
	must(t, undo(s))
	must(t, s.Close())
	text, err := os.ReadFile(s.JournalPath())
	must(t, err)
	must(t, os.WriteFile(s.JournalPath(), bytes.Replace(text, []byte("[-1,17,44,120]"), []byte("[-1,18,44,120]"), 1),
		0o600))
	again, err := resumed(t, s.identity.Path, s.JournalPath()) // no step is applied: nothing is replayed
	must(t, err)
	before := historyOf(again)
	if err := redo(again); !errors.Is(err, ErrReplay) {
		t.Errorf("redo: %v", err)
	}
	if !historyOf(again).equal(before) {
		t.Error("the session moved all the same")
	}
	must(t, again.Close())
	must(t,
		os.WriteFile(s.JournalPath(), append(bytes.Replace(text, []byte("[-1,17,44,120]"), []byte("[-1,18,44,120]"), 1),
			"{\"move\":\"redo\",\"position\":1}\n"...), 0o600))
	again, err = resumed(t, s.identity.Path, s.JournalPath())
	must(t, err)
	if again.Position() != 0 || !errors.Is(again.Halted(), ErrReplay) {
		t.Errorf("resumed at %d, %v", again.Position(), again.Halted())
	}
}

// If a step gives other data than before, the steps before it are kept, under the roles that fit their data, and
// the session continues from there.
func TestStepsBeforeAChangedOneStand(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	do(t, s, ages)
	do(t, s, step("make-stratum", `{"variables":["sex"],"name":"place"}`))
	scenario := s.Scenario()
	scenario.Strata = []string{"place"}
	must(t, s.SetScenario(scenario))
	do(t, s, regions)
	must(t, s.Close())
	text, err := os.ReadFile(s.JournalPath())
	must(t, err)
	changed := bytes.Replace(text, []byte(`"after":"`+s.Steps()[1].After), []byte(`"after":"`+strings.Repeat("0", 64)), 1)
	must(t, os.WriteFile(s.JournalPath(), changed, 0o600))
	again, err := resumed(t, s.identity.Path, s.JournalPath())
	must(t, err)
	const want = "step 2 (make stratum place of sex) gives different data than before: it was made by another version of the program, or the session file was changed; only the steps before it are applied: 1"
	if again.Position() != 1 || len(again.Steps()) != 3 || again.Halted() == nil || again.Halted().Error() != want {
		t.Errorf("position %d of %d, %v", again.Position(), len(again.Steps()), again.Halted())
	}
	if names := again.Scenario().Strata; len(names) > 0 {
		t.Errorf("strata %v, which no step made", names)
	}
	if err := redo(again); !errors.Is(err, ErrReplay) {
		t.Errorf("redo: %v", err)
	}
	do(t, again, two)
	must(t, again.Close())
	again, err = resumed(t, s.identity.Path, s.JournalPath())
	must(t, err)
	if again.Halted() != nil || again.Position() != 2 || again.Steps()[1].Spec.Step != two.Step {
		t.Errorf("continued anew: %v, %d steps", again.Halted(), again.Position())
	}
}

func TestJournalHoldsNoRecords(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	do(t, s, step("recode-rename", `{"variable":"hid","level":"3","label":"three"}`))
	do(t, s, two)
	text, err := os.ReadFile(s.JournalPath())
	must(t, err)
	for _, secret := range []string{"20.5", `"99"`, `"6"`} {
		if bytes.Contains(text, []byte(secret)) {
			t.Errorf("the journal has the value %s", secret)
		}
	}
}

func TestFindJournals(t *testing.T) {
	stateHere(t)
	if found, err := FindJournals("nowhere.csv", nil); err != nil || len(found) != 0 {
		t.Errorf("without a folder: %v, %v", found, err)
	}
	s, other := openSmall(t), openSmall(t)
	do(t, s, ages)
	do(t, s, regions)
	must(t, undo(s))
	source := s.identity.Path
	found, err := FindJournals(source, nil)
	must(t, err)
	if len(found) != 1 || found[0].Path != s.JournalPath() || len(found[0].Steps) != 2 || found[0].Position != 1 ||
		found[0].Steps[0].Title != s.Steps()[0].Title || !found[0].InUse || found[0].Changed || found[0].Err != nil {
		t.Fatalf("found %+v", found)
	}
	must(t, s.Close())
	must(t, os.WriteFile(source, []byte("other"), 0o600))
	found, err = FindJournals(source, nil)
	if err != nil || found[0].InUse || !found[0].Changed {
		t.Errorf("after closing and changing the source: %+v, %v", found, err)
	}
	if all, err := ListJournals(nil); err != nil || len(all) != 2 {
		t.Errorf("%d journals, want those of %s and %s: %v", len(all), s.Name(), other.Name(), err)
	}
}

func TestContinueReadsTheSource(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	do(t, s, ages)
	want := historyOf(s)
	must(t, s.Close())
	again, err := continueAt(t, s.JournalPath())
	must(t, err)
	if !historyOf(again).equal(want) {
		t.Error("another history")
	}
	must(t, again.Close())
	must(t, os.WriteFile(s.identity.Path, []byte(strings.Replace(smallText, "71", "72", 1)), 0o600))
	if _, err := continueAt(t, s.JournalPath()); !errors.Is(err, ErrSource) {
		t.Errorf("on a changed source: %v", err)
	}
}

func TestOneProgramAtATime(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	if _, err := resumed(t, s.identity.Path, s.JournalPath()); !errors.Is(err, ErrLocked) {
		t.Errorf("a second session on the journal: %v", err)
	}
	do(t, s, ages)
	must(t, s.Close())
	again, err := resumed(t, s.identity.Path, s.JournalPath())
	must(t, err)
	must(t, again.Close())
}

func TestJournalElsewhere(t *testing.T) {
	data, format := readText(t, smallText)
	path := filepath.Join(t.TempDir(), "my.session")
	s, err := New(Opening{Source: NewDemonstration("test", format), Data: data, Journal: path})
	must(t, err)
	must(t, s.SetScenario(smallScenario()))
	must(t, s.Close())
	if _, err := New(Opening{Source: NewDemonstration("test", format), Data: data, Journal: path}); !errors.Is(err,
		ErrJournalExists) {
		t.Errorf("a second session in the same file: %v", err)
	}
	again, err := Resume(context.Background(), Opening{Source: NewDemonstration("test", format), Data: data,
		Journal: path}, nil)
	must(t, err)
	must(t, again.Close())
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	if os.Getuid() == 0 {
		// Root may write anywhere: a file instead of the folder stops it too.
		state := filepath.Join(t.TempDir(), "state")
		must(t, os.WriteFile(state, nil, 0o600))
		t.Setenv("XDG_STATE_HOME", state)
	} else {
		state := t.TempDir()
		must(t, os.Chmod(state, 0o500))
		t.Setenv("XDG_STATE_HOME", state)
	}
	data, format := readText(t, smallText)
	s, err := New(Opening{Source: NewDemonstration("test", format), Data: data})
	must(t, err)
	if err := s.SetScenario(smallScenario()); !errors.Is(err, ErrNotStored) {
		t.Errorf("error %v", err)
	}
	if len(s.Scenario().Keys) != 0 || s.version != 0 {
		t.Error("the scenario changed all the same")
	}
}

// fullDisk is a file that fails after so many bytes, writing a part.
type fullDisk struct {
	journalFile
	room     int
	syncFail bool
}

func (f *fullDisk) Write(text []byte) (int, error) {
	if len(text) <= f.room {
		f.room -= len(text)
		return f.journalFile.Write(text)
	}
	n, _ := f.journalFile.Write(text[:f.room])
	f.room = 0
	return n, syscall.ENOSPC
}

func (f *fullDisk) Sync() error {
	if f.syncFail {
		return syscall.EIO
	}
	return f.journalFile.Sync()
}

func TestFullDiskLosesNothing(t *testing.T) {
	for name, disk := range map[string]*fullDisk{"full": {room: 30}, "sync": {room: 1 << 20, syncFail: true}} {
		t.Run(name, func(t *testing.T) {
			stateHere(t)
			s := openSmall(t)
			do(t, s, ages)
			want := historyOf(s)
			before, err := os.ReadFile(s.JournalPath())
			must(t, err)
			file := s.journal.file
			disk.journalFile = file
			s.journal.file = disk
			result, err := s.Prepare(regions).Run(context.Background(), nil, nil)
			must(t, err)
			for what, err := range map[string]error{"commit": s.Commit(result), "undo": undo(s)} {
				if !errors.Is(err, ErrNotStored) {
					t.Errorf("%s: %v, want ErrNotStored", what, err)
				}
			}
			if !historyOf(s).equal(want) {
				t.Error("the session moved")
			}
			if after, err := os.ReadFile(s.JournalPath()); err != nil || !bytes.Equal(before, after) {
				t.Errorf("the journal changed: %v", err)
			}
			s.journal.file = file // room again
			must(t, s.Commit(result))
			want = historyOf(s)
			must(t, s.Close())
			again, err := resumed(t, s.identity.Path, s.JournalPath())
			must(t, err)
			defer again.Close()
			if !historyOf(again).equal(want) {
				t.Error("the journal lost something")
			}
		})
	}
}

func TestReplayGivesTheSameHashes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replay.jsonl")
	rapid.Check(t, func(t *rapid.T) {
		_ = os.Remove(path)
		text := drawText(t)
		data, format := readText(t, text)
		memory := rapid.SampledFrom([]int64{1, 1 << 30}).Draw(t, "memory")
		s, err := New(Opening{Source: NewDemonstration("test", format), Data: data, Journal: path, Memory: memory})
		must(t, err)
		must(t, s.SetScenario(smallScenario()))
		for range rapid.IntRange(1, 8).Draw(t, "acts") {
			act(t, s)
		}
		must(t, s.Close())
		fresh, _ := readText(t, text)
		again, err := Resume(context.Background(), Opening{Source: NewDemonstration("test", format), Data: fresh,
			Journal: path, Memory: memory}, nil)
		must(t, err)
		defer again.Close()
		if got, want := historyOf(again), historyOf(s); !got.equal(want) {
			t.Fatalf("replayed %+v\nwant %+v", got, want)
		}
		for position := range len(s.Steps()) + 1 { // the undone steps too
			must(t, jump(again, position))
			if position > 0 && hashText(again.Data()) != s.Steps()[position-1].After {
				t.Fatalf("other data at position %d", position)
			}
		}
	})
}

// act does something to a session. What does not fit is refused and changes nothing.
func act(t *rapid.T, s *Session) {
	var result *Result
	var err error
	position := rapid.IntRange(0, len(s.Steps())).Draw(t, "position")
	switch rapid.IntRange(0, 7).Draw(t, "act") {
	case 0:
		_ = undo(s)
	case 1:
		must(t, jump(s, position))
	case 2:
		scenario := smallScenario()
		scenario.Keys = rapid.SampledFrom([][]string{{"sex"}, {"age", "region"}, {"sex", "age", "region"}}).Draw(t, "keys")
		must(t, s.SetScenario(scenario))
	case 3:
		if job, refused := s.PrepareEdit(position, drawStep(t)); refused == nil {
			result, err = job.Run(context.Background(), nil, nil)
		}
	case 4:
		if removal, refused := s.PrepareRemove(position); refused == nil {
			result, err = removal.Run(context.Background(), nil, nil)
		}
	default:
		result, err = s.Prepare(drawStep(t)).Run(context.Background(), nil, nil)
	}
	if result != nil && err == nil {
		must(t, s.Commit(result))
	}
}

// Figures that a journal cannot hold name their step.
func TestFiguresThatCannotBeStoredNameTheirStep(t *testing.T) {
	whole, broken := Step{Spec: step("pram", "{}")}, Step{Spec: step("mondrian", "{}"),
		Report: method.Report{Regions: &method.Regions{Penalty: math.NaN()}}}
	for name, result := range map[string]*Result{"step": {steps: []Step{broken}},
		"change": {steps: []Step{whole, broken}, job: Job{change: changeEdit}}} {
		s := openSmall(t)
		result.job.version = s.version
		if err := s.Commit(result); err == nil || !strings.Contains(err.Error(), "step mondrian") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
