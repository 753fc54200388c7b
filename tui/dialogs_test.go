package tui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/sdcdesk/sdcdesk/house/longtests"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

func TestIntervalsByKeys(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("1", "down", "down", "down", "r")
	d.Dialog().Contains("breaks", "0-9", "90+")
	d.Press("right")
	d.Dialog().Contains("0-10", "11-19")
	d.Press("shift+left")
	d.Dialog().Contains("▸0◂", "1-19") // stops at the lowest value
	d.Press("d")
	d.Dialog().Contains("0-19")
	d.Press("a")
	d.Press("t")
	if n := len(ends(d)) + 1; n != 2 {
		t.Errorf("after top coding at the first end there are %d intervals, want 2", n)
	}
	d.Press("e").Type("x").Press("enter")
	labels := asked[*recode.Intervals](d).Labels
	if len(labels) != 2 || !strings.HasSuffix(labels[0], "x") {
		t.Errorf("labels %q", labels)
	}
	d.Press("enter")
	if steps := d.steps(); len(steps) != 1 || !strings.Contains(steps[0], "x") {
		t.Errorf("steps %q", steps)
	}
}

func TestIntervalsOfEqualGroups(t *testing.T) {
	beside(t)
	d := demonstration(t, 120, 40).Press("1", "down", "down", "down", "r", "g")
	if n := len(ends(d)) + 1; n != 8 {
		t.Fatalf("%d groups, want 8", n)
	}
	result, err := d.m.bench.doc.Prepare(d.m.asker().Question().Step).Run(context.Background(), d.m.bench.analyst, nil)
	if err != nil {
		t.Fatal(err)
	}
	age, _ := result.Data.Column("age")
	for i, n := range age.Categories().Counts()[1:] {
		if n < 400 || n > 850 {
			t.Errorf("group %d has %d of 5,000 records, want about 625", i, n)
		}
	}
	d.Press("n")
	if upper := ends(d); len(upper) != 7 || upper[0] < 11 || upper[0] > 13 {
		t.Errorf("8 equal widths end at %v", upper)
	}
	d.Press("N")
	if upper := ends(d); slices.Contains(upper, 98) || upper[0] != 9 {
		t.Errorf("rounded bounds end at %v", upper)
	}
	d.Press("G").Dialog().Contains("no logarithm")
	d.Press("x").Dialog().Contains("outside become missing", "→ missing")
	said := d.Text()
	d.Press("enter")
	if got := d.m.bench.doc.Steps()[0].Report.Outside; !strings.Contains(said,
		draw.Count(got)+" records outside become missing") {
		t.Errorf("%d records are outside; said was:\n%s", got, said)
	}
}

// A second recode of a variable starts from the breaks of the first.
func TestIntervalsRememberTheirBreaks(t *testing.T) {
	beside(t)
	d := recodeAge(surveyOf(t, 120, 40)).Press("r", "e").retype("infants").Press("enter", "enter", "r")
	d.Dialog().Contains("infants")
	if upper := ends(d); !slices.Equal(upper, []float64{4, 14, 24, 34, 44, 54, 64}) {
		t.Errorf("the dialog opens with %v", upper)
	}
}

func TestMergeAndRename(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("1", "end", "r")
	d.Dialog().Contains("Recode ethnic", "mark at least two categories")
	d.Press("space", "space")
	d.Dialog().Contains("→", "records", "k = 3", "after")
	promised := d.m.asking.answer.WhatIf
	d.Press("e").Type("rare").Press("enter", "m")
	if d.m.dialog == nil {
		t.Fatal("m closes the dialog")
	}
	if got, want := d.m.bench.current.Assessment.Violators[1].Count, promised.Assessment.Violators[1].Count; got != want {
		t.Errorf("%d violators after the merge, %d were promised", got, want)
	}
	d.Dialog().Contains("rare")
	d.Press("home", "r").Type("!").Press("enter")
	d.Press("esc")
	steps := d.steps()
	if len(steps) != 2 || !strings.Contains(steps[0], "rare") || !strings.Contains(steps[1], "!") {
		t.Errorf("steps %q", steps)
	}
}

func TestNumbersAsCategoriesAndBack(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("1", "down", "down", "down", "r", "v")
	d.Dialog().Contains("mark at least two categories")
	d.Press("v")
	d.Dialog().Contains("breaks")
}

func TestKAnonymityDialog(t *testing.T) {
	beside(t)
	d := recodeAge(surveyOf(t, 120, 40)).Press("K")
	d.Dialog().Contains("suppression rule", "conservative", "lower bound", "remaining violators of k = 3")
	d.Press("right")
	if k := asked[*suppress.KAnonymity](d).K; k != 4 {
		t.Errorf("k is %d after one key, want 4", k)
	}
	d.Type("5")
	d.Dialog().Contains("5")
	d.Press("down", "left") // default: a missing value matches every value
	if n := strings.Count(d.Text(), "A missing value matches every"); n != 1 {
		t.Errorf("the rule is explained %d times", n)
	}
	d.Press("down", "right", "right")
	d.Dialog().Contains("sdcmicro")
	d.Dialog().Lacks("suppression rule")
	d.Press("right", "down", "J", "esc")
	if len(d.steps()) != 1 {
		t.Errorf("esc left %q", d.steps())
	}
}

func TestImportanceByHand(t *testing.T) {
	beside(t)
	d := recodeAge(surveyOf(t, 120, 40)).Press("K")
	d.focus("importance 1")
	d.Press("J", "enter")
	steps := d.m.bench.doc.Steps()
	if params := string(steps[len(steps)-1].Spec.Params); !strings.Contains(params, `"sex":1`) ||
		!strings.Contains(params, `"urbrur":2`) {
		t.Errorf("params %s", params)
	}
}

// A thorough search runs until its time is over or enter ends it; the step applied is the one of the figures
// shown.
func TestThoroughSearch(t *testing.T) {
	beside(t)
	d := recodeAge(surveyOf(t, 120, 40)).Press("K")
	minimal := d.m.asking.answer.WhatIf.Report.Suppression.Total
	d.m.options.Longest = 1 // stops at its first result
	d.Press("down", "down", "right")
	d.Dialog().Contains("thorough", "searched for", "lower bound")
	first := *d.m.asking.answer.Search
	d.m.options.Longest = first.Elapsed + 20*time.Millisecond
	d.Press("+")
	shown := *d.m.asking.answer.Search
	if string(shown.Step.Params) == string(first.Step.Params) {
		t.Errorf("the search did not go on from %s", first.Step.Params)
	}
	if shown.Account.Total > minimal {
		t.Errorf("thorough takes %d cells, minimal %d", shown.Account.Total, minimal)
	}
	d.Press("enter")
	steps := d.m.bench.doc.Steps()
	made := steps[len(steps)-1]
	if string(made.Spec.Params) != string(shown.Step.Params) || made.Report.Total != shown.Account.Total {
		t.Errorf("the step made is %s with %d cells, shown was %s with %d", made.Spec.Params, made.Report.Total,
			shown.Step.Params, shown.Account.Total)
	}
}

// The slider of the budget starts at what k needs; below that violators are left.
func TestBudgetSlider(t *testing.T) {
	beside(t)
	d := recodeAge(surveyOf(t, 120, 40)).Press("K")
	whole := d.m.asking.answer.WhatIf.Report.Suppression.Total
	d.focus("budget")
	d.Press("left")
	report := d.m.asking.answer.WhatIf.Report.Suppression
	budget := asked[*suppress.KAnonymity](d).Budget
	if budget == nil || report.Total > int(*budget) || report.Left.Conservative == 0 {
		t.Fatalf("of %d cells a budget of %v takes %d and leaves %d", whole, budget, report.Total, report.Left.Conservative)
	}
	d.Dialog().Contains(draw.Count(int(*budget))+" cells", "●", "─  "+draw.Count(whole),
		"conservative "+draw.Count(report.Left.Conservative))
	d.Press("left")
	if next := d.m.asking.answer.WhatIf.Report.Suppression; next.Left.Conservative <= report.Left.Conservative {
		t.Errorf("fewer cells leave %d violators, more %d", next.Left.Conservative, report.Left.Conservative)
	}
	d.Press("right", "right")
	d.Dialog().Contains("none").Dialog().Lacks("●")
}

func TestSuppressionAboveARisk(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("R")
	d.Dialog().Contains("threshold", "region")
	before := d.m.bench.current.Assessment.Expected
	for range 5 {
		above, threshold := 0, asked[*suppress.AboveRisk](d).Threshold
		for record := range d.m.bench.current.Data.Len() {
			if d.m.bench.current.Assessment.Risk(record) > threshold {
				above++
			}
		}
		d.Dialog().Contains(draw.Count(above) + " records (")
		d.Press("left", "shift+right")
	}
	d.Type("0.05").Press("enter")
	if len(d.steps()) != 1 || d.m.bench.current.Assessment.Expected >= before {
		t.Errorf("steps %q, expected re-identifications %v, before %v", d.steps(), d.m.bench.current.Assessment.Expected,
			before)
	}
}

func TestTopCoding(t *testing.T) {
	beside(t)
	d := demonstration(t, 120, 40).Press("1", "down", "down", "down", "T", "down").Type("80").Press("enter")
	if steps := d.steps(); len(steps) != 1 || !strings.Contains(steps[0], "80") {
		t.Fatalf("steps %q", steps)
	}
	levels := d.m.bench.current.Data
	column, _ := levels.Column("age")
	if all := column.Categories().Levels; all[len(all)-1].Value != 80 {
		t.Errorf("the highest age is %v", all[len(all)-1].Label)
	}
}

// chooseExport chooses what the open dialog exports.
func (d *driver) chooseExport(what string) *driver {
	d.Helper()
	for range 5 {
		if strings.Contains(d.Text(), "◂ "+what+" ▸") {
			return d
		}
		d.Press("right")
	}
	d.Fatalf("nothing is called %q:\n%s", what, d.Text())
	return d
}

func TestExportFileReportAndScript(t *testing.T) {
	folder := t.TempDir()
	d := recodeAge(surveyOf(t, 120, 40))
	export := func(name, what string) string {
		t.Helper()
		path := filepath.Join(folder, name)
		d.Press("e")
		d.chooseExport(what).Press("down")
		d.retype(path).leave()
		if d.m.dialog != nil {
			t.Fatalf("the dialog is still open:\n%s", d.Text())
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	data := export("safe.csv", "protected file")
	if header, _, _ := strings.Cut(data, "\n"); strings.Contains(header, "pid") || !strings.Contains(data, "65+") {
		t.Errorf("the protected file begins %q", header)
	}
	if report := export("report.html", "report"); !strings.Contains(report, "<html") {
		t.Error("the report is no page")
	}
	if script := export("steps.jsonl", "script"); !strings.Contains(script, "recode-intervals") {
		t.Errorf("the script is %s", script)
	}
	if script := export("steps.R", "script"); !strings.Contains(script, "globalRecode(") {
		t.Errorf("the script of R is %s", script)
	}
	// An existing file is replaced only if enter is pressed twice.
	d.Press("e").chooseExport("protected file").Press("enter") // to the path typed before
	d.Dialog().Contains("exists")
	d.leave()
	if d.m.dialog != nil {
		t.Errorf("the file was not replaced:\n%s", d.Text())
	}
}

// writeDemonstration writes the survey of 5,000 records into a folder where tests may write.
func writeDemonstration(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(testFile("survey.csv"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "survey.csv")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// sampleText is every twelfth household of the survey, 409 records, or the whole survey in long tests.
var sampleText = sync.OnceValues(func() (string, error) {
	text, err := os.ReadFile(testFile("survey.csv"))
	if err != nil {
		return "", err
	}
	var kept strings.Builder
	for line := range strings.Lines(string(text)) {
		household, _, _ := strings.Cut(line, ",")
		if number, err := strconv.Atoi(household); err != nil || number%12 == 1 || longtests.Wanted() { // err: the line of variable names
			kept.WriteString(line)
		}
	}
	return kept.String(), nil
})

// writeSurvey is writeDemonstration with the data of surveyOf.
func writeSurvey(t *testing.T) string {
	t.Helper()
	path := writeDemonstration(t)
	text, err := sampleText()
	if err = errors.Join(err, os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFromFileToWorkbenchAndBack(t *testing.T) {
	path := writeSurvey(t)
	d := start(t, Options{Path: path}, 120, 40)
	d.Screen().Contains("delimiter", "comma", "Arden")
	d.Press("right")
	d.Screen().Contains("semicolon")
	d.Press("left", "enter")
	d.Screen().Contains("Variables", "suggested", "no roles yet")
	d.Press("a")
	d.Screen().Contains("weight", "household", "KEY")
	d.Press("enter")
	d.Screen().Contains("Key variables")
	recodeAge(d)
	if len(d.steps()) != 1 {
		t.Fatalf("steps %q", d.steps())
	}
	d.Press("q")
	d = start(t, Options{Path: path}, 120, 40)
	d.Dialog().Contains("Continue?", "1 of 1 steps")
	d.Press("enter")
	if len(d.steps()) != 1 {
		t.Errorf("continued with %q", d.steps())
	}
}

func TestMissingCodesAreTyped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "codes.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,NA\n-9,x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := start(t, Options{Path: path}, 120, 40).Press("down", "down", "down", "down", "down").Type("NA -9").Press("enter",
		"enter")
	data := d.m.bench.doc.Base()
	for i, name := range []string{"b", "a"} {
		column, _ := data.Column(name)
		if !column.Missing(i) || column.MissingCount() != 1 {
			t.Errorf("%s: %d missing cells", name, column.MissingCount())
		}
	}
}

func TestFilesThatCannotBeOpened(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"empty.csv": "", "ragged.csv": "a,b\n1\n2,3,4,5\n",
		"binary.csv": "PK\x03\x04\x00\x00"} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		d := start(t, Options{Path: path}, 120, 40)
		if strings.HasPrefix(name, "ragged") {
			d.Press("enter") // the import page shows the error, reading returns it
		}
		if d.m.bench != nil {
			t.Errorf("%s was opened:\n%s", name, d.Text())
		}
		d.Screen().Contains(name)
	}
	for name, text := range map[string]string{"header.csv": "a,b\n", "one.csv": "a,b\n1,2\n"} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		d := start(t, Options{Path: path}, 120, 40).Press("enter", "k", "enter", "]", "]", "r", "esc", "K", "esc")
		if d.m.bench == nil {
			t.Errorf("%s was not opened:\n%s", name, d.Text())
		}
	}
}
