package tui

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/planning"
)

// numberPlans opens the masking plans from the tab Numeric with one key.
func numberPlans(t testing.TB, width, height int) (*driver, *planning.Numbers) {
	t.Helper()
	return numberPlansOf(t, surveyOf(t, width, height))
}

// numberPlansOf opens the masking plans for a survey.
func numberPlansOf(t testing.TB, d *driver) (*driver, *planning.Numbers) {
	t.Helper()
	scenario := surveyScenario()
	scenario.Numeric = []string{"income", "expend", "savings"}
	d.act(func() { d.m.setScenarios(dialogs.SetScenario{Scenario: scenario}) })
	d.Press("f4", "p")
	dialog, ok := d.m.dialog.(*planning.Numbers)
	if !ok {
		t.Fatalf("p opens %T:\n%s", d.m.dialog, d.Text())
	}
	return d, dialog
}

// If there is no room for titles, the part that distinguishes the plans is kept.
func TestNumberPlansAreDistinguishedWhereNarrow(t *testing.T) {
	beside(t)
	d, _ := numberPlansOf(t, demonstration(t, 60, 15))
	d.Screen().Contains("mdav, size 15", "mdav, size 20")
}

// The sentence above the plans ends with a whole figure.
func TestNumberPlansSentenceIsWhole(t *testing.T) {
	beside(t)
	d, _ := numberPlansOf(t, demonstration(t, 80, 24))
	if line := regexp.MustCompile(`lowest .*`).FindString(d.Text()); !regexp.MustCompile(`IL1s 0\.\d+ +│`).MatchString(line) {
		t.Errorf("the sentence is cut: %q", line)
	}
}

// number returns a number among those found, or -1.
func number(found []string, at int) int {
	if at >= len(found) {
		return -1
	}
	n, err := strconv.Atoi(found[at])
	if err != nil {
		return -1
	}
	return n
}

// Two keys in the tab Numeric apply a plan: the one with the least loss within the limit. Its figures are those
// announced, and another plan starts a branch.
func TestPlanForNumbersIsWorthWhatItPromises(t *testing.T) {
	beside(t)
	d, dialog := numberPlansOf(t, demonstration(t, 120, 40))
	d.Dialog().Contains("Plans for ", "record linkage of at most 5 %: IL1s", "◆", "●", "tried on 5,000 records")
	promised := regexp.MustCompile(`▸\s+([\d.]+)\s+([\d.]+) %`).FindStringSubmatch(d.Text())
	if promised == nil {
		t.Fatalf("nothing is promised:\n%s", d.Text())
	}
	d.Press("enter")
	data := d.m.bench.doc.Data()
	found, err := tradeoff.Of(t.Context(), data.Source(), data, dialog.Variables, false, nil)
	if err != nil || len(d.steps()) != 1 {
		t.Fatal(err, d.steps())
	}
	_, decimals, _ := strings.Cut(promised[2], ".")
	linkage := fmt.Sprintf("%.*f", len(decimals), 100*found.Linkage())
	if loss := wording.CellLoss(found.Loss()); loss != promised[1] || linkage != promised[2] ||
		found.Linkage() > 0.05 {
		t.Errorf("loss %s, linkage %v; promised were %q", loss, found.Linkage(), promised)
	}
	first := d.steps()
	d.Press("p")
	if d.m.dialog != dialog {
		t.Fatal("the plans are looked for anew")
	}
	d.Press("up", "enter")
	branches := map[int]bool{}
	for _, node := range d.m.bench.doc.Nodes()[1:] {
		branches[node.Branch] = true
	}
	if len(branches) != 2 || slices.Equal(d.steps(), first) {
		t.Errorf("branches %v, steps %q after %q", branches, d.steps(), first)
	}
}

// The limit and the risk choose another plan. The unchanged data are among the plans, and enter on them applies
// nothing.
func TestPlansForNumbersByAnotherRisk(t *testing.T) {
	d, _ := numberPlans(t, 120, 40)
	before := d.line("▸", "% ")
	if d.Press("+", "+", "+"); d.line("▸", "% ") == before {
		t.Errorf("with another limit the plan is still %q", before)
	}
	d.Dialog().Contains("record linkage of at most 30 %")
	d.Press("r").Dialog().Contains("interval risk of at most 30 %", "by interval risk")
	if d.Press("home"); !strings.Contains(d.line("▸", "% "), "no masking") {
		t.Errorf("the first plan is %q", d.line("▸", "% "))
	}
	if d.Press("enter"); len(d.steps()) != 0 || d.m.dialog == nil {
		t.Errorf("no masking makes %q", d.steps())
	}
}

// A search is stopped, continues, and ends with the dialog; its results stay.
func TestPlansForNumbersAreStopped(t *testing.T) {
	beside(t)
	d := demonstration(t, 80, 24).Press("f4").Hold().Press("p")
	d.Dialog().Contains("0 of", "tried on 5,000 records", "▕")
	d.Press("esc")
	if d.m.dialog == nil {
		t.Fatal("esc closes the dialog while the search goes on")
	}
	d.Release()
	d.Dialog().Contains("stopped")
	d.Press("s").Dialog().Contains("5 %: IL1s")
	dialog := d.m.dialog
	if d.Press("esc"); d.m.dialog != nil || d.m.seeking.Runs() {
		t.Errorf("after esc the dialog is %v", d.m.dialog)
	}
	if d.Press("p"); d.m.dialog != dialog {
		t.Error("the plans are looked for anew")
	}
}

// Results survive quitting: when the session is resumed they are shown at once, and not tried again.
func TestPlansForNumbersSurviveQuitting(t *testing.T) {
	file, journal := writeSurvey(t), filepath.Join(t.TempDir(), "session.jsonl")
	worked(t, Options{Path: file, Journal: journal})
	d := start(t, Options{Journal: journal}, 120, 40).Press("f4", "p")
	d.Dialog().Contains("candidates tried")
	d.Press("esc", "q")
	d = start(t, Options{Journal: journal}, 120, 40).Press("f4")
	d.Hold().Press("p")
	all := regexp.MustCompile(`(\d+) of (\d+) candidates`).FindStringSubmatch(d.Text())
	// the unchanged data, which are not stored, are evaluated again
	if tried, total := number(all, 1), number(all, 2); tried < 2 || tried != total-1 {
		t.Errorf("after it was continued %q:\n%s", all, d.Text())
	}
	d.Release()
}
