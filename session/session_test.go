package session

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

func TestStepsMoveThePosition(t *testing.T) {
	s := openSmall(t)
	result := do(t, s, ages)
	assessment, err := NewAnalyst().Assess(context.Background(), result.Data, s.scenario)
	must(t, err)
	do(t, s, regions)
	if s.Position() != 2 || len(s.Steps()) != 2 || s.Data() == s.Base() {
		t.Fatalf("position %d of %d", s.Position(), len(s.Steps()))
	}
	if got := s.Steps()[0]; got.Title != result.Report.Title || got.Violators[2] != assessment.Violators[0].Count ||
		got.After != s.Steps()[1].Before {
		t.Errorf("first step %+v", got)
	}
	must(t, undo(s))
	if s.Position() != 1 || hashText(s.Data()) != s.Steps()[0].After {
		t.Error("undo does not give the data of the step before")
	}
	must(t, redo(s))
	must(t, jump(s, 0))
	if s.Data() != s.Base() {
		t.Error("position 0 is not the base")
	}
	for name, err := range map[string]error{"undo": undo(s), "jump": jump(s, 3), "back": jump(s, -1)} {
		if !errors.Is(err, ErrPosition) {
			t.Errorf("%s: %v, want ErrPosition", name, err)
		}
	}
	must(t, jump(s, 2))
	if err := redo(s); !errors.Is(err, ErrPosition) {
		t.Errorf("redo at the end: %v", err)
	}
}

func TestNewStepAfterGoingBackBeginsABranch(t *testing.T) {
	s := openSmall(t)
	do(t, s, ages)
	do(t, s, regions)
	must(t, undo(s))
	do(t, s, two)
	if s.Position() != 2 || s.Steps()[1].Spec.Step != "suppress-kanonymity" {
		t.Errorf("steps %v", s.Steps())
	}
	if err := redo(s); !errors.Is(err, ErrPosition) {
		t.Errorf("the step left behind can be redone: %v", err)
	}
}

func TestCommitRefusesResultsOfOtherData(t *testing.T) {
	ctx := context.Background()
	changes := map[string]func(s *Session) error{
		"step": func(s *Session) error { do(t, s, regions); return nil },
		"undo": func(s *Session) error { return undo(s) },
		"scenario": func(s *Session) error {
			scenario := s.Scenario()
			scenario.K = []int{4}
			return s.SetScenario(scenario)
		},
	}
	for name, change := range changes {
		s := openSmall(t)
		do(t, s, ages)
		result, err := s.Prepare(two).Run(ctx, nil, nil)
		must(t, err)
		must(t, change(s))
		before, version := s.Steps(), s.version
		if err := s.Commit(result); !errors.Is(err, ErrMoved) {
			t.Errorf("after %s: %v, want ErrMoved", name, err)
		}
		if !reflect.DeepEqual(before, s.Steps()) || version != s.version {
			t.Errorf("after %s: the session moved all the same", name)
		}
	}
}

func TestRunTouchesNothingAndObeysTheContext(t *testing.T) {
	s := openSmall(t)
	version := s.version
	_, err := s.Prepare(two).Run(context.Background(), NewAnalyst(), nil)
	must(t, err)
	if s.version != version || s.Position() != 0 || len(s.Steps()) != 0 {
		t.Error("running a job changed the session")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Prepare(two).Run(ctx, NewAnalyst(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestEditReplaysLaterSteps(t *testing.T) {
	ctx := context.Background()
	s := openSmall(t)
	for _, spec := range []StepSpec{ages, regions, two} {
		do(t, s, spec)
	}
	job, err := s.PrepareEdit(0, wideAges)
	must(t, err)
	result, err := job.Run(ctx, NewAnalyst(), nil)
	must(t, err)
	must(t, s.Commit(result))
	direct := volatile(t, smallText, smallScenario())
	for _, spec := range []StepSpec{wideAges, regions, two} {
		do(t, direct, spec)
	}
	if s.Position() != 3 || hashText(s.Data()) != hashText(direct.Data()) {
		t.Error("an edited step does not give what the steps give from the start")
	}
	removal, err := s.PrepareRemove(1)
	must(t, err)
	result, err = removal.Run(ctx, nil, nil)
	must(t, err)
	must(t, s.Commit(result))
	if s.Position() != 2 || s.Steps()[1].Spec.Step != "suppress-kanonymity" {
		t.Errorf("after the removal %d steps", s.Position())
	}
	if _, err := s.PrepareRemove(2); !errors.Is(err, ErrPosition) {
		t.Errorf("a step that is not there: %v", err)
	}
}

func TestRemoveTheLastStep(t *testing.T) {
	s := openSmall(t)
	do(t, s, ages)
	removal, err := s.PrepareRemove(0)
	must(t, err)
	result, err := removal.Run(context.Background(), NewAnalyst(), nil)
	must(t, err)
	must(t, s.Commit(result))
	if s.Position() != 0 || len(s.Steps()) != 0 || s.Data() != s.Base() {
		t.Error("the session is not at its base")
	}
}

// A later step that is not possible after a change is named and left out; its branch keeps it.
func TestEditNamesTheStepThatDoesNotFitAnyMore(t *testing.T) {
	s := openSmall(t)
	do(t, s, step("recode-rename", `{"variable":"region","level":"east","label":"E"}`))
	do(t, s, step("recode-group", `{"variable":"region","levels":["E","west"]}`))
	job, err := s.PrepareEdit(0, step("recode-rename", `{"variable":"region","level":"east","label":"O"}`))
	must(t, err)
	result, err := job.Run(context.Background(), nil, nil)
	must(t, err)
	if len(result.Left) != 1 || result.Left[0].Step != 1 || !strings.Contains(result.Left[0].Reason, `"E"`) {
		t.Errorf("left out %+v", result.Left)
	}
	must(t, s.Commit(result))
	if len(s.Steps()) != 1 || len(s.Nodes()) != 4 {
		t.Errorf("%d steps, %d nodes", len(s.Steps()), len(s.Nodes()))
	}
}

func TestScenarioKeepsStepsUnlessTheyMakeNoSense(t *testing.T) {
	s := openSmall(t)
	do(t, s, ages)
	do(t, s, two)
	scenario := s.Scenario()
	scenario.Keys = []string{"sex", "region"}
	must(t, s.SetScenario(scenario))
	if s.Position() != 2 {
		t.Error("steps were lost")
	}
	none := s.Scenario()
	none.Keys = nil
	var conflict *ConflictError
	if err := s.SetScenario(none); !errors.As(err, &conflict) || len(conflict.Conflicts) != 1 ||
		conflict.Conflicts[0].Step != 1 {
		t.Fatalf("error %v", err)
	}
	if want := "step 2 (k-anonymity k=2, minimal, conservative) does not fit this scenario: the scenario has no key variables; undo or remove it first"; conflict.Error() != want {
		t.Errorf("error %v", conflict)
	}
	if len(s.Scenario().Keys) != 2 {
		t.Error("the refused scenario was taken")
	}
	must(t, undo(s))
	must(t, s.SetScenario(none))
}

func TestScenarioThatDoesNotFitIsRefused(t *testing.T) {
	s := openSmall(t)
	scenario := s.Scenario()
	scenario.Keys = []string{"colour"}
	if err := s.SetScenario(scenario); !errors.Is(err, microdata.ErrScenario) || !strings.Contains(err.Error(), "colour") {
		t.Errorf("error %v", err)
	}
	if len(s.Scenario().Keys) != 3 {
		t.Error("it was taken all the same")
	}
}

func TestForgottenDataAreReplayed(t *testing.T) {
	s := volatile(t, smallText, smallScenario())
	s.opened.Memory = 1
	specs := []StepSpec{ages, regions, wideAges, two}
	var hashes []string
	for _, spec := range specs {
		do(t, s, spec)
		hashes = append(hashes, hashText(s.Data()))
	}
	if s.tree.nodes[1].data != nil {
		t.Fatal("the first position is held within a budget of one byte")
	}
	move, err := s.PrepareUndo()
	must(t, err)
	if !move.Ready() {
		t.Error("the data of the step before are let go")
	}
	move, err = s.PrepareMove(1)
	must(t, err)
	if move.Ready() {
		t.Error("a jump that has to replay is called ready")
	}
	result, err := move.Run(context.Background(), nil, nil)
	must(t, err)
	must(t, s.Commit(result))
	if s.Position() != 1 || hashText(s.Data()) != hashes[0] {
		t.Error("other data after a replay")
	}
	for _, position := range []int{4, 2, 3, 1, 4} {
		must(t, jump(s, position))
		if hashText(s.Data()) != hashes[position-1] {
			t.Errorf("other data at position %d", position)
		}
	}
	must(t, jump(s, 4))
	job, err := s.PrepareEdit(1, regions)
	must(t, err)
	result, err = job.Run(context.Background(), nil, nil)
	must(t, err)
	must(t, s.Commit(result))
	if hashText(s.Data()) != hashes[3] {
		t.Error("an edit that changes nothing gives other data")
	}
}

func TestUndoGivesTheBase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := volatile(t, drawText(t), smallScenario())
		s.opened.Memory = int64(rapid.SampledFrom([]int{1, 1 << 30}).Draw(t, "memory"))
		base := hashText(s.Base())
		made := 0
		for range rapid.IntRange(0, 5).Draw(t, "steps") {
			result, err := s.Prepare(drawStep(t)).Run(context.Background(), nil, nil)
			if err != nil {
				continue // a level that no longer exists, a k that cannot be reached
			}
			must(t, s.Commit(result))
			made++
		}
		for range made {
			must(t, undo(s))
		}
		if got := hashText(s.Data()); got != base || hashText(s.Base()) != base {
			t.Fatalf("after %d undos %s, want %s", made, got, base)
		}
	})
}
