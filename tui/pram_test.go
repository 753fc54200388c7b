package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
	"github.com/sdcdesk/sdcdesk/views"
)

// openPRAM opens the dialog of PRAM on the selected variable, with a seed.
func openPRAM(d *driver) {
	d.Helper()
	d.Press("P")
	dialog, ok := d.m.dialog.(filledDialog)
	if !ok {
		d.Fatalf("no dialog of PRAM:\n%s", d.Text())
	}
	step := d.m.asker().Question().Step
	step.Seed = 7
	if err := dialog.Take(step); err != nil {
		d.Fatal(err)
	}
	d.act(func() { d.m.ask() })
}

func TestPRAMAsPreviewed(t *testing.T) {
	beside(t)
	d := demonstration(t, 120, 40).Press("]", "]")
	openPRAM(d)
	whatIf := d.m.asking.answer.WhatIf
	d.Dialog().Contains("matrix of region", "cells changed", "from ↓ to →", "Hollow Isles", "estimate",
		"k-anonymity and risk no longer apply")
	hash, effect := whatIf.Data.Hash(), whatIf.Report.Effect
	d.Press("enter")
	if d.m.dialog != nil || len(d.steps()) != 1 || d.m.bench.doc.Data().Hash() != hash ||
		d.m.bench.steps[0].Effect != effect {
		t.Fatalf("steps %q; the step differs from its preview", d.steps())
	}
	d.Pane("pram-variables").Contains("region~    key")
	d.Pane("pram-matrix").Contains("mean diagonal", "Arden unchanged")
	d.Pane("pram-transitions").Contains("expected", "Hollow Isles")
	d.Pane("pram-frequencies").Contains("1,158", "± s.e.")
	for _, pane := range []string{"k-anonymity", "risk", "records-at-risk"} {
		d.Pane(pane).Contains("Not applicable: PRAM has been applied to region.")
	}
	d.Pane("steps").Contains("violators k = 3: n/a")
	d.Resize(80, 24)
	d.Screen().Contains("k-anonymity and risk not applicable")
	d.Resize(120, 40).Press("u")
	d.Pane("k-anonymity").Contains("3,702")
	if d.m.bench.current.Assessment == nil {
		t.Error("no figures after undo")
	}
}

// Other dialogs say that figures do not apply, instead of showing some.
func TestWhatIfsAfterPRAM(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40)
	openPRAM(d)
	d.Press("enter", "1", "down", "r", "space", "down", "space")
	d.Dialog().Contains("k-anonymity and risk do not apply: PRAM has").Dialog().Lacks("3-anonymity needs")
	d.Press("esc", "K")
	d.Dialog().Contains("violators: not applicable, because PRAM has been applied to region").Dialog().Lacks("conservative 0")
}

// The step that restores the original values restores the figures, and shows that before it is applied.
func TestResetBringsTheFiguresBack(t *testing.T) {
	beside(t)
	d := demonstration(t, 120, 40)
	openPRAM(d)
	d.Press("enter")
	d.act(func() { d.m.do(views.OpenMethod{Name: "reset"}) })
	d.Dialog().Contains("They do after the step: k=2 3,702")
	d.Press("enter")
	d.Pane("k-anonymity").Contains("4,443")
	d.Pane("pram-variables").Lacks("8.1 %")
}

func TestPRAMOfNoKeyVariable(t *testing.T) {
	beside(t)
	d := demonstration(t, 120, 40).Press("]", "]", "end")
	for d.m.bench.selected.Variable != "health" {
		d.Press("up")
	}
	openPRAM(d)
	d.Dialog().Contains("matrix of health", "No key variable: k-anonymity")
	d.Press("enter")
	d.Pane("k-anonymity").Contains("4,443")
	d.Press("P", "enter") // the dialog of the variable, and the step
	if len(d.steps()) != 2 {
		t.Fatalf("steps %q", d.steps())
	}
	d.Press("2")
	d.Screen().Contains("Transition matrix · health · applied 2 times")
	d.Press("i")
	d.Dialog().Contains("the matrix is the product of the matrices")
}

func TestOwnMatrixByHand(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("down") // urbrur
	openPRAM(d)
	d.Press("down", "right")
	if m := asked[*pram.PRAM](d); m == nil || m.Form != "matrix" || len(m.Matrix) != 2 {
		t.Fatalf("the step is %+v", m)
	}
	d.Press("tab", "right").Type(".3").Press("enter")
	d.Dialog().Contains("row rural sums to", "not 1 · d adjusts the diagonal")
	d.Press("enter")
	if len(d.steps()) != 0 {
		t.Fatal("a matrix whose rows do not sum to 1 was applied")
	}
	d.Press("d")
	if row := asked[*pram.PRAM](d).Matrix[0]; row[0] != 0.7 || row[1] != 0.3 {
		t.Errorf("row %v", row)
	}
	d.Press("down", "left").Type("2").Press("enter")
	d.Dialog().Contains("a probability must be between 0 and 1")
	d.Press("backspace").Type(".75").Press("enter", "d")
	d.Dialog().Contains("urbrur", ".250", ".750")
	d.Press("enter")
	report := d.m.bench.steps[0].Report.PRAM[0].Strata[0]
	if report.Matrix[0][1] != 0.3 || report.Matrix[1][0] != 0.75 {
		t.Errorf("matrix %v", report.Matrix)
	}
}

func TestOwnMatrixFromAFile(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("down")
	path := filepath.Join(t.TempDir(), "matrix.csv")
	if err := os.WriteFile(path, []byte("urbrur,urban,rural\nurban,0.9,0.1\nrural,0.2,0.8\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	openPRAM(d)
	d.Press("down", "right", "down").Type(path)
	if m := asked[*pram.PRAM](d); fmt.Sprint(m.Levels, m.Matrix) != "[urban rural] 0.9 0.1; 0.2 0.8" {
		t.Errorf("levels %q, matrix %v", m.Levels, m.Matrix)
	}
	d.Press("enter")
	if len(d.steps()) != 1 || d.m.bench.steps[0].Report.PRAM[0].Strata[0].Matrix[1][0] != 0.2 {
		t.Errorf("steps %q", d.steps())
	}
}

func TestForbiddenTransitionsByKey(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40)
	openPRAM(d)
	d.Press("tab", "f")
	d.Dialog().Contains("a value can always stay unchanged")
	d.Press("right", "f")
	d.Dialog().Contains("forbidden in both directions: Arden / Brisk", "×")
	if got := asked[*pram.PRAM](d).Forbid.String(); got != "Arden / Brisk" {
		t.Errorf("forbidden %q", got)
	}
	d.Press("enter")
	s := d.m.bench.steps[0].Report.PRAM[0].Strata[0]
	if s.Matrix[0][1] != 0 || s.Matrix[1][0] != 0 || s.Transitions[0][1]+s.Transitions[1][0] != 0 || s.Matrix[0][2] == 0 {
		t.Errorf("matrix %v", s.Matrix)
	}
}

func TestStrataOfPRAM(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("]", "]")
	openPRAM(d)
	d.Press("down", "down", "down", "down", "down", "down", "down").Type("sex").Press("tab")
	d.Press("tab")
	d.Dialog().Contains("region in female (1 of 2)")
	d.Press(">")
	d.Dialog().Contains("region in male (2 of 2)")
	d.Press("enter", "2")
	d.Screen().Contains("Transition matrix · region · female (1 of 2)")
	d.Press(">")
	d.Screen().Contains("Transition matrix · region · male (2 of 2)", "Frequencies, estimates · region · male (2 of 2)")
}

func TestExportOfTheMatrix(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("]", "]")
	openPRAM(d)
	path := filepath.Join(t.TempDir(), "m.csv")
	d.Press("enter", "2", "x").Type(path).Press("enter")
	text, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(text), "region,Arden,Brisk,") || strings.Count(string(text), "\n") != 9 {
		t.Fatalf("%s, error %v", text, err)
	}
	d.Press("x").Type(path).Press("enter")
	d.Dialog().Contains("m.csv exists; enter again replaces it")
	d.Press("enter")
	d.Screen().Contains("matrix written to ")
	// A matrix for categories that the file does not have is of no use.
	d.Press("[", "1", "g", "r", "space", "down", "space", "m", "esc", "]", "2", "x")
	if d.m.dialog != nil {
		t.Error("the matrix of a variable that was recoded since is written")
	}
	d.Screen().Contains("there is no matrix for users: the categories of region were changed since")
}

// A step being changed keeps its seed, and so its random values.
func TestChangeAStepOfPRAM(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40)
	openPRAM(d)
	d.Press("enter")
	hash := d.m.bench.doc.Data().Hash()
	d.Press("6", "c")
	d.Screen().Contains("Step 1: PRAM")
	d.Dialog().Contains("matrix of region")
	d.Press("enter")
	if d.m.bench.doc.Data().Hash() != hash {
		t.Error("the unchanged step draws otherwise")
	}
	d.Press("6", "c", "down", "down", "left", "enter")
	if !strings.Contains(d.steps()[0], "pd 0.75") || d.m.bench.doc.Data().Hash() == hash {
		t.Errorf("steps %q", d.steps())
	}
}

func TestGoldenPRAMFrames(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		frame := func(name string, d *driver) {
			golden(t, fmt.Sprintf("%s-%dx%d.txt", name, size[0], size[1]), d.still().plain())
		}
		d := demonstration(t, size[0], size[1]).Press("]", "]")
		openPRAM(d)
		frame("pram-dialog", d)
		d.Press("tab", "right", "f")
		frame("pram-forbidden", d)
		d.Press("esc", "down", "right", "tab", "down", "right").Type(".5").Press("enter")
		frame("pram-own", d)
		d.Press("d", "enter", "2")
		frame("pram", d)
	}
}

// The dialog fills any size of screen, with fields and matrix in focus.
func TestPRAMDialogFitsAnySize(t *testing.T) {
	for _, keys := range [][]string{nil, {"tab"}, {"down", "right", "tab", "5"}} {
		d := surveyOf(t, 120, 40)
		openPRAM(d)
		d.Press(keys...)
		rapid.Check(t, func(r *rapid.T) {
			d.Resize(rapid.IntRange(1, 250).Draw(r, "width"), rapid.IntRange(1, 80).Draw(r, "height"))
		})
	}
}
