package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A journal that was deleted, with or without its folder, is written again with the next step.
func TestRemovedJournalIsRewritten(t *testing.T) {
	folder := stateHere(t)
	s := openSmall(t)
	do(t, s, ages)
	for _, remove := range []func(string) error{os.Remove, func(string) error { return os.RemoveAll(folder) }} {
		if err := remove(s.JournalPath()); err != nil {
			t.Skipf("this system deletes no file that is open: %v", err)
		}
		do(t, s, regions)
		must(t, undo(s))
		if info, err := ReadJournal(s.JournalPath(), nil); err != nil || info.Err != nil || info.Position != s.Position() ||
			!info.InUse {
			t.Errorf("the journal has %+v, %v", info, err)
		}
	}
	want := historyOf(s)
	must(t, s.Close())
	again, err := resumed(t, s.identity.Path, s.JournalPath())
	must(t, err)
	defer again.Close()
	if got := historyOf(again); !got.equal(want) {
		t.Errorf("continued %+v\nwant %+v", got, want)
	}
}

// A journal that somebody replaced or truncated is not changed, and the step is refused until that file is moved
// away.
func TestJournalChangedByOthers(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"replaced": func(path string) error {
			return errors.Join(os.WriteFile(path+".new", []byte("other\n"), 0o600), os.Rename(path+".new", path))
		},
		"cut off": func(path string) error { return os.Truncate(path, 10) },
	} {
		t.Run(name, func(t *testing.T) {
			stateHere(t)
			s := openSmall(t)
			do(t, s, ages)
			must(t, change(s.JournalPath()))
			before, err := os.ReadFile(s.JournalPath())
			must(t, err)
			result, err := s.Prepare(regions).Run(context.Background(), nil, nil)
			must(t, err)
			if err := s.Commit(result); !errors.Is(err, ErrNotStored) || s.Position() != 1 {
				t.Errorf("%v, at position %d", err, s.Position())
			}
			if after, err := os.ReadFile(s.JournalPath()); err != nil || !bytes.Equal(after, before) {
				t.Errorf("the file has %q, %v", after, err)
			}
			must(t, os.Rename(s.JournalPath(), s.JournalPath()+".away"))
			must(t, s.Commit(result))
			if info, err := ReadJournal(s.JournalPath(), nil); err != nil || info.Err != nil || info.Position != 2 {
				t.Errorf("the journal has %+v, %v", info, err)
			}
		})
	}
}

// A damaged journal is resumed with the steps before the damage, after confirmation; a copy of it is kept.
func TestJournalWithDamageIsContinuedBeforeIt(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	want := workOn(t, s)
	text, err := os.ReadFile(s.JournalPath())
	must(t, err)
	must(t, s.Close())
	lines := bytes.SplitAfter(text, []byte("\n"))
	lines = lines[:len(lines)-1]
	for at := 1; at < len(lines); at++ {
		lost := 0
		for _, line := range lines[at+1:] {
			lost += bytes.Count(line, []byte(`"step":`))
		}
		path := filepath.Join(t.TempDir(), "damaged.jsonl")
		damaged := bytes.Join([][]byte{bytes.Join(lines[:at], nil), []byte("\x00\x00\x00\n"), bytes.Join(lines[at+1:], nil)},
			nil)
		must(t, os.WriteFile(path, damaged, 0o644))
		info, err := ReadJournal(path, nil)
		if err != nil || info.Err != nil || info.Damage == nil || info.Damage.Line != at+1 || info.Damage.Lost != lost ||
			info.Position != want[at-1].position {
			t.Fatalf("line %d: %+v, %+v, %v", at+1, info, info.Damage, err)
		}
		if _, err := resumed(t, s.identity.Path, path); !errors.Is(err, ErrScript) {
			t.Fatalf("line %d: error %v", at+1, err)
		}
		for round := range 2 { // the second time there is a copy already
			must(t, os.WriteFile(path, damaged, 0o644))
			continued := continuedWithDamage(t, s.identity.Path, path)
			if at > 1 && !historyOf(continued).equal(want[at-1]) {
				t.Fatalf("line %d: %+v\nwant %+v", at+1, historyOf(continued), want[at-1])
			}
			must(t, continued.SetScenario(smallScenario()))
			do(t, continued, step("recode-rename", `{"variable":"sex","level":"m","label":"x"}`))
			must(t, continued.Close())
			if info, err := ReadJournal(path, nil); err != nil || info.Damage != nil || info.Position != continued.Position() {
				t.Errorf("line %d: continued it has %+v, %v", at+1, info, err)
			}
			kept := DamagedPath(path) + []string{"", "-2"}[round]
			got, err := os.ReadFile(kept)
			if info, statErr := os.Stat(kept); err != nil || statErr != nil || !bytes.Equal(got, damaged) ||
				info.Mode().Perm() != 0o600 {
				t.Errorf("line %d: kept are %d bytes with mode %v, %v", at+1, len(got), info.Mode(), err)
			}
		}
	}
}

// continuedWithDamage resumes the part before a damaged line.
func continuedWithDamage(t *testing.T, source, path string) *Session {
	t.Helper()
	data, format := readText(t, smallText)
	opening := fileOpening(t, source, data, format)
	opening.Journal, opening.Repair = path, true
	s, err := Resume(context.Background(), opening, nil)
	must(t, err)
	return s
}

// The steps of a journal run on other data only on request.
func TestRunOfAJournalOnOtherData(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	do(t, s, ages)
	other := filepath.Join(t.TempDir(), "other.csv")
	must(t, os.WriteFile(other, []byte(smallText+"9,f,3,north,10\n"), 0o600))
	var warnings []string
	o := RunOptions{Script: s.JournalPath(), File: other, Out: filepath.Join(t.TempDir(), "out.csv"),
		Warn: butFindings(&warnings)}
	err := Run(context.Background(), o)
	if _, statErr := os.Stat(o.Out); !errors.Is(err, ErrSource) || !strings.Contains(err.Error(), "--other-data") ||
		statErr == nil {
		t.Errorf("error %v; %v", err, statErr)
	}
	o.OtherData = true
	must(t, Run(context.Background(), o))
	if len(warnings) != 1 || !strings.Contains(warnings[0], "other data") {
		t.Errorf("warnings %q", warnings)
	}
	warnings, o.File, o.Force, o.OtherData = nil, s.identity.Path, true, false
	if err := Run(context.Background(), o); err != nil || len(warnings) > 0 {
		t.Errorf("on its own data: %v, %q", err, warnings)
	}
}

// A single line of a journal either does nothing, with a message, or is not a script.
func TestRunOfOneLineOfAJournal(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	do(t, s, ages)
	text, err := os.ReadFile(s.JournalPath())
	must(t, err)
	lines := strings.SplitAfter(string(text), "\n")
	for at, want := range []string{"has no step that changes values", "", ""} {
		path := filepath.Join(t.TempDir(), "line.jsonl")
		must(t, os.WriteFile(path, []byte(lines[at]), 0o600))
		var warnings []string
		err := Run(context.Background(), RunOptions{Script: path, File: s.identity.Path, Out: filepath.Join(t.TempDir(),
			"out.csv"),
			Warn: func(text string) { warnings = append(warnings, text) }})
		if reported := fmt.Sprint(warnings, err); want == "" && !errors.Is(err, ErrScript) || !strings.Contains(reported, want) {
			t.Errorf("line %d: %s", at+1, reported)
		}
	}
}

// Unknown names are quoted by their beginning.
func TestErrorsOfScriptsAreLines(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	const head = `{"format":"sdcdesk-script","version":1}` + "\n"
	for name, text := range map[string]string{
		"step":      head + `{"step":"` + long + `"}`,
		"field":     head + `{"` + long + `":1}`,
		"twice":     head + `{"` + long + `":1,"` + long + `":1}`,
		"parameter": head + `{"step":"convert","params":{"` + long + `":1}}`,
		"move":      head + `{"move":"` + long + `"}`,
		"change":    head + `{"change":"` + long + `"}`,
		"scenario":  head + `{"scenarios":"use","name":"` + long + `"}`,
		"scenarios": head + `{"scenarios":"` + long + `"}`,
		"format":    `{"format":"` + long + `","version":1}`,
	} {
		if _, err := ReadScript(strings.NewReader(text), nil); err == nil || len(err.Error()) > 2000 ||
			!strings.Contains(err.Error(), "xxx") {
			t.Errorf("%s: an error of %d bytes", name, len(fmt.Sprint(err)))
		}
	}
	for name, path := range map[string]string{"measure": "", "parameters": writeFile(t, `{"`+long+`":{}}`)} {
		names := []string{long}
		if path != "" {
			names = nil
		}
		if _, err := readRequested(nil, names, path); err == nil || len(err.Error()) > 2000 {
			t.Errorf("%s: an error of %d bytes", name, len(fmt.Sprint(err)))
		}
	}
}

func writeFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.json")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}
