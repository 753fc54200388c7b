package session

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// listedScenarios lists the scenarios of a session, the active one in brackets.
func listedScenarios(s *Session) string {
	var all []string
	for _, one := range s.Scenarios() {
		text := cmp.Or(one.Name, firstScenario) + ":" + strings.Join(one.Scenario.Keys, "+")
		if one.InForce {
			text = "[" + text + "]"
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

// neighbour is another scenario of smallText.
func neighbour() microdata.Scenario {
	scenario := smallScenario()
	scenario.Keys = []string{"sex", "age"}
	return scenario
}

// A session has several named scenarios; changes are undone one by one, and a resumed session has them all.
func TestSeveralScenarios(t *testing.T) {
	s := openSmall(t)
	acts := []struct {
		do   func() error
		want string
	}{
		{func() error { return s.PutScenario("neighbour", neighbour()) }, "scenario 1:sex+age+region [neighbour:sex+age]"},
		{func() error { return s.UseScenario("scenario 1") }, "[scenario 1:sex+age+region] neighbour:sex+age"},
		{func() error { return s.RenameScenario("scenario 1", "journalist") },
			"[journalist:sex+age+region] neighbour:sex+age"},
		{func() error { do(t, s, ages); return nil }, "[journalist:sex+age+region] neighbour:sex+age"},
		{func() error { return s.SetScenario(neighbour()) }, "[journalist:sex+age] neighbour:sex+age"},
		{func() error { return s.RemoveScenario("journalist") }, "[neighbour:sex+age]"},
	}
	listed := []string{listedScenarios(s)}
	for i, act := range acts {
		must(t, act.do())
		if listed = append(listed, listedScenarios(s)); listed[i+1] != act.want {
			t.Fatalf("after act %d: %s, want %s", i+1, listed[i+1], act.want)
		}
	}
	must(t, s.Close())
	s, err := continueAt(t, s.JournalPath())
	must(t, err)
	defer s.Close()
	for i := len(acts) - 1; i >= 0; i-- {
		must(t, back(s))
		if got := listedScenarios(s); got != listed[i] || s.Position() != map[bool]int{true: 1}[i > 3] {
			t.Errorf("act %d taken back: %s at step %d, want %s", i+1, got, s.Position(), listed[i])
		}
	}
	if s.CanUndo() {
		t.Error("the first scenario can be taken back")
	}
	for i := range acts {
		must(t, again(s))
		if got := listedScenarios(s); got != listed[i+1] {
			t.Errorf("act %d done again: %s, want %s", i+1, got, listed[i+1])
		}
	}
}

// The first line of a journal keeps the name of the scenario.
func TestTheFirstScenarioHasAName(t *testing.T) {
	s := beginSmall(t)
	must(t, s.PutScenario("neighbour", neighbour()))
	must(t, s.Close())
	s, err := continueAt(t, s.JournalPath())
	must(t, err)
	defer s.Close()
	if got := listedScenarios(s); got != "[neighbour:sex+age]" {
		t.Error(got)
	}
}

// Invalid changes are refused, and change nothing.
func TestScenariosThatCannotBe(t *testing.T) {
	s := openSmall(t)
	must(t, s.PutScenario("neighbour", neighbour()))
	for name, act := range map[string]func() error{
		"use of none":       func() error { return s.UseScenario("nobody") },
		"name taken":        func() error { return s.RenameScenario("neighbour", "scenario 1") },
		"no name":           func() error { return s.RenameScenario("neighbour", " \n") },
		"removal of none":   func() error { return s.RemoveScenario("nobody") },
		"rename of unknown": func() error { return s.RenameScenario("nobody", "x") },
	} {
		if err := act(); !errors.Is(err, ErrScenarioName) ||
			listedScenarios(s) != "scenario 1:sex+age+region [neighbour:sex+age]" {
			t.Errorf("%s: %v; %s", name, err, listedScenarios(s))
		}
	}
	must(t, s.RemoveScenario("scenario 1"))
	if err := s.RemoveScenario("neighbour"); !errors.Is(err, ErrScenarioName) {
		t.Errorf("the only one is removed: %v", err)
	}
	none := microdata.NewScenario()
	must(t, s.PutScenario("nobody", none))
	must(t, s.UseScenario("neighbour"))
	do(t, s, two)
	var conflict *ConflictError
	if err := s.UseScenario("nobody"); !errors.As(err, &conflict) {
		t.Errorf("a scenario that the steps forbid: %v", err)
	}
}

// A script has all scenarios. Running it gives the same scenarios, and its summary has the figures under each,
// equal to those of a session with only that scenario.
func TestScriptHoldsScenarios(t *testing.T) {
	s := openSmall(t)
	do(t, s, ages)
	must(t, s.PutScenario("neighbour", neighbour()))
	do(t, s, two)
	last := s.Scenario()
	last.K, last.GlobalRisk = []int{3}, 0.05
	must(t, s.SetScenario(last))
	must(t, s.UseScenario("scenario 1"))
	folder := t.TempDir()
	script := filepath.Join(folder, "steps.jsonl")
	must(t, writeScript(s.Document(), script, false, true))
	file, err := os.Open(script)
	must(t, err)
	defer file.Close()
	if text, err := os.ReadFile(script); err != nil || !strings.Contains(string(text),
		`{"scenarios":"use","name":"scenario 1"}`+"\n"+`{"step":"recode-intervals"`) {
		t.Errorf("a scenario is not used by its name: %v\n%s", err, text)
	}
	read, err := ReadScript(file, nil)
	must(t, err)
	other := volatile(t, smallText, microdata.NewScenario())
	must(t, other.follow(t.Context(), read, func(string) {}))
	if got, want := listedScenarios(other), listedScenarios(s); got != want || other.Data().Hash() != s.Data().Hash() {
		t.Errorf("run again: %s, want %s", got, want)
	}
	if all := other.Scenarios(); !slices.Equal(all[1].Scenario.K, []int{3}) || all[1].Scenario.GlobalRisk != 0.05 {
		t.Errorf("settings %+v", all[1].Scenario)
	}
	summary, err := s.Document().Summarise(context.Background(), NewAnalyst())
	must(t, err)
	alone := assessed(t, NewAnalyst(), s.Data(), &last)
	if len(summary.Scenarios) != 2 || expectedOf(summary.Scenarios["neighbour"].Current) != alone.Expected ||
		expectedOf(summary.Scenarios["scenario 1"].Current) != expectedOf(summary.Current) ||
		expectedOf(summary.Current) == alone.Expected {
		t.Errorf("figures under the scenarios: %+v", summary.Scenarios)
	}
}
