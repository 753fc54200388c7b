package session

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

var surveyPath = filepath.Join("..", "testdata", "survey.csv")

func scriptPath(name string) string { return filepath.Join("..", "testdata", "scripts", name+".jsonl") }

// runOut runs a script of testdata on the survey and returns the options, with the paths of the output, and the
// summary.
func runOut(t *testing.T, script string) (RunOptions, map[string]any) {
	t.Helper()
	folder := t.TempDir()
	o := RunOptions{Script: script, File: surveyPath, Out: filepath.Join(folder, "out.csv"),
		Summary: filepath.Join(folder, "summary.json"), Records: filepath.Join(folder, "records.csv")}
	must(t, Run(context.Background(), o))
	text, err := os.ReadFile(o.Summary)
	must(t, err)
	var summary map[string]any
	must(t, json.Unmarshal(text, &summary))
	return o, summary
}

func close8(got any, want float64) bool {
	number, ok := got.(float64)
	return ok && math.Abs(number-want) <= 1e-8*math.Abs(want)
}

// TestRunGivesReferenceFigures compares with sdcMicro 5.8.1 on survey.csv.
func TestRunGivesReferenceFigures(t *testing.T) {
	_, summary := runOut(t, scriptPath("survey_recode"))
	original, current := summary["original"].(map[string]any), summary["current"].(map[string]any)
	for _, c := range []struct {
		figures   map[string]any
		violators map[string]any
		expected  float64
	}{
		{original, map[string]any{"2": 3702., "3": 4443., "5": 4704., "10": 4827.}, 84.8380101652805},
		{current, map[string]any{"2": 1640., "3": 2467., "5": 3523., "10": 4378.}, 43.8109111774126},
	} {
		if diff := cmp.Diff(c.violators, c.figures["violators"]); diff != "" {
			t.Errorf("violators:\n%s", diff)
		}
		if got := c.figures["expected_reidentifications"]; !close8(got, c.expected) {
			t.Errorf("expected re-identifications %v, want %v", got, c.expected)
		}
	}
	households := original["households"].(map[string]any)
	if !close8(households["expected_reidentifications"], 384.827498008242) ||
		!close8(households["risk"], 0.0769654996016484) ||
		!close8(original["risk_threshold"], 0.0127572753999007) || !close8(original["global_risk"], 0.0169676020330561) {
		t.Errorf("original %v", original)
	}
	if current["risk_threshold"] != nil {
		t.Errorf("threshold %v for a file below the target", current["risk_threshold"])
	}
	steps := summary["steps"].([]any)
	table := steps[0].(map[string]any)["report"].(map[string]any)["table"]
	if diff := cmp.Diff(map[string]any{"0-4": 512., "5-14": 484., "15-24": 950., "25-34": 922., "35-44": 703.,
		"45-54": 693., "55-64": 427., "65-99": 309.}, table); diff != "" {
		t.Errorf("age groups:\n%s", diff)
	}
}

func TestRunAfterTheAgeRecodeAlone(t *testing.T) {
	lines, err := os.ReadFile(scriptPath("survey_recode"))
	must(t, err)
	script := filepath.Join(t.TempDir(), "ages.jsonl")
	must(t, os.WriteFile(script, bytes.Join(bytes.SplitAfter(lines, []byte("\n"))[:4], nil), 0o600))
	_, summary := runOut(t, script)
	current := summary["current"].(map[string]any)
	if diff := cmp.Diff(map[string]any{"2": 1693., "3": 2498., "5": 3528., "10": 4378.},
		current["violators"]); diff != "" {
		t.Errorf("violators:\n%s", diff)
	}
	if !close8(current["expected_reidentifications"], 44.6432067010004) {
		t.Errorf("expected re-identifications %v", current["expected_reidentifications"])
	}
}

func TestRunWritesRecordFigures(t *testing.T) {
	lines, err := os.ReadFile(scriptPath("survey_recode"))
	must(t, err)
	script := filepath.Join(t.TempDir(), "none.jsonl")
	must(t, os.WriteFile(script, bytes.Join(bytes.SplitAfter(lines, []byte("\n"))[:2], nil), 0o600))
	o, _ := runOut(t, script)
	file, err := os.Open(o.Records)
	must(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	must(t, err)
	var reference struct {
		Risk struct {
			Cases []struct {
				Alpha   float64
				Records map[string][]float64
			}
		}
	}
	text, err := os.ReadFile(filepath.Join("..", "testdata", "reference", "survey_risk.json"))
	must(t, err)
	must(t, json.Unmarshal(text, &reference))
	records := reference.Risk.Cases[0].Records
	if strings.Join(rows[0], ",") != "record,fk,Fk,risk,household_risk" || len(rows) != 5001 ||
		reference.Risk.Cases[0].Alpha != 1 {
		t.Fatalf("%d rows, head %v", len(rows), rows[0])
	}
	if len(records["risk"]) < 100 {
		t.Fatalf("%d records in the reference", len(records["risk"]))
	}
	for i, row := range rows[1 : 1+len(records["risk"])] {
		if row[0] != strconv.Itoa(i+1) {
			t.Fatalf("row %d is record %s", i+1, row[0])
		}
		for j, name := range []string{"fk", "Fk", "risk", "hier_risk"} {
			value, err := strconv.ParseFloat(row[j+1], 64)
			if err != nil || !close8(value, records[name][i]) {
				t.Fatalf("record %d: %s is %s, want %v", i+1, name, row[j+1], records[name][i])
			}
		}
	}
}

// TestRunAgreesWithAnIndependentCount compares a suppression with the count of an independent program.
func TestRunAgreesWithAnIndependentCount(t *testing.T) {
	kcheck := filepath.Join("..", "..", "shared", "tools", "kcheck")
	if _, err := os.Stat(kcheck); err != nil {
		t.Skip("../shared/tools/kcheck is not there")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	o, summary := runOut(t, scriptPath("survey_kanonymity"))
	out, err := exec.Command(python, kcheck, surveyPath, o.Out, "3", "region,urbrur,sex,age,marital,educ,ethnic").Output()
	must(t, err)
	var counted map[string]any
	must(t, json.Unmarshal(out, &counted))
	steps := summary["steps"].([]any)
	report := steps[len(steps)-1].(map[string]any)["report"].(map[string]any)
	for ours, theirs := range map[string]string{"cells": "cells", "total": "total", "touched": "touched",
		"left": "violators"} {
		if diff := cmp.Diff(counted[theirs], report[ours]); diff != "" {
			t.Errorf("%s (-counted +reported):\n%s", ours, diff)
		}
	}
	for _, of := range []string{"suppressions", "suppressions_last"} {
		cells := summary[of].(map[string]any)
		if cells["occup"] == 0. {
			t.Errorf("%s: the linked variable lost nothing", of)
		}
		delete(cells, "occup")
		if diff := cmp.Diff(counted["cells"], any(cells)); diff != "" {
			t.Errorf("%s (-counted +summary):\n%s", of, diff)
		}
	}
	if left := counted["violators"].(map[string]any); left["conservative"] != 0. || left["default"] != 0. {
		t.Errorf("violators left: %v", left)
	}
}

func TestRunTwiceGivesTheSameBytes(t *testing.T) {
	first, _ := runOut(t, scriptPath("survey_kanonymity"))
	second, _ := runOut(t, scriptPath("survey_kanonymity"))
	for _, pair := range [][2]string{{first.Out, second.Out}, {first.Records, second.Records}} {
		a, err := os.ReadFile(pair[0])
		must(t, err)
		b, err := os.ReadFile(pair[1])
		must(t, err)
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs", filepath.Base(pair[0]))
		}
	}
}

func TestRunOfNoStepsGivesTheFileBack(t *testing.T) {
	folder := t.TempDir()
	script, out := filepath.Join(folder, "none.jsonl"), filepath.Join(folder, "out.csv")
	must(t, os.WriteFile(script, []byte(header), 0o600))
	must(t, Run(context.Background(), RunOptions{Script: script, File: surveyPath, Out: out}))
	want, err := os.ReadFile(surveyPath)
	must(t, err)
	if got, err := os.ReadFile(out); err != nil || !bytes.Equal(got, want) {
		t.Errorf("another file, %v", err)
	}
}

// runSmall runs lines on the small survey and returns the options, the warnings and the error.
func runSmall(t *testing.T, text, lines string,
	change func(o *RunOptions)) (o RunOptions, warnings []string, err error) {
	t.Helper()
	folder := t.TempDir()
	o = RunOptions{Script: filepath.Join(folder, "script.jsonl"), File: filepath.Join(folder, "small.csv"),
		Out:     filepath.Join(folder, "out.csv"),
		Summary: filepath.Join(folder, "summary.json"), Records: filepath.Join(folder, "records.csv"),
		Warn: butFindings(&warnings)}
	must(t, os.WriteFile(o.Script, []byte(header+lines), 0o600))
	must(t, os.WriteFile(o.File, []byte(text), 0o600))
	if change != nil {
		change(&o)
	}
	err = Run(context.Background(), o)
	return o, warnings, err
}

const smallScenarioLine = `{"scenario":{"keys":["sex","age","region"],"weight":"weight","household":"hid"}}` + "\n"

func TestRunErrorsLeaveNothingBehind(t *testing.T) {
	ageStep := `{"step":"recode-intervals","params":{"variable":"age","breaks":[-1,17,44,120]}}` + "\n"
	for _, c := range []struct {
		name, lines, want string
		is                error
		change            func(o *RunOptions)
	}{
		{name: "step", lines: `{"step":"x"}`, is: ErrUnknownStep, want: `script.jsonl, line 2: unknown step "x"`},
		{name: "variable",
			lines: smallScenarioLine + `{"step":"recode-intervals","params":{"variable":"height","breaks":[1,2]}}`,
			is:    method.ErrParam,
			want:  `script.jsonl, line 3: parameter "variable": the file has no variable "height"`},
		{name: "k", lines: smallScenarioLine + ageStep + `{"step":"suppress-kanonymity","params":{"k":13}}`,
			is: method.ErrUnreachable, want: `script.jsonl, line 4: `},
		{name: "scenario", lines: `{"scenario":{"keys":["height"]}}` + "\n" + ageStep, is: microdata.ErrScenario,
			want: `script.jsonl, line 2: invalid scenario: "height" is named as`},
		{name: "weight", lines: `{"scenario":{"keys":["sex"],"weight":"sex"}}`, is: microdata.ErrScenario,
			want: `script.jsonl, line 2: invalid scenario: "sex"`},
		{name: "weight by intervals",
			lines: smallScenarioLine + `{"step":"recode-intervals","params":{"variable":"weight","breaks":[0,15,40]}}`,
			want:  `script.jsonl, line 3: step recode-intervals is not possible: "weight" is the sampling weight, which must stay numeric;`},
		{name: "households grouped",
			lines: smallScenarioLine + ageStep + `{"step":"recode-group","params":{"variable":"hid","levels":["1","2"]}}`,
			want:  `script.jsonl, line 4: step recode-group is not possible: "hid" has the household IDs,`},
		{name: "weights spoilt",
			lines: smallScenarioLine +
				`{"step":"recode-topbottom","params":{"variable":"weight","bottom":8,"replacement":"value","bottom_value":-1}}`,
			is:   microdata.ErrWeights,
			want: `script.jsonl, line 3: step recode-topbottom is not possible: after it, the weight variable cannot be used: "weight" has `},
		{name: "missing code", lines: `{"scenario":{"keys":["sex"]},"file":{"missing":["","NA"]}}` + "\n" +
			`{"step":"recode-rename","params":{"variable":"sex","level":"f","label":"NA"}}`, is: method.ErrInput,
			want: `script.jsonl, line 3: step recode-rename: the category "NA" of "sex" does not fit the data: it is a missing code of this file; choose another name or number`},
		{name: "missing code of a group", lines: `{"scenario":{"keys":["sex"]},"file":{"missing":["","NA"]}}` + "\n" +
			`{"step":"recode-group","params":{"variable":"age","levels":["3","34"],"label":"NA"}}`, is: method.ErrInput,
			want: `script.jsonl, line 3: step recode-group: the category "NA" of "age"`},
		{name: "missing code of an interval", lines: `{"scenario":{"keys":["sex"]},"file":{"missing":["","NA"]}}` + "\n" +
			`{"step":"recode-intervals","params":{"variable":"age","breaks":[0,40,99],"labels":["NA","b"]}}`,
			is:   method.ErrInput,
			want: `script.jsonl, line 3: step recode-intervals: the category "NA" of "age"`},
		{name: "no file", change: func(o *RunOptions) { o.File += "x" }, is: os.ErrNotExist, want: ""},
		{name: "no script", change: func(o *RunOptions) { o.Script += "x" }, is: os.ErrNotExist,
			want: "the script cannot be read: "},
		{name: "kind that is not written",
			change: func(o *RunOptions) { o.Out = filepath.Join(filepath.Dir(o.Out), "out.SAS7BDAT") }, is: fileio.ErrName},
		{name: "no folder", change: func(o *RunOptions) { o.Out = filepath.Join(o.Out, "x", "out.csv") }, is: os.ErrNotExist},
		{name: "twice", change: func(o *RunOptions) { o.Summary = o.Out }, is: ErrPaths},
		{name: "source", change: func(o *RunOptions) { o.Out, o.Force = o.File, true }, is: ErrPaths},
		{name: "script", change: func(o *RunOptions) { o.Records, o.Force = o.Script, true }, is: ErrPaths},
		{name: "hard link", change: func(o *RunOptions) { must(t, os.Link(o.File, o.Out)); o.Force = true },
			is: fileio.ErrSource},
		{name: "folder", change: func(o *RunOptions) { o.Out, o.Force = filepath.Dir(o.Out), true }, is: fileio.ErrDirectory},
	} {
		o, _, err := runSmall(t, smallText, c.lines, c.change)
		if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v\nwant %q, %v", c.name, err, c.want, c.is)
		}
		left, err := filepath.Glob(filepath.Join(filepath.Dir(o.Records), "*"))
		must(t, err)
		hidden, err := filepath.Glob(filepath.Join(filepath.Dir(o.Records), ".*"))
		must(t, err)
		if want := 2; len(left)+len(hidden) != want && c.name != "hard link" {
			t.Errorf("%s: left behind %v %v", c.name, left, hidden)
		}
		if text, err := os.ReadFile(filepath.Join(filepath.Dir(o.Script), "small.csv")); err != nil ||
			string(text) != smallText {
			t.Errorf("%s: the source was touched", c.name)
		}
	}
}

func TestCancelledRunLeavesNothingBehind(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	o, _, err := runSmall(t, smallText, smallScenarioLine, nil)
	must(t, err)
	cancel()
	o.Out += "2"
	o.Summary, o.Records = "", ""
	if err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(o.Out), "*2*")); err != nil || len(left) != 0 {
		t.Errorf("left behind %v, %v", left, err)
	}
}

func TestRunReplacesFilesOnlyWithForce(t *testing.T) {
	for _, which := range []func(o *RunOptions) string{func(o *RunOptions) string { return o.Out },
		func(o *RunOptions) string { return o.Summary }, func(o *RunOptions) string { return o.Records }} {
		for _, force := range []bool{false, true} {
			o, _, err := runSmall(t, smallText, smallScenarioLine, func(o *RunOptions) {
				o.Force = force
				must(t, os.WriteFile(which(o), []byte("old"), 0o644))
			})
			text, readErr := os.ReadFile(which(&o))
			must(t, readErr)
			if force != (err == nil) || force == (string(text) == "old") || !force && !errors.Is(err, fileio.ErrExists) {
				t.Errorf("force %v: %v, %q", force, err, text)
			}
		}
	}
}

// butFindings collects warnings without the findings of the checks.
func butFindings(warnings *[]string) func(string) {
	return func(message string) {
		name, _, _ := strings.Cut(strings.TrimPrefix(message, check.Critical), ":")
		if !slices.ContainsFunc(check.Specs(), func(spec check.Spec) bool { return spec.Name == name }) {
			*warnings = append(*warnings, message)
		}
	}
}

func TestRunWarns(t *testing.T) {
	_, warnings, err := runSmall(t, smallText,
		smallScenarioLine+`{"step":"recode-rename","params":{"variable":"region","level":"west","label":"west"}}`, nil)
	if err != nil || len(warnings) != 1 || warnings[0] != "line 3, step 1 (recode-rename): changes nothing" {
		t.Errorf("warnings %q, %v", warnings, err)
	}
}

func TestRunWarnsInSingularAndPlural(t *testing.T) {
	for breaks, want := range map[string]string{
		"-1,80":  "line 3, step 1 (recode-intervals): 1 cell is outside the intervals and becomes missing",
		"-1,60":  "line 3, step 1 (recode-intervals): 2 cells are outside the intervals and become missing",
		"-1,120": "",
	} {
		_, warnings, err := runSmall(t, smallText,
			smallScenarioLine+`{"step":"recode-intervals","params":{"variable":"age","breaks":[`+breaks+`]}}`, nil)
		if err != nil || strings.Join(warnings, "\n") != want {
			t.Errorf("breaks %s: %q, %v\nwant %q", breaks, warnings, err, want)
		}
	}
}

func TestRunReportsRaisedFrequencies(t *testing.T) {
	o, warnings, err := runSmall(t, "sex,weight\nf,0.25\nf,0.5\nm,1\nm,3\n",
		`{"scenario":{"keys":["sex"],"weight":"weight"}}`, nil)
	must(t, err)
	if len(warnings) != 2 ||
		!strings.HasPrefix(warnings[1], "2 records belong to key patterns whose weights sum to less than") {
		t.Errorf("warnings %q", warnings)
	}
	text, err := os.ReadFile(o.Summary)
	must(t, err)
	var summary struct{ Original, Current struct{ Raised int } }
	must(t, json.Unmarshal(text, &summary))
	if summary.Original.Raised != 2 || summary.Current.Raised != 2 {
		t.Errorf("summary %+v", summary)
	}
}

func TestRunWithoutKeysOrRecords(t *testing.T) {
	for name, c := range map[string]struct{ text, lines string }{
		"keys":        {smallText, `{"scenario":{"weight":"weight"}}`},
		"records":     {"hid,sex,age,region,weight\n", `{"scenario":{"keys":["sex"]}}`},
		"both":        {"hid,sex\n", ""},
		"one missing": {"sex,age\n,3\n", `{"scenario":{"keys":["sex","age"]}}`},
	} {
		o, _, err := runSmall(t, c.text, c.lines, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text, err := os.ReadFile(o.Out)
		if err != nil || string(text) != c.text {
			t.Errorf("%s: out %q, %v", name, text, err)
		}
		text, err = os.ReadFile(o.Summary)
		must(t, err)
		var summary map[string]any
		must(t, json.Unmarshal(text, &summary))
		if name == "keys" || name == "both" {
			current := summary["current"].(map[string]any)
			if len(current["violators"].(map[string]any)) != 0 || current["expected_reidentifications"] != nil ||
				current["global_risk"] != nil {
				t.Errorf("%s: %v", name, current)
			}
		}
	}
}

// A run writes a codebook next to its file, without removed variables.
func TestRunWritesACodebook(t *testing.T) {
	folder := t.TempDir()
	script := filepath.Join(folder, "s.jsonl")
	must(t,
		os.WriteFile(script,
			[]byte(`{"format":"sdcdesk-script","version":1}`+"\n"+`{"scenario":{"keys":["region","sex"],"remove":["age"]}}`+"\n"), 0o600))
	in := filepath.Join("..", "testdata", "formats", "sav_pspp_byte.sav")
	o := RunOptions{Script: script, File: in, Out: filepath.Join(folder, "out.csv"),
		Codebook: filepath.Join(folder, "book.csv")}
	var reported []string
	o.Warn = func(message string) { reported = append(reported, message) }
	must(t, Run(context.Background(), o))
	book, err := os.ReadFile(o.Codebook)
	must(t, err)
	if text := string(book); !strings.Contains(text, "\nregion,") || strings.Contains(text, "\nage,") {
		t.Errorf("%s", text)
	}
	advised := slices.Contains(reported, CodebookAdvice)
	o.Codebook, o.Force = "", true
	must(t, Run(context.Background(), o))
	if advised || !slices.Contains(reported, CodebookAdvice) {
		t.Errorf("with a codebook the advice to write one is given: %v; in all: %q", advised, reported)
	}
	o.Codebook = o.Out
	if err := Run(context.Background(), o); !errors.Is(err, ErrPaths) {
		t.Errorf("a codebook in the place of the data: %v", err)
	}
}
