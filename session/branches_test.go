package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawn returns the tree as text, which a resumed session must reproduce.
func drawn(s *Session) string {
	var text strings.Builder
	for _, n := range s.Nodes() {
		fmt.Fprintf(&text, "%d<%d at %d %s%s after %s, %s opens %v current %v stands %v\n", n.ID, n.Parent, n.Position,
			n.Step.Spec.Step,
			n.Step.Spec.Params, n.Step.After, n.Called(), n.Opens, n.Current, n.Stands)
	}
	fmt.Fprintf(&text, "at %d, undo %v, redo %v; scenarios %s\n", s.Node(), s.CanUndo(), s.CanRedo(), listedScenarios(s))
	return text.String()
}

// changes edits or removes a step.
func changes(s *Session, step int, by *StepSpec, alone bool) error {
	job, err := s.PrepareRemove(step)
	if by != nil {
		job, err = s.PrepareEdit(step, *by)
	}
	if alone {
		job = job.WithoutLater()
	}
	return runJob(s, job, err)
}

// A step changed after going back leaves the later steps on their branch, or replays them; undo reverts the change
// with its parameters.
func TestChangeBeginsABranch(t *testing.T) {
	s := openSmall(t)
	do(t, s, ages)
	do(t, s, two)
	must(t, jump(s, 1))
	must(t, changes(s, 0, &wideAges, true))
	nodes := s.Nodes()
	if len(nodes) != 4 || nodes[2].Step.Spec.Step != two.Step || nodes[2].Current || s.Node() != 3 ||
		nodes[3].Branch != 2 {
		t.Fatalf("tree:\n%s", drawn(s))
	}
	must(t, back(s))
	if s.Node() != 1 || !bytes.Contains(s.Steps()[0].Spec.Params, []byte("17")) || len(s.Steps()) != 2 {
		t.Errorf("after undo:\n%s", drawn(s))
	}
	must(t, again(s))
	if s.Node() != 3 {
		t.Errorf("after redo:\n%s", drawn(s))
	}
	must(t, goTo(s, 1))
	must(t, changes(s, 0, &wideAges, false))
	if len(s.Steps()) != 2 || s.Steps()[1].Spec.Step != two.Step || s.Position() != 2 {
		t.Errorf("replayed:\n%s", drawn(s))
	}
}

// Undo restores a removed last step.
func TestRemovalIsTakenBack(t *testing.T) {
	s := openSmall(t)
	do(t, s, ages)
	do(t, s, two)
	hash := s.Data().Hash()
	must(t, changes(s, 1, nil, false))
	if s.Position() != 1 || len(s.Steps()) != 1 || s.CanRedo() {
		t.Fatalf("after the removal:\n%s", drawn(s))
	}
	must(t, back(s))
	if s.Position() != 2 || s.Data().Hash() != hash {
		t.Fatalf("after undo:\n%s", drawn(s))
	}
	must(t, back(s))
	must(t, back(s))
	if s.Node() != 0 || s.CanUndo() {
		t.Errorf("after all undos:\n%s", drawn(s))
	}
}

// Branches have names, which the journal keeps. An undone branch can be deleted, and exported as a script that
// reproduces its data.
func TestBranchesAreNamedDeletedAndExported(t *testing.T) {
	s := openSmall(t)
	do(t, s, ages)
	do(t, s, two)
	must(t, jump(s, 0))
	do(t, s, wideAges)
	do(t, s, regions)
	must(t, s.NameBranch(2, " narrow\nbands "))
	must(t, s.NameBranch(4, "wide"))
	if nodes := s.Nodes(); nodes[1].Called() != "narrow bands" || nodes[2].Called() != "narrow bands" ||
		nodes[3].Called() != "wide" {
		t.Errorf("names:\n%s", drawn(s))
	}
	if err := s.NameBranch(0, "x"); !errors.Is(err, ErrPosition) {
		t.Errorf("a name for the original: %v", err)
	}
	branch, err := s.Branch(2)
	must(t, err)
	script := filepath.Join(t.TempDir(), "branch.jsonl")
	must(t, writeScript(branch, script, false, true))
	out := filepath.Join(t.TempDir(), "out.csv")
	must(t, Run(context.Background(), RunOptions{Script: script, File: s.identity.Path, Out: out}))
	must(t, goTo(s, 2))
	protected := filepath.Join(t.TempDir(), "protected.csv")
	_, err = s.Document().Export(context.Background(), ExportOptions{Path: protected}, nil)
	must(t, err)
	one, err := os.ReadFile(out)
	must(t, err)
	other, err := os.ReadFile(protected)
	must(t, err)
	if !bytes.Equal(one, other) {
		t.Error("the script of the branch gives other bytes than the branch")
	}
	if err := s.DeleteBranch(1); !errors.Is(err, ErrPosition) {
		t.Errorf("a branch that stands: %v", err)
	}
	must(t, s.DeleteBranch(4))
	must(t, s.DeleteBranch(3))
	if err := goTo(s, 4); !errors.Is(err, ErrPosition) || len(s.Nodes()) != 3 {
		t.Errorf("deleted: %v\n%s", err, drawn(s))
	}
	want := drawn(s)
	must(t, s.Close())
	continued, err := continueAt(t, s.JournalPath())
	must(t, err)
	defer continued.Close()
	if diff := cmp.Diff(want, drawn(continued)); diff != "" {
		t.Errorf("continued:\n%s", diff)
	}
}

// A deleted branch cannot be reached, even where undo had left it, until undo restores it, also in a resumed
// session.
func TestUndoOfADeletedBranch(t *testing.T) {
	s := openSmall(t)
	do(t, s, ages)
	must(t, changes(s, 0, &wideAges, false))
	must(t, back(s))
	before := drawn(s)
	must(t, s.DeleteBranch(2))
	if s.CanRedo() {
		t.Errorf("redo leads to what is deleted:\n%s", drawn(s))
	}
	deleted := drawn(s)
	for _, continues := range []bool{false, true} {
		if continues {
			must(t, s.Close())
			continued, err := continueAt(t, s.JournalPath())
			must(t, err)
			defer continued.Close()
			s = continued
		}
		must(t, back(s))
		if diff := cmp.Diff(before, drawn(s)); diff != "" || s.Position() != 1 {
			t.Errorf("undone:\n%s", diff)
		}
		must(t, goTo(s, 2))
		must(t, goTo(s, 1))
		must(t, s.DeleteBranch(2))
		if diff := cmp.Diff(deleted, drawn(s)); diff != "" {
			t.Errorf("deleted once more:\n%s", diff)
		}
		must(t, back(s))
		must(t, again(s))
		if diff := cmp.Diff(deleted, drawn(s)); diff != "" {
			t.Errorf("redone:\n%s", diff)
		}
	}
	must(t, back(s))
	must(t, back(s))
	if s.Position() != 0 {
		t.Errorf("undo leads to position %d", s.Position())
	}
}

// In journals of earlier versions undo does not restore a deleted branch.
func TestDeletionOfEarlierVersions(t *testing.T) {
	step := `{"step":"recode-rename","params":{"variable":"a","level":"b","label":"c"}}`
	lines := []string{`{"format":"sdcdesk-script","version":1}`, step, `{"move":"undo","position":0}`, step,
		`{"change":"delete","node":1}`, `{"move":"back","position":0}`}
	script, err := ReadScript(strings.NewReader(strings.Join(lines, "\n")), nil)
	must(t, err)
	if script.tree.find(1) == nil || script.tree.at != 0 {
		t.Errorf("after undo of %v the session is at %d", lines, script.tree.at)
	}
}

// A scenario that does not fit another branch is refused there, with the variable.
func TestBranchThatTheScenarioDoesNotFit(t *testing.T) {
	s := openSmall(t)
	do(t, s, two)
	must(t, jump(s, 0))
	do(t, s, ages)
	scenario := s.Scenario()
	scenario.Keys = nil
	must(t, s.SetScenario(scenario))
	if err := goTo(s, 1); err == nil || !strings.Contains(err.Error(), "change of branch is not possible") ||
		s.Node() != 2 {
		t.Errorf("error %v", err)
	}
}

// branching does a random action of a user.
func branching(t *rapid.T, s *Session) error {
	nodes := s.Nodes()
	id := rapid.SampledFrom(nodes).Draw(t, "node").ID
	switch rapid.IntRange(0, 9).Draw(t, "act") {
	case 0, 1:
		return runJob(s, s.Prepare(drawStep(t)), nil)
	case 2:
		return goTo(s, id)
	case 3:
		return back(s)
	case 4:
		return again(s)
	case 5:
		spec := drawStep(t)
		return changes(s, rapid.IntRange(0, 3).Draw(t, "which"), &spec, rapid.Bool().Draw(t, "alone"))
	case 6:
		return changes(s, rapid.IntRange(0, 3).Draw(t, "which"), nil, rapid.Bool().Draw(t, "alone"))
	case 7, 8:
		return rescenario(t, s)
	default:
		return s.NameBranch(id, rapid.SampledFrom([]string{"", "a", "wide bands"}).Draw(t, "name"))
	}
}

// rescenario changes the scenarios at random.
func rescenario(t *rapid.T, s *Session) error {
	names := []string{"scenario 1", "a", "b"}
	name := rapid.SampledFrom(names).Draw(t, "scenario")
	switch rapid.IntRange(0, 4).Draw(t, "change") {
	case 0:
		return s.PutScenario(name, smallScenario())
	case 1:
		return s.PutScenario(name, neighbour())
	case 2:
		return s.UseScenario(name)
	case 3:
		return s.RenameScenario(name, rapid.SampledFrom(names).Draw(t, "to"))
	default:
		return s.RemoveScenario(name)
	}
}

// Whatever is done, no applied step becomes unreachable: every step can be visited with exactly the same data,
// undo reaches the original, and a program killed at any line resumes with the same tree.
func TestNothingAppliedIsLost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "small.csv")
	must(t, os.WriteFile(path, []byte(smallText), 0o600))
	data, format := readText(t, smallText)
	count := 0
	rapid.Check(t, func(t *rapid.T) {
		count++
		opening := fileOpening(t, path, data, format)
		opening.Journal = fmt.Sprintf("%s.%d.jsonl", path, count)
		opening.Memory = int64(rapid.SampledFrom([]int{1, 1 << 30}).Draw(t, "memory"))
		s, err := New(opening)
		must(t, err)
		must(t, s.SetScenario(smallScenario()))
		var made []string // hashes of the steps, by node
		for range rapid.IntRange(0, 12).Draw(t, "acts") {
			_ = branching(t, s) // a refused action changes nothing
			for _, n := range s.Nodes()[1:] {
				if n.ID > len(made) {
					made = append(made, n.Step.After)
				}
			}
			if len(s.Nodes()) != len(made)+1 {
				t.Fatalf("steps are lost:\n%s", drawn(s))
			}
		}
		if rapid.Bool().Draw(t, "killed") {
			want := drawn(s)
			must(t, s.Close())
			s, err = Resume(context.Background(), opening, nil)
			must(t, err)
			if diff := cmp.Diff(want, drawn(s)); diff != "" {
				t.Fatalf("continued:\n%s", diff)
			}
		}
		for range 2 * len(made) {
			id := rapid.IntRange(1, len(made)).Draw(t, "go to")
			must(t, goTo(s, id))
			if got := hashText(s.Data()); got != made[id-1] {
				t.Fatalf("step %d has other data", id)
			}
		}
		for undos := 0; s.CanUndo(); undos++ {
			if must(t, back(s)); undos > 100 {
				t.Fatal("undo has no end")
			}
		}
		if s.Data() != s.Base() {
			t.Fatal("all undone is not the original")
		}
		must(t, s.Close())
	})
}

// Invalid lines of branches are refused with their number.
func TestLinesOfBranches(t *testing.T) {
	step := `{"step":"recode-rename","params":{"variable":"a","level":"b","label":"c"}}`
	for _, line := range []string{`{"move":"branch","position":1}`, `{"move":"branch","position":1,"node":2}`,
		`{"move":"branch","position":1,"node":-1}`,
		`{"branch":"x","node":0}`, `{"branch":"x","node":5}`, `{"branch":"x"}`, `{"change":"delete","node":1}`,
		`{"change":"delete","node":7}`} {
		text := strings.Join([]string{`{"format":"sdcdesk-script","version":1}`, step, line}, "\n")
		if _, err := ReadScript(strings.NewReader(text), nil); err == nil || !strings.Contains(err.Error(), "line 3") {
			t.Errorf("%s: %v", line, err)
		}
	}
	if !slices.Contains([]string{"branch 1"}, (&Node{}).Called()) {
		t.Error("the original has a branch of its own")
	}
	var fields map[string]any
	text, err := marshal(deleteLine{Change: changeDelete, Node: 3})
	must(t, err)
	must(t, json.Unmarshal(text, &fields))
	if len(fields) != 2 {
		t.Errorf("line of a deletion %s", text)
	}
}
