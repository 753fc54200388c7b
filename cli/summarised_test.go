package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/session"
)

// pairs is a measure that the program does not have: the number of pairs of key variables.
type pairs struct{}

func (pairs) Params() []method.Param     { return nil }
func (pairs) Needs(measure.Input) string { return "" }
func (pairs) Compute(_ context.Context, in measure.Input, _ *progress.Meter) (measure.Values, error) {
	n := len(in.Current.Scenario.Keys)
	return measure.Values{Numbers: []measure.Value{{Name: "pairs", Title: "pairs of key variables",
		Number: float64(n * (n - 1) / 2), Unit: measure.Count}}}, nil
}

// withPairs returns the program with one more measure.
func withPairs() *program {
	p := testProgram()
	p.measures = append(p.measures, measure.Spec{Name: "pairs", Title: "pairs", Shown: measure.Screen | measure.Report,
		Summary: []measure.SummaryNumber{{Name: "pairs", Title: "pairs of key variables", First: true}},
		New:     func() measure.Measure { return pairs{} }})
	return p
}

// A figure that a measure defines for summaries is in all summaries.
func TestAnotherFigureStandsInAllSummaries(t *testing.T) {
	folder, survey := t.TempDir(), filepath.Join("..", "testdata", "survey.csv")
	script, summary := filepath.Join(folder, "script.jsonl"), filepath.Join(folder, "summary.json")
	lines := `{"format":"sdcdesk-script","version":1}` + "\n" +
		`{"scenario":{"keys":["region","sex","age"]},"name":"one"}` + "\n" +
		`{"scenario":{"keys":["region","sex"]},"name":"other"}` + "\n"
	if err := os.WriteFile(script, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := newRootCommand(withPairs())
		var out bytes.Buffer
		cmd.SetOut(&out)
		cmd.SetErr(&bytes.Buffer{})
		cmd.SetArgs(args)
		if err := cmd.Execute(); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	run("run", script, survey, "-o", filepath.Join(folder, "out.csv"), "--summary", summary)
	text, err := os.ReadFile(summary)
	var figures struct {
		Current   struct{ Pairs float64 }
		Scenarios map[string]struct{ Current struct{ Pairs float64 } }
	}
	if err := errors.Join(err, json.Unmarshal(text, &figures)); err != nil || figures.Current.Pairs != 1 ||
		figures.Scenarios["one"].Current.Pairs != 3 {
		t.Errorf("the summary has %+v, %v", figures, err)
	}
	if text := run("inspect", survey); !strings.Contains(text, "Pairs of key variables: 36") {
		t.Errorf("inspect tells\n%.1500s", text)
	}
	var inspected struct {
		Risk struct{ Measured map[string]float64 }
	}
	if err := json.Unmarshal([]byte(run("inspect", "--json", survey)), &inspected); err != nil ||
		inspected.Risk.Measured["pairs"] != 36 {
		t.Errorf("inspect --json has %+v, %v", inspected, err)
	}
	p := withPairs()
	report := filepath.Join(folder, "report.md")
	if err := reportOf(survey, report, p.measures); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(report); err != nil || !strings.Contains(string(text),
		"| pairs of key variables now | original |") {
		t.Errorf("the report tells\n%s%v", text, err)
	}
}

// reportOf writes the report of a session with two scenarios.
func reportOf(file, path string, measures measure.Catalog) error {
	opening, err := session.OpenFile(context.Background(), file, fileio.NewFormat(), nil)
	if err != nil {
		return err
	}
	opening.Volatile = true
	s, err := session.New(opening)
	if err != nil {
		return err
	}
	for name, keys := range map[string][]string{"one": {"sex"}, "other": {"region"}} {
		scenario := s.Scenario()
		scenario.Keys = keys
		if err := s.PutScenario(name, scenario); err != nil {
			return err
		}
	}
	return s.Document().ExportReport(context.Background(), session.ReportOptions{Path: path, Audience: session.Internal},
		session.NewAnalyst().With(measures))
}
