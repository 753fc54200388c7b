package tui

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// branched returns the survey with age recoded and k-anonymity on one branch, and regions merged on another; the
// second one is current.
func branched(t *testing.T, width, height int) *driver {
	t.Helper()
	return branchedOf(surveyOf(t, width, height))
}

func branchedOf(d *driver) *driver {
	d = recodeAge(d).Press("K", "enter", "u")
	return d.Press("1", "g", "r", "down", "space", "down", "space", "m", "esc")
}

// A step after going back starts a branch. The pane draws both branches; the old one can be visited, named,
// exported and deleted.
func TestBranchesOfThePane(t *testing.T) {
	d := branched(t, 120, 40).Press("6")
	d.Screen().Contains("Steps · branch 2 of 2", "▸ ●   2 group region", "├─○ 2 k-anonymity", "  ●   1 intervals age",
		"branch 1")
	d.Press("down", "enter")
	if titles := d.steps(); len(titles) != 2 || !strings.HasPrefix(titles[1], "k-anonymity") {
		t.Fatalf("on the other branch are %q", titles)
	}
	d.Screen().Contains("Steps · branch 1 of 2", "├─○ 2 group region")
	d.Press("n").Type("blank cells").Press("enter")
	d.Screen().Contains("Steps · blank cells of 2")
	path := filepath.Join(t.TempDir(), "branch.jsonl")
	d.Press("home", "down", "x")
	d.Dialog().Contains("Export the script of branch 2")
	d.Type(path).Press("enter")
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if script, err := session.ReadScript(file, nil); err != nil || script.Position != 2 ||
		script.Steps[1].Spec.Step != "recode-group" {
		t.Errorf("the script of the branch: %+v, %v", script, err)
	}
	d.Press("d")
	d.Screen().Contains("step 2 of branch 2 is deleted; undo brings it back")
	d.Pane("steps").Lacks("group region")
	if nodes := d.m.bench.doc.Nodes(); len(nodes) != 3 {
		t.Errorf("%d nodes are left", len(nodes))
	}
	d.Press("u")
	d.Pane("steps").Contains("group region")
	d.Screen().Contains("the branches are unchanged")
	d.Press("ctrl+r")
	d.Pane("steps").Lacks("group region")
}

// The name of a branch appears once, even if its last step was removed.
func TestBranchesAreNamedOnce(t *testing.T) {
	beside(t)
	d := recodeAge(surveyOf(t, 120, 40)).Press("K", "enter", "6", "n").Type("mybranch").Press("enter")
	d.Press("home", "d")
	if d.m.dialog != nil {
		d.Press("enter")
	}
	frame := d.Press("6", "z").Text()
	if strings.Count(frame, "mybranch") != 2 || !strings.Contains(frame, "removed from mybranch") {
		t.Errorf("the branch is not called once, and what was taken out of it so:\n%s", frame)
	}
}

// A row of another branch can be visited with the mouse too.
func TestBranchByMouse(t *testing.T) {
	d := branched(t, 120, 40)
	for range 2 {
		for y, line := range strings.Split(d.Text(), "\n") {
			if x := strings.Index(line, "├─○"); x >= 0 {
				d.Send(tea.MouseClickMsg{X: draw.Width(line[:x]) + 3, Y: y, Button: tea.MouseLeft})
			}
		}
	}
	if titles := d.steps(); len(titles) != 2 || !strings.HasPrefix(titles[1], "k-anonymity") {
		t.Errorf("a click leads to %q", titles)
	}
}

// The history pane goes to the step of its row, even if steps of another branch have numbers in between.
func TestHistoryGoesToStepsOfTheBranch(t *testing.T) {
	d := branched(t, 200, 60).Press("8", "home")
	d.Press("down", "enter").Press("home", "enter")
	if titles := d.steps(); len(titles) != 1 {
		t.Fatalf("at the step before are %q", titles)
	}
	d.Press("ctrl+r", "8", "home", "enter")
	if titles := d.steps(); len(titles) != 2 || !strings.HasPrefix(titles[1], "group region") {
		t.Errorf("at the newest step of the branch are %q", titles)
	}
}

func TestGoldenTree(t *testing.T) {
	for i, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 60}} {
		if !longtests.Some(i, 2) {
			continue
		}
		d := branchedOf(demonstration(t, size[0], size[1])).Press("K", "enter", "u", "6", "z").still() // nothing but the pane
		golden(t, fmt.Sprintf("tree-%dx%d.txt", size[0], size[1]), d.plain())
	}
}

// Whatever keys are pressed, no applied step becomes unreachable, and going to any step of the tree restores its
// exact data.
func TestRandomKeysLoseNoStep(t *testing.T) {
	acts := [][]string{{"6", "up"}, {"6", "down"}, {"6", "enter"}, {"6", "c"}, {"6", "d"}, {"6", "n", "x", "enter"}, {"u"},
		{"ctrl+r"}, {"K", "enter"}, {"enter"}, {"l"}, {"esc"},
		{"right"}, {"1", "r", "space", "space", "m", "esc"}, {"1", "down"}}
	rapid.Check(t, func(r *rapid.T) {
		d := guide(t, 100, 30)
		made := map[int]string{}
		for range rapid.IntRange(0, 25).Draw(r, "acts") {
			for _, name := range rapid.SampledFrom(acts).Draw(r, "act") {
				if d.pressing(name); name == "d" && d.m.dialog == nil && len(d.m.bench.doc.Nodes()) <= len(made) {
					d.pressing("u") // what is deleted on purpose is gone
				}
			}
			nodes := d.m.bench.doc.Nodes()
			for _, n := range nodes[1:] {
				if was, known := made[n.ID]; known && was != n.Step.After {
					r.Fatalf("step %d has become another", n.ID)
				}
				made[n.ID] = n.Step.After
			}
			if len(nodes) != len(made)+1 {
				r.Fatalf("of %d steps that were applied %d are left", len(made), len(nodes)-1)
			}
		}
		for id, hash := range made {
			job, err := d.m.bench.doc.PrepareNode(id)
			if err != nil {
				r.Fatal(err)
			}
			result, err := job.Run(t.Context(), nil, nil)
			if err != nil {
				r.Fatal(err)
			}
			if got := result.Data.Hash(); hex.EncodeToString(got[:]) != hash {
				r.Fatalf("step %d has other data", id)
			}
		}
	})
}

// Undo while a step is running cancels the step, and undoes nothing before it.
func TestUndoOfAStepThatIsBeingMade(t *testing.T) {
	d := recodeAge(surveyOf(t, 120, 40))
	steps := d.steps()
	d.Press("K").Hold().Press("right", "enter", "u").Release()
	if got := d.steps(); !slices.Equal(got, steps) || d.m.work != nil {
		t.Errorf("steps %q, not %q", got, steps)
	}
	d.Screen().Contains("cancelled, nothing was changed")
	d.Press("u")
	if got := d.steps(); len(got) >= len(steps) {
		t.Errorf("steps %q after undo", got)
	}
}
