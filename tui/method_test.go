package tui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/session"
)

// shift is a numeric method that the program does not have: it adds a number to every value of a variable.
type shift struct {
	variable string
	by       float64
}

func (m *shift) Params() []method.Param {
	return []method.Param{
		method.Variable(&m.variable, "variable", "The variable whose values move").Among(method.NumericVariables).Masked(),
		method.Number(&m.by, "by", "what is added to every value").Between(-1e6, 1e6).By(10),
	}
}

func (m *shift) Apply(ctx context.Context, in method.Input, _ *progress.Meter) (method.Output, error) {
	column, err := in.Column("variable", m.variable)
	if err != nil {
		return method.Output{}, err
	}
	report := method.Report{Title: fmt.Sprintf("shift %s by %v", m.variable, m.by)}
	numbers := &microdata.Numbers{Values: make([]float64, column.Len()), Decimals: 2}
	for record := range numbers.Values {
		if record%4096 == 0 && ctx.Err() != nil {
			return method.Output{}, ctx.Err()
		}
		numbers.Values[record] = column.Float(record) + m.by
		if !math.IsNaN(numbers.Values[record]) {
			report.Changed++
		}
	}
	report.Effect = fmt.Sprintf("%d values are other ones", report.Changed)
	moved := column.WithNumbers(microdata.Number, numbers)
	return method.Output{Data: in.Data.With(moved.WithOrigin(microdata.Perturbed)), Report: report}, nil
}

func (m *shift) Narrate(*method.Report) string {
	return "The same number was added to every value of " + m.variable + "."
}

// withShift returns the catalog with one more method.
func withShift() method.Catalog {
	return append(catalog.Methods(), method.Spec{Name: "shift", Title: "Shift numbers",
		Help: "Adds a number to every value.",
		Cite: "none", Sample: `{"variable":"income"}`, New: func() method.Method { return &shift{by: 100} }})
}

// incomes returns the sum of the incomes of a dataset, and the number of records with one.
func incomes(data *microdata.Dataset) (sum float64, records int) {
	column, _ := data.Column("income")
	for record := range column.Len() {
		if x := column.Float(record); !math.IsNaN(x) {
			sum, records = sum+x, records+1
		}
	}
	return sum, records
}

// A numeric method made of one file and one line is found, tried, applied, undone and replayed in a resumed
// session, and figures of k-anonymity stay the same.
func TestAnotherMethodOnTheScreen(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	kept := func(ctx context.Context, meter *progress.Meter) (session.Opening, microdata.Scenario, error) {
		opening, scenario, err := opener("sample.csv", surveyScenario())(ctx, meter)
		opening.Volatile = false
		return opening, scenario, err
	}
	d := start(t, Options{Demo: true, OpenDemo: kept, Recent: session.ListJournals, Methods: withShift()}, 120, 40)
	before, records := incomes(d.m.bench.doc.Data())
	d.m.bench.selected.Variable = "income"
	d.Press(":").Type("shift num").Press("enter")
	d.Dialog().Contains("Shift numbers", "variable", "income", "The variable whose values move",
		fmt.Sprint(records)+" values are other ones")
	d.Dialog().Contains("█ after", "more in the data now") // the picture of a masking method
	d.Press("down", "2", "5", "0", "enter")
	check := func(d *driver) {
		t.Helper()
		if sum, _ := incomes(d.m.bench.doc.Data()); math.Abs(sum-before-250*float64(records)) > 1e-3 {
			t.Errorf("the incomes sum up to %v, before it was %v of %d records", sum, before, records)
		}
		if d.m.bench.current.Assessment == nil {
			t.Error("the key variables are as they were, and k-anonymity is not told")
		}
		d.Press("6")
		d.Screen().Contains("shift income by 250", "values are other ones")
	}
	check(d)
	d.Press("u")
	if sum, _ := incomes(d.m.bench.doc.Data()); sum != before {
		t.Errorf("after undo the incomes sum up to %v, before it was %v", sum, before)
	}
	d.Press("U")
	check(d)
	d.Press(":").Type("open another").Press("enter")
	d.Screen().Contains("<survey.csv>        1 step ")
	d.Press("down", "down", "enter")
	check(d)
	if steps := d.steps(); !slices.Equal(steps, []string{"shift income by 250"}) {
		t.Errorf("the steps are %v", steps)
	}
	report := filepath.Join(t.TempDir(), "report.txt")
	err := d.m.bench.doc.Document().ExportReport(t.Context(), session.ReportOptions{Path: report, Audience: session.Users},
		d.m.bench.analyst)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(report); err != nil || !strings.Contains(string(text),
		"The same number was added to every value of income.") {
		t.Errorf("the report is %s, %v", text, err)
	}
	d.Press("q")
}

// The sample in its Spec is all that the tests of the catalog need.
func TestSampleOfAnotherMethod(t *testing.T) {
	spec, _ := withShift().Find("shift")
	var params map[string]json.RawMessage
	m := spec.New()
	if err := errors.Join(json.Unmarshal([]byte(spec.Sample), &params), method.Decode(m, params)); err != nil ||
		m.(*shift).variable != "income" {
		t.Errorf("%s gives %+v, %v", spec.Sample, m, err)
	}
}

// A script with the method runs, and its summary includes it; without the method the line is refused.
func TestAnotherMethodOffTheScreen(t *testing.T) {
	path := func(name string) string { return filepath.Join(t.TempDir(), name) }
	script, summary, out := path("script.jsonl"), path("summary.json"), path("out.csv")
	lines := `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["sex","educ"],"weight":"weight"}}
{"step":"shift","params":{"variable":"income","by":5}}
`
	if err := os.WriteFile(script, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	o := session.RunOptions{Script: script, File: testFile("survey.csv"), Out: out, Summary: summary, Methods: withShift()}
	if err := session.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(summary)
	if err != nil {
		t.Fatal(err)
	}
	var whole struct {
		Current struct{ Violators map[string]int }
		Steps   []session.SummaryStep
	}
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	if len(whole.Steps) != 1 || whole.Steps[0].Report.Title != "shift income by 5" || whole.Steps[0].Report.Changed == 0 ||
		len(whole.Current.Violators) == 0 {
		t.Errorf("the summary has %s", text)
	}
	o.Methods, o.Force = nil, true
	if err := session.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), `unknown step "shift"`) {
		t.Errorf("without the method: %v", err)
	}
}
