package tui

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/session"
)

// detail is a measure that the program does not have: the categories of all key variables, times a factor. Its
// record-level figure is the number of missing cells.
type detail struct{ factor float64 }

func (m *detail) Params() []method.Param {
	return []method.Param{method.Number(&m.factor, "factor", "what the categories count times")}
}

func (m *detail) Needs(in measure.Input) string {
	if names := in.Current.Origins().Having(microdata.Drawn, []string{"health"}); names != nil {
		return "the health is made up"
	}
	return ""
}

func (m *detail) Compute(_ context.Context, in measure.Input, _ *progress.Meter) (measure.Values, error) {
	data, categories := in.Current.Data(), 0
	for _, name := range in.Current.Scenario.Keys {
		categories += len(in.Current.Levels(name))
	}
	missing := func(record int) float64 {
		count := 0.0
		for _, column := range data.Columns() {
			if column.Missing(record) {
				count++
			}
		}
		return count
	}
	return measure.Values{
		Numbers: []measure.Value{{Name: "categories", Title: "categories in all", Number: m.factor * float64(categories),
			Unit: measure.Count, Better: measure.Higher}},
		Tables: []measure.Table{{Name: "by_key", Title: "Categories by key", Columns: []string{"keys"},
			Rows: [][]any{{"all of them"}}}},
		Records: []func(record int) float64{missing},
	}, nil
}

// withDetail returns the catalog with one more measure.
func withDetail() measure.Catalog {
	return append(catalog.Measures(), measure.Spec{Name: "detail", Title: "detail", Help: "Counts categories.",
		Shown:   measure.Everywhere,
		Columns: []measure.Column{{Name: "missing_cells", Title: "missing cells", Unit: measure.Count}},
		Definitions: measure.Definitions{"categories": {"How much detail the key variables have."},
			"missing_cells": {"How much detail the key variables have.", "", "Missing cells of a record"}},
		New: func() measure.Measure { return &detail{factor: 1} }})
}

// On a small screen the risk line is below a dialog that covers it, and not twice on the screen.
func TestRiskLineNextToDialogs(t *testing.T) {
	beside(t)
	d := surveyOf(t, 80, 24)
	for _, name := range []string{"k-anonymity", "Record linkage"} {
		d.Press("m").Type(name).Press("enter")
		if text := d.Text(); strings.Count(text, "k=2 ") != 1 {
			t.Errorf("%s:\n%s", name, text)
		}
		d.Press("esc")
	}
}

// A measure made of one file and one line appears everywhere on the screen where measures do.
func TestAnotherMeasureOnTheScreen(t *testing.T) {
	beside(t)
	d := start(t, Options{Demo: true, OpenDemo: opener("survey.csv", surveyScenario()), Measures: withDetail()}, 120, 50)
	d.Pane("risk").Contains("categories in all")
	d.Press("1", "down", "down", "down", "r").Type("4 14 24 34 44 54 64")
	d.Dialog().Contains("categories in all", "▼")
	d.Press("enter")
	d.Press("5", "i")
	for range 10 {
		if d.m.dialog.Title() == "Categories in all" {
			break
		}
		d.Press("tab")
	}
	d.Dialog().Contains("How much detail the key variables have.")
	d.Press("esc", "6", "i", "tab")
	d.Dialog().Contains("Categories in all after step 1", "after each step: ")
	d.Press("esc", "4", "enter")
	d.Screen().Contains("missing cells: 1 ")
	d.Press("i", "shift+tab")
	d.Dialog().Contains("How much detail the key variables have.")
	d.Press("esc", "esc")
	spec := session.StepSpec{Step: "pram", Params: []byte(`{"variables":["health"],"form":"equal","pd":0.9}`), Seed: 5}
	result, err := d.m.bench.doc.Prepare(spec).Run(context.Background(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.m.bench.doc.Commit(result); err != nil {
		t.Fatal(err)
	}
	d.act(func() { d.m.moved() })
	d.Press("5")
	d.Pane("risk").Contains("detail", "n/a", "expected re-identifications")
	d.Press("i", "shift+tab")
	d.Dialog().Contains("not applicable: the health is made up")
}

// Off the screen it is in summary, records and report, and if it does not apply it gives the reason.
func TestAnotherMeasureOffTheScreen(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	write := func(name, text string) string {
		if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path(name)
	}
	lines := `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["sex","educ"],"weight":"weight"}}
`
	run := func(lines string) (summary map[string]map[string]any, records string) {
		t.Helper()
		err := session.Run(context.Background(), session.RunOptions{Script: write("script.jsonl", lines),
			File: testFile("survey.csv"), Out: path("out.csv"),
			Summary: path("summary.json"), Records: path("records.csv"), Force: true,
			Catalog: withDetail(), Measures: []string{"detail", "risk"},
			MeasureParams: write("params.json", `{"detail":{"factor":10}}`)})
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path("summary.json"))
		if err != nil {
			t.Fatal(err)
		}
		var whole struct{ Measures map[string]map[string]any }
		if err := json.Unmarshal(text, &whole); err != nil {
			t.Fatal(err)
		}
		figures, err := os.ReadFile(path("records.csv"))
		if err != nil {
			t.Fatal(err)
		}
		return whole.Measures, string(figures)
	}
	data, err := files["survey.csv"]()
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for _, name := range []string{"sex", "educ"} {
		column, _ := data.Column(name)
		want += 10 * len(column.Categories().Levels)
	}
	summary, records := run(lines)
	if got := summary["detail"]["current"].(map[string]any)["categories"]; got != float64(want) {
		t.Errorf("%v categories, want %d", got, want)
	}
	if _, ok := summary["risk"]["original"].(map[string]any)["expected_reidentifications"]; !ok {
		t.Errorf("the summary has %v of the risk", summary["risk"])
	}
	if !strings.HasPrefix(records, "record,fk,Fk,risk,household_risk,missing_cells\n1,") {
		t.Errorf("the records begin with %q", records[:60])
	}
	drawn := `{"step":"pram","params":{"variables":["health"],"form":"equal","pd":0.8},"seed":3}` + "\n"
	if summary, records = run(lines + drawn); summary["detail"]["not_applicable"] != "the health is made up" ||
		!strings.HasSuffix(strings.SplitN(records, "\n", 3)[1], ",") {
		t.Errorf("where it does not apply: %v\n%s", summary["detail"], records[:80])
	}
	d := start(t, Options{Demo: true, OpenDemo: opener("sample.csv", surveyScenario()), Measures: withDetail()}, 120, 40)
	err = d.m.bench.doc.Document().ExportReport(context.Background(),
		session.ReportOptions{Path: path("report.txt"), Audience: session.Internal}, d.m.bench.analyst)
	if err != nil {
		t.Fatal(err)
	}
	report, err := os.ReadFile(path("report.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{" detail\n", "categories in all", "Categories by key", "all of them"} {
		if !strings.Contains(string(report), text) {
			t.Errorf("the report lacks %q:\n%s", text, report)
		}
	}
}
