package tui

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
)

// plannedCells returns the number of cells that the plan under the cursor suppresses.
func (d *driver) plannedCells() string {
	d.Helper()
	found := regexp.MustCompile(`([\d,]+) suppressed cells? in`).FindStringSubmatch(d.Text())
	if found == nil {
		d.Fatalf("no plan that blanks cells is under the cursor:\n%s", d.Text())
	}
	return strings.ReplaceAll(found[1], ",", "")
}

// lastSuppression returns the suppression of the last step.
func (d *driver) lastSuppression() *method.Suppression {
	steps := d.m.bench.doc.Steps()
	return steps[len(steps)-1].Report.Suppression
}

// The plans are a frontier from suppression only to recodes only. A plan that is tried has the announced figures,
// and its steps can be undone.
func TestPlanIsTriedAsPromised(t *testing.T) {
	beside(t)
	d := demonstration(t, 120, 40).Press("p")
	d.Dialog().Contains("Plans for k = 3", "0.01 % none", "by information loss", "combinations searched in", "◆", "●")
	d.Press("end").Dialog().Contains("recodes only")
	d.Press("home", "down", "down", "down", "down")
	promised, figures := d.plannedCells(), d.m.asking.answer.WhatIf
	d.Press("enter")
	if figures == nil || figures.Assessment.Expected != d.m.bench.current.Assessment.Expected ||
		figures.Data.Hash() != d.m.bench.doc.Data().Hash() {
		t.Errorf("the figures before the plan was tried are %+v", figures)
	}
	if got := d.lastSuppression(); got == nil || promised != digits(got.Total) || got.Left.Conservative != 0 {
		t.Fatalf("%+v after the steps %q, %s cells were promised", got, d.steps(), promised)
	}
	n := len(d.steps())
	if n < 2 || d.m.dialog != nil {
		t.Fatalf("steps %q, dialog %v", d.steps(), d.m.dialog)
	}
	d.Press(slices.Repeat([]string{"u"}, n)...)
	if doc := d.m.bench.doc; doc.Position() != 0 || doc.Data() != doc.Base() {
		t.Errorf("%d undos lead to position %d", n, doc.Position())
	}
}

// digits formats a number as in a script.
func digits(n int) string {
	text := ""
	for ; n > 0 || text == ""; n /= 10 {
		text = string(rune('0'+n%10)) + text
	}
	return text
}

// After a plan was tried the frontier is still there, and another plan starts a branch at the same node.
func TestAnotherPlanBeginsABranch(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("p", "down", "down", "down", "enter")
	first, dialog := d.steps(), d.m.bench.plans.dialog
	d.Press("p")
	if d.m.bench.plans.dialog != dialog {
		t.Fatal("the plans are looked for anew")
	}
	d.Press("down", "down")
	promised := d.plannedCells()
	d.Press("enter")
	if got := d.lastSuppression(); got == nil || promised != digits(got.Total) {
		t.Errorf("%+v after the steps %q, %s cells were promised", got, d.steps(), promised)
	}
	branches, kept := map[int]bool{}, 0
	for _, node := range d.m.bench.doc.Nodes()[1:] {
		branches[node.Branch] = true
		if slices.Contains(first, node.Step.Title) {
			kept++
		}
	}
	if len(branches) != 2 || kept < len(first) {
		t.Errorf("branches %v; %d of the steps %q are kept", branches, kept, first)
	}
}

// Plans belong to the data and the scenario of their search.
func TestPlansOfOtherDataAreThrownAway(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("p", "esc")
	dialog := d.m.bench.plans.dialog
	d.Press("p")
	if dialog == nil || d.m.bench.plans.dialog != dialog {
		t.Fatal("plans of the same data are looked for anew")
	}
	recodeAge(d.Press("esc"))
	if d.m.bench.plans.dialog != nil {
		t.Error("after a recode the plans are kept")
	}
	d.Press("p")
	second := d.m.bench.plans.dialog
	scenario := surveyScenario()
	scenario.Keys = scenario.Keys[1:]
	d.Press("esc")
	d.act(func() { d.m.setScenarios(dialogs.SetScenario{Scenario: scenario}) })
	if d.Press("p"); second == nil || d.m.bench.plans.dialog == second {
		t.Error("plans of another scenario are kept")
	}
}

// esc stops the search and the points stay; another k has its own search.
func TestPlansAreStopped(t *testing.T) {
	beside(t)
	d := surveyOf(t, 80, 24).Hold().Press("p")
	d.Dialog().Contains("searching, round 1", "▕")
	d.Press("esc")
	if d.m.dialog == nil {
		t.Fatal("esc closes the dialog while the search goes on")
	}
	d.Release()
	d.Dialog().Contains("stopped during its first round")
	d.Press("s").Screen().Contains("combinations searched in")
	d.Press("p").Screen().Contains("by information loss")
	d.Resize(60, 15).Screen().Contains("by information loss", "◆", "↓")
	d.Resize(80, 24)
	d.Press("+").Screen().Contains("Plans for k = 4")
	four := d.Press("p").plannedCells()
	if three := d.Press("-").plannedCells(); three >= four {
		t.Errorf("k = 3 blanks %s cells, k = 4 %s", three, four)
	}
	d.Press("esc")
	if d.m.dialog != nil || d.m.seeking.Runs() {
		t.Errorf("after esc the dialog is %v, a search runs: %v", d.m.dialog, d.m.seeking.Runs())
	}
}

// A click selects a plan.
func TestPlansByMouse(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("p")
	before := d.plannedCells()
	place := d.m.dialogPlace(d.m.height - 2)
	d.act(func() { d.m.click(place.x+6, place.y+6) })
	if d.plannedCells() == before {
		t.Error("a click on another line chooses nothing")
	}
}

// The suppressed cells that can be inferred are counted for the plan under the cursor and remembered; a plan that
// suppresses nothing has none.
func TestPlansSayWhatCanBeInferred(t *testing.T) {
	beside(t)
	d := surveyOf(t, 200, 60).Press("p")
	announced := regexp.MustCompile(`([\d,]+) of the [\d,]+ suppressed cells can be`).FindStringSubmatch(d.Text())
	if announced == nil || announced[1] == "0" {
		t.Fatalf("%q is told of suppression alone:\n%s", announced, d.Text())
	}
	if d.Press("down"); strings.Contains(d.Text(), announced[0]) {
		t.Errorf("another plan has the same:\n%s", d.Text())
	}
	d.Hold().Press("up").Dialog().Contains(announced[0])
	d.Release().Press("end").Dialog().Lacks("can be told from others")
}

// The global risk of a plan is that of the data after it was tried; its colour says whether it is within the target.
func TestPlansShowTheGlobalRisk(t *testing.T) {
	beside(t)
	d := surveyOf(t, 200, 60).Press("p").Press("down")
	d.Dialog().Contains("target 1 %")
	announced := regexp.MustCompile(`global risk ([\d.]+) %, target`).FindStringSubmatch(d.Text())
	if announced == nil || !regexp.MustCompile(`[\d.]+ % none`).MatchString(d.Text()) {
		t.Fatalf("no global risk, or not of every plan:\n%s", d.Text())
	}
	d.Press("enter")
	if got := wording.Percent(d.m.bench.current.Assessment.Global); got != announced[1]+" %" {
		t.Errorf("the plan announces %s %%, its data have %s", announced[1], got)
	}
}

// Cells of spared variables are suppressed last, in the plans and in their steps.
func TestPlansSpareVariables(t *testing.T) {
	beside(t)
	d := surveyOf(t, 160, 48).Press("p")
	d.Press("o").Dialog().Contains("Key variables that lose cells last")
	d.Press("end", "space", "home", "space", "enter") // the last and the first key variable
	d.Dialog().Contains("ethnic, region spared")
	d.Press("home", "enter")
	if title := strings.Join(d.steps(), "; "); !strings.HasSuffix(title, "importance ethnic, region, …") {
		t.Errorf("the steps are %s", title)
	}
}

// Kept key variables are recoded in no plan; earlier results stay available.
func TestPlansKeepVariables(t *testing.T) {
	beside(t)
	d := demonstration(t, 160, 48).Press("p")
	d.Screen().Contains("Plans for k = 3", "exclude from recoding")
	d.Press("space").Dialog().Contains("Key variables that are not recoded")
	d.Press("space", "down", "down", "space", "enter") // space moves to the next row
	if text := d.Text(); !strings.Contains(text, "region, age kept") || regexp.MustCompile(`age (bands|\d+ or less|\d+\+)|remove (age|region)`).MatchString(text) {
		t.Errorf("region and age are kept:\n%s", text)
	}
	d.Press("end").Dialog().Contains("suppressed cells in")
	d.Press("space", "space", "down", "down", "space", "enter")
	d.Dialog().Contains("Plans for k = 3", "age bands")
	if strings.Contains(d.Text(), "kept") {
		t.Error("nothing is kept any more")
	}
}
