package session

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var drawnSex = StepSpec{Step: "pram", Params: json.RawMessage(`{"variables":["sex"],"form":"equal","pd":0.2}`),
	Seed: 990123}

// Whether figures apply goes by where the values of the key variables come
// from, not by the steps that were made.
func TestDrawnKeys(t *testing.T) {
	stratum := step("make-stratum", `{"variables":["sex","region"],"name":"made"}`)
	drawn := StepSpec{Step: "pram", Params: json.RawMessage(`{"variables":["region","sex"],"form":"equal","pd":0.2}`),
		Seed: 7}
	nothing := StepSpec{Step: "pram", Params: json.RawMessage(`{"variables":["sex"],"form":"equal","pd":1}`), Seed: 7}
	reset := func(name string) StepSpec { return step("reset", `{"variable":"`+name+`"}`) }
	for name, c := range map[string]struct {
		steps []StepSpec
		want  string
	}{
		"recoded and suppressed": {[]StepSpec{ages, two}, ""},
		"drawn":                  {[]StepSpec{drawn, ages}, "sex, region"},
		"the same drawn":         {[]StepSpec{nothing}, ""}, // no cell differs
		"recoded afterwards":     {[]StepSpec{drawn, regions}, "sex, region"},
		"converted afterwards":   {[]StepSpec{drawnSex, step("convert", `{"variable":"sex","to":"category"}`)}, "sex"},
		"records taken out":      {[]StepSpec{drawn, step("subset", `{"n":11}`)}, "sex, region"},
		"given back":             {[]StepSpec{drawn, reset("region")}, "sex"},
		"the same given back":    {[]StepSpec{nothing, reset("sex")}, ""},
		"drawn again":            {[]StepSpec{drawn, reset("sex"), drawnSex}, "sex, region"},
		"made of it":             {[]StepSpec{drawnSex, stratum, reset("sex"), reset("made")}, "made"},
		"made before":            {[]StepSpec{stratum, drawnSex}, "sex"},
		"reset first":            {[]StepSpec{reset("sex"), drawn}, "sex, region"},
	} {
		s := volatile(t, smallText, smallScenario())
		for _, spec := range c.steps {
			do(t, s, spec)
		}
		scenario := smallScenario()
		if _, ok := s.Data().Column("made"); ok {
			scenario.Keys = append(scenario.Keys, "made")
		}
		must(t, s.SetScenario(scenario))
		if c.want != "" {
			c.want = "PRAM has been applied to " + c.want
		}
		if got := s.NotApplicable(s.Position()); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// The variable with whom a household swapped is made by the step: it was not in the source, and so is not masked with the
// values of the source.
func TestPartnersOfSwapsAreNotUnchanged(t *testing.T) {
	s := volatile(t, smallText, smallScenario())
	do(t, s, step("recordswap", `{"hierarchy":["region"],"risk_keys":["age","sex"],"partner":"with"}`))
	if _, ok := s.Data().Column("with"); !ok || s.Steps()[0].Report.Changed == 0 {
		t.Fatalf("%+v", s.Steps()[0].Report)
	}
	found, err := ptr(s.Document()).Check(t.Context(), ExportOptions{}, NewAnalyst(), nil)
	must(t, err)
	for _, f := range found {
		if f.Name == "unchanged" {
			t.Errorf("%v: %s", f.Variables, f.Text)
		}
	}
}

// After PRAM on a key variable no violators are counted, until it is undone;
// the journal has neither matrices nor violators of such steps.
func TestFiguresDoNotApplyAfterPRAM(t *testing.T) {
	s := openSmall(t)
	do(t, s, ages)
	do(t, s, drawnSex)
	do(t, s, regions)
	steps := s.Steps()
	if steps[0].Violators == nil || steps[1].Violators != nil || steps[2].Violators != nil {
		t.Errorf("violators %v, %v and %v", steps[0].Violators, steps[1].Violators, steps[2].Violators)
	}
	if got := s.NotApplicable(s.Position()); got != "PRAM has been applied to sex" {
		t.Errorf("reason %q", got)
	}
	if len(steps[1].Report.PRAM[0].Strata) != 1 {
		t.Error("the step has lost its matrix")
	}
	text, err := os.ReadFile(s.journal.path)
	must(t, err)
	if bytes.Contains(text, []byte("matrix\":[[")) || !bytes.Contains(text, []byte(`"seed":990123`)) {
		t.Error("the journal has the matrix, or lacks the seed")
	}
	for range 2 {
		job, err := s.PrepareMove(s.Position() - 1)
		must(t, err)
		moved, err := job.Run(context.Background(), nil, nil)
		must(t, err)
		must(t, s.Commit(moved))
	}
	if got := s.NotApplicable(s.Position()); got != "" {
		t.Errorf("after undo: %q", got)
	}
}

func TestWhatIfOfPRAMIsTheStep(t *testing.T) {
	s := volatile(t, smallText, smallScenario())
	whatIf, err := NewAnalyst().WhatIf(context.Background(), s.Data(), s.scenario, drawnSex, nil)
	must(t, err)
	result := do(t, s, drawnSex)
	if diff := cmp.Diff(whatIf.Report, result.Report); diff != "" {
		t.Errorf("the report of the step differs from its what-if:\n%s", diff)
	}
	if whatIf.Data.Hash() != s.Data().Hash() {
		t.Error("the data of the step differ from those of its what-if")
	}
}

func TestRunOfPRAM(t *testing.T) {
	lines := smallScenarioLine + `{"step":"pram","params":{"variables":["sex"],"form":"equal","pd":0.2},"seed":990123}` +
		"\n"
	first, warnings, err := runSmall(t, smallText, lines, nil)
	must(t, err)
	again, _, err := runSmall(t, smallText, lines, nil)
	must(t, err)
	one, err := os.ReadFile(first.Out)
	must(t, err)
	other, err := os.ReadFile(again.Out)
	must(t, err)
	if !bytes.Equal(one, other) || string(one) == smallText {
		t.Error("the same seed gave other bytes, or nothing was drawn")
	}
	text, err := os.ReadFile(first.Summary)
	must(t, err)
	var summary struct {
		Original, Current map[string]any
		Steps             []struct {
			Report struct {
				PRAM []struct {
					Variable string
					Strata   []struct {
						Matrix [][]float64
						Before []int
					}
				}
			}
		}
	}
	must(t, json.Unmarshal(text, &summary))
	for _, name := range []string{"violators", "conservative_violators", "own_category_violators",
		"expected_reidentifications", "global_risk", "households"} {
		if value, there := summary.Current[name]; !there || value != nil || summary.Original[name] == nil {
			t.Errorf("%s is %v now and %v in the original", name, value, summary.Original[name])
		}
	}
	if summary.Current["not_applicable"] != "PRAM has been applied to sex" {
		t.Errorf("reason %v", summary.Current["not_applicable"])
	}
	if v := summary.Steps[0].Report.PRAM; len(v) != 1 || v[0].Variable != "sex" || len(v[0].Strata[0].Matrix) != 2 ||
		len(v[0].Strata[0].Before) != 2 {
		t.Errorf("report %+v", v)
	}
	if bytes.Contains(text, []byte("990123")) {
		t.Error("the summary has the seed")
	}
	if joined := strings.Join(warnings, "\n"); !strings.Contains(joined,
		"k-anonymity and risk are not applicable: PRAM has been applied to sex") {
		t.Errorf("warnings %q", warnings)
	}
	records, err := os.ReadFile(first.Records)
	must(t, err)
	if !strings.Contains(string(records), "\n1,,,,\n") {
		t.Errorf("figures of records that do not apply: %s", records)
	}
}

func TestReportsOfPRAM(t *testing.T) {
	s := openSmall(t)
	do(t, s, drawnSex)
	for _, audience := range []Audience{Inside, Users} {
		path := filepath.Join(t.TempDir(), "report.txt")
		must(t,
			s.Document().ExportReport(context.Background(), ReportOptions{Path: path, Audience: audience, Least: 1, Date: time.Time{}},
				NewAnalyst()))
		text, err := os.ReadFile(path)
		must(t, err)
		wanted := []string{"PRAM of sex, step 1", "f    0.200  0.800"}
		if audience == Inside {
			wanted[1] = "f    0.200000  0.800000"
			wanted = append(wanted, "Not applicable: PRAM has been applied to sex.")
		}
		for _, want := range wanted {
			if !bytes.Contains(text, []byte(want)) {
				t.Errorf("%s: the report lacks %q:\n%s", audience, want, text)
			}
		}
		if bytes.Contains(text, []byte("condition")) {
			t.Errorf("%s: the report shows a condition, and there is none:\n%s", audience, text)
		}
		if bytes.Contains(text, []byte("990123")) || bytes.Contains(text, []byte("Violators of k")) {
			t.Errorf("%s: the report has the seed, or violators:\n%s", audience, text)
		}
	}
}

// A session that is continued has drawn the same, and knows its matrices again.
func TestPRAMIsContinued(t *testing.T) {
	s := openSmall(t)
	do(t, s, drawnSex)
	do(t, s, drawnSex)
	hash, before := s.Data().Hash(), s.Steps()
	must(t, s.Close())
	again, err := continueAt(t, s.JournalPath())
	must(t, err)
	defer again.Close()
	if again.Data().Hash() != hash {
		t.Error("other values were drawn")
	}
	for i, step := range again.Steps() {
		if diff := cmp.Diff(before[i].Report.PRAM, step.Report.PRAM); diff != "" {
			t.Errorf("step %d (-before +continued):\n%s", i+1, diff)
		}
	}
	if again.NotApplicable(2) == "" || again.NotApplicable(0) != "" {
		t.Error("it is forgotten which variables were drawn")
	}
}
