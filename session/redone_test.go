package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// A session in which a step before a variable with a role was changed or removed is resumed, and its journal
// replayed, with the same data.
func TestChangesBeforeAMadeKeyAreReplayed(t *testing.T) {
	for name, change := range map[string]func(s *Session) (*Result, error){
		"edit": func(s *Session) (*Result, error) {
			job, err := s.PrepareEdit(1, step("suppress-kanonymity", `{"k":3}`))
			if err != nil {
				return nil, err
			}
			return job.Run(context.Background(), NewAnalyst(), nil)
		},
		"remove": func(s *Session) (*Result, error) {
			removal, err := s.PrepareRemove(0)
			if err != nil {
				return nil, err
			}
			return removal.Run(context.Background(), NewAnalyst(), nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := openSmall(t)
			do(t, s, regions)
			do(t, s, two)
			do(t, s, step("make-stratum", `{"variables":["sex","region"]}`))
			scenario := s.Scenario()
			scenario.Keys = append(scenario.Keys, "sex_region")
			must(t, s.SetScenario(scenario))
			result, err := change(s)
			must(t, err)
			must(t, s.Commit(result))
			path, source, want := s.JournalPath(), s.identity.Path, s.Data().Hash()
			must(t, s.Close())
			continued, err := continueAt(t, path)
			if err != nil {
				t.Fatalf("continued: %v", err)
			}
			if continued.Data().Hash() != want {
				t.Error("continued, the session has other data")
			}
			must(t, continued.Close())
			if err := Run(context.Background(), RunOptions{Script: path, File: source, Out: filepath.Join(t.TempDir(),
				"out.csv")}); err != nil {
				t.Errorf("replayed: %v", err)
			}
		})
	}
}

// The cached result of a step on an ordered variable is not used after the order is undone.
func TestOrderIsNotRemembered(t *testing.T) {
	for _, spec := range []StepSpec{
		{Step: "pram", Params: []byte(`{"variables":["region"],"form":"band","band":1,"pd":0.2}`), Seed: 5},
		step("recode-topbottom", `{"variable":"region","top_level":"south"}`),
		step("recode-group", `{"variable":"region","levels":["east","N"]}`),
		step("mondrian", `{"k":3}`),
	} {
		s := openSmall(t)
		analyst := NewAnalyst()
		with := func(a *Analyst, spec StepSpec) (*Result, error) {
			return s.Prepare(spec).Run(context.Background(), a, nil)
		}
		for _, before := range []StepSpec{
			step("recode-rename", `{"variable":"region","level":"north","label":"N"}`),
			step("recode-order", `{"variable":"region","levels":["east","N","south","west"]}`),
			spec,
		} {
			result, err := with(analyst, before)
			must(t, err)
			must(t, s.Commit(result))
		}
		must(t, undo(s))
		must(t, undo(s))
		fresh, want := with(NewAnalyst(), spec)
		result, err := with(analyst, spec)
		if (err == nil) != (want == nil) {
			t.Errorf("%s: error %v, computed anew %v", spec.Step, err, want)
			continue
		}
		if err == nil && (result.Data.Hash() != fresh.Data.Hash() || result.Data.Lineage() != fresh.Data.Lineage()) {
			t.Errorf("%s: other data than computed anew", spec.Step)
		}
	}
}

// A step that has become impossible under the scenario since it was undone is not redone.
func TestRedoOfAnImpossibleStep(t *testing.T) {
	s := openSmall(t)
	do(t, s, two)
	must(t, undo(s))
	scenario := s.Scenario()
	scenario.Keys = nil
	must(t, s.SetScenario(scenario))
	if err := redo(s); !errors.Is(err, microdata.ErrScenario) || s.Position() != 0 {
		t.Errorf("redo: position %d, error %v", s.Position(), err)
	}
	var text bytes.Buffer
	must(t, s.Document().WriteScript(&text, true))
	script := filepath.Join(t.TempDir(), "steps.jsonl")
	must(t, os.WriteFile(script, text.Bytes(), 0o600))
	if err := Run(context.Background(), RunOptions{Script: script, File: s.identity.Path, Out: filepath.Join(t.TempDir(),
		"out.csv")}); err != nil {
		t.Errorf("the exported script: %v", err)
	}
	scenario.Weight = ""
	must(t, s.SetScenario(scenario))
}

// After a search, the cells that k-anonymity would need can be computed, also in strata.
func TestNeedAfterASearch(t *testing.T) {
	s := openSmall(t)
	scenario := s.Scenario()
	scenario.Strata = []string{"sex"}
	analyst := NewAnalyst()
	search, err := analyst.Search(context.Background(), s.Data(), &scenario,
		step("suppress-kanonymity", `{"k":2,"algorithm":"thorough","strata":[]}`))
	must(t, err)
	whatIf, err := search.WhatIf(context.Background())
	must(t, err)
	_, err = analyst.Need(context.Background(), whatIf, 2, "")
	must(t, err)
}

// A label that the file could not hold is refused by the what-if as by the step, and only if a record has it.
func TestWhatIfRefusesLabelsThatReadAsMissing(t *testing.T) {
	s := openSmall(t)
	format := s.opened.Source.Format()
	format.Missing = append(format.Missing, "NA")
	s.opened.Source = NewDemonstration("test", format)
	scenario := s.Scenario()
	for _, spec := range []StepSpec{
		step("recode-rename", `{"variable":"region","level":"north","label":"NA"}`),
		step("recode-rename", `{"variable":"region","level":"north","label":"N"}`),
		step("recode-group", `{"variable":"region","levels":["north","south"],"label":"NA"}`),
	} {
		_, whatIf := NewAnalyst().For(s).WhatIf(context.Background(), s.Data(), &scenario, spec, nil)
		_, made := s.Prepare(spec).Run(context.Background(), nil, nil)
		if (whatIf == nil) != (made == nil) {
			t.Errorf("%s: what-if %v, step %v", spec.Params, whatIf, made)
		}
	}
}

// A recode file has the applied recodes: those of another recode file, and none of a variable reset since.
func TestStandingRecodes(t *testing.T) {
	s := openSmall(t)
	do(t, s, ages)
	do(t, s, regions)
	var file bytes.Buffer
	must(t, s.Document().WriteRecodes(&file))
	do(t, s, step("reset", `{"variable":"age"}`))
	var left bytes.Buffer
	must(t, s.Document().WriteRecodes(&left))
	if text := left.String(); !bytes.Contains(file.Bytes(), []byte(`"age"`)) ||
		bytes.Contains(left.Bytes(), []byte(`"age"`)) || !bytes.Contains(left.Bytes(), []byte(`"region"`)) {
		t.Errorf("before the reset:\n%s\nafter:\n%s", file.String(), text)
	}
	params, err := json.Marshal(map[string]any{"recodes": file.String()})
	must(t, err)
	other := openSmall(t)
	do(t, other, StepSpec{Step: "recode-file", Params: params})
	var again bytes.Buffer
	must(t, other.Document().WriteRecodes(&again))
	if again.String() != file.String() {
		t.Errorf("brought by a file, the recodes are\n%s\nfor\n%s", again.String(), file.String())
	}
}

// An undo that would remove a variable with a role says first which role to remove.
func TestUndoOfAMadeKeySaysWhatToDo(t *testing.T) {
	s := openSmall(t)
	do(t, s, step("make-stratum", `{"variables":["sex","region"]}`))
	scenario := s.Scenario()
	scenario.Keys = append(scenario.Keys, "sex_region")
	must(t, s.SetScenario(scenario))
	err := undo(s)
	if !errors.Is(err, microdata.ErrScenario) || !strings.HasPrefix(err.Error(),
		"first remove the role of sex_region: the undo is not possible") {
		t.Errorf("error %v", err)
	}
}

// The script of a branch runs even if its steps were not replayed since the session was resumed.
func TestScriptOfABranchThatWasNotDoneAgain(t *testing.T) {
	s := openSmall(t)
	do(t, s, regions)
	do(t, s, step("make-stratum", `{"variables":["sex","region"]}`))
	scenario := s.Scenario()
	scenario.Keys = append(scenario.Keys, "sex_region")
	must(t, s.SetScenario(scenario))
	job, err := s.PrepareEdit(0, ages)
	must(t, err)
	result, err := job.Run(t.Context(), nil, nil)
	must(t, err)
	must(t, s.Commit(result))
	changed := s.Node()
	must(t, back(s))
	must(t, s.Close())
	continued, err := continueAt(t, s.JournalPath())
	must(t, err)
	defer continued.Close()
	branch, err := continued.Branch(changed)
	must(t, err)
	script := filepath.Join(t.TempDir(), "branch.jsonl")
	must(t, writeScript(branch, script, false, true))
	if err := Run(t.Context(), RunOptions{Script: script, File: s.identity.Path, Out: filepath.Join(t.TempDir(),
		"out.csv")}); err != nil {
		text, _ := os.ReadFile(script)
		t.Errorf("%v\n%s", err, text)
	}
}
