package session

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// caseRun is the result of a script of the shared cases.
type caseRun struct {
	out      [][]string // the file, by record and variable; nil: not written
	text     string     // the file
	records  [][]string // figures of the records
	measured map[string]struct{ Current, Original map[string]any }
	warnings []string
	err      error
}

// column returns the cells of a variable of the file.
func (c *caseRun) column(name string) []string { return cellsOf(c.out, name) }

func cellsOf(table [][]string, name string) (cells []string) {
	at := slices.Index(table[0], name)
	for _, record := range table[1:] {
		cells = append(cells, record[at])
	}
	return cells
}

// says reports whether a warning contains a text.
func (c *caseRun) says(text string) bool {
	return slices.ContainsFunc(c.warnings, func(w string) bool { return strings.Contains(w, text) })
}

// figure returns a figure of a measure, or NaN.
func (c *caseRun) figure(measure, name string) float64 {
	if number, ok := c.measured[measure].Current[name].(float64); ok {
		return number
	}
	return math.NaN()
}

// runCase runs a script of the shared cases on a file next to it. A script that is not a path is the text itself,
// followed by the parameters of the measures after "\n\n".
func runCase(t *testing.T, script, file, measures, missing string) *caseRun {
	t.Helper()
	folder := filepath.Join("..", "..", "shared", "cases")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the shared cases are not here: " + folder)
	}
	c, scratch := &caseRun{}, t.TempDir()
	o := RunOptions{Script: filepath.Join(folder, script), File: filepath.Join(folder, file), Out: filepath.Join(scratch, "out.csv"),
		Summary: filepath.Join(scratch, "summary.json"), Records: filepath.Join(scratch, "records.csv"),
		Warn: func(message string) { c.warnings = append(c.warnings, message) }}
	if text, params, _ := strings.Cut(script, "\n\n"); strings.HasPrefix(script, "{") {
		o.Script = filepath.Join(scratch, "script.jsonl")
		must(t, os.WriteFile(o.Script, []byte(`{"format":"sdcdesk-script","version":1}`+"\n"+text+"\n"), 0o600))
		if params != "" {
			o.MeasureParams = filepath.Join(scratch, "params.json")
			must(t, os.WriteFile(o.MeasureParams, []byte(params), 0o600))
		}
	}
	if measures != "" {
		o.Measures = strings.Split(measures, ",")
	}
	if params := strings.TrimSuffix(o.Script, ".jsonl") + ".P.json"; measures != "" {
		if _, err := os.Stat(params); err == nil {
			o.MeasureParams = params
		}
	}
	if missing != "" {
		o.Reading = func(f *fileio.Format) error { f.Missing = []string{"", missing}; return nil }
	}
	if c.err = Run(context.Background(), o); c.err != nil {
		return c
	}
	text, err := os.ReadFile(o.Out)
	must(t, err)
	c.text = string(text)
	c.out, err = csv.NewReader(strings.NewReader(c.text)).ReadAll()
	must(t, err)
	text, err = os.ReadFile(o.Records)
	must(t, err)
	c.records, err = csv.NewReader(strings.NewReader(string(text))).ReadAll()
	must(t, err)
	text, err = os.ReadFile(o.Summary)
	must(t, err)
	var summary struct {
		Measures map[string]struct{ Current, Original map[string]any }
	}
	must(t, json.Unmarshal(text, &summary))
	c.measured = summary.Measures
	return c
}

// Figures that were wrong in earlier versions are right: those of the shared cases, computed by hand.
func TestSharedErrorsAreFixed(t *testing.T) {
	for _, want := range []struct {
		name, measure, figure string
		value                 float64
	}{
		{"f1_tableloss", "cellloss", "cells_absolute", 0}, {"f1b_suppressed", "cellloss", "false_zeros", 1},
		{"f6_gower", "onetoone", "distance_own", 0.5}, {"f7_sample", "cellloss", "cells_absolute", 0},
		{"f9_inference", "inference", "told_exactly", 4}, {"f9_inference", "inference", "told_wrongly", 0},
	} {
		c := runCase(t, "errors/"+want.name+".jsonl", "errors/"+want.name+".csv", want.measure, "")
		must(t, c.err)
		if got, ok := c.measured[want.measure].Current[want.figure].(float64); !ok || math.Abs(got-want.value) > 1e-12 {
			t.Errorf("%s: %s is %v, want %v", want.name, want.figure, got, want.value)
		}
	}
	for name, want := range map[string]string{"f2_local_recoding a": "1-3 1-3 1-3 100 100 100",
		"f3_local_recoding_range v": "2-5 9 2-5 9 2-5 2-5 9"} {
		name, variable, _ := strings.Cut(name, " ")
		c := runCase(t, "errors/"+name+".jsonl", "errors/"+name+".csv", "", "")
		must(t, c.err)
		if got := strings.Join(c.column(variable), " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	c := runCase(t, "errors/f4_weights.jsonl", "errors/f4_weights.csv", "", "")
	must(t, c.err)
	sums, strata := map[string]float64{}, c.column("s")
	for i, weight := range c.column("w") {
		var w float64
		must(t, json.Unmarshal([]byte(weight), &w))
		sums[strata[i]] += w
	}
	if sums["a"] != 50 || sums["b"] != 140 {
		t.Errorf("f4_weights: the totals are %v, want 50 and 140", sums)
	}
	c = runCase(t, "errors/f5_patterns.jsonl", "errors/f5_patterns.csv", "", "")
	must(t, c.err)
	text, err := os.ReadFile(filepath.Join("..", "..", "shared", "cases", "errors", "f5_patterns.csv"))
	must(t, err)
	source, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	must(t, err)
	for i, record := range c.out[1:] {
		if x := source[i+1][0]; x != "" && record[0] == x {
			t.Errorf("f5_patterns: the value of record %d leaves unmasked", i+1)
		}
	}
}

// Reconstructed public reports come out as their notes say.
func TestSharedReportsAreRight(t *testing.T) {
	on := func(name, script, file, measures, missing string) *caseRun {
		return runCase(t, "reported/"+name+"/"+script, "reported/"+name+"/"+file, measures, missing)
	}
	for _, want := range []struct {
		name, missing, measure, figure string
		value                          float64
	}{
		{"ldiv-na-sensitive", "NA", "ldiversity", "distinct_below_l", 3}, {"ldiv-na-key", "NA", "ldiversity", "distinct_below_l", 0},
		{"tclose-li2007", "", "tcloseness", "max_distance", 0.375}, {"household-odd", "", "household", "", 0},
		{"suda-contrib", "", "suda", "", 0}, {"suda-contrib7", "", "suda", "", 0}, {"arx-star", "*", "kanonymity", "", 0},
	} {
		c := on(want.name, "script.jsonl", "input.csv", want.measure, want.missing)
		if c.err != nil {
			t.Errorf("%s: %v", want.name, c.err)
		} else if got := c.measured[want.measure].Current[want.figure]; want.figure != "" && got != want.value {
			t.Errorf("%s: %s is %v, want %v", want.name, want.figure, got, want.value)
		}
	}
	if c := on("arx-star", "script.jsonl", "input.csv", "", ""); c.err != nil || !c.says(`if it means missing or suppressed`) {
		t.Errorf("arx-star: %v, %q", c.err, c.warnings)
	}
	if c := on("changes-nothing", "script.jsonl", "input.csv", "", ""); c.err != nil || !c.says("changes nothing") || c.says("not applicable") {
		t.Errorf("changes-nothing: %v, %q", c.err, c.warnings)
	}
	if c := on("intervals-open", "script.jsonl", "input.csv", "", ""); c.err != nil || !slices.Contains(c.column("inc"), "<=1000") {
		t.Errorf("intervals-open: %v", c.err)
	}
	if c := on("hier-interval", "script.jsonl", "input.csv", "", ""); c.err != nil || !c.says("are not nested") {
		t.Errorf("hier-interval: %v, %q", c.err, c.warnings)
	}
	if c := on("hier-interval", "lr_bad.jsonl", "input.csv", "", ""); c.err == nil {
		t.Error("hier-interval: local recoding takes levels that are not nested")
	}
	for _, file := range []string{"allmissing.csv", "constant.csv", "empty.csv", "one.csv"} {
		if c := on("sweep-small", "script.jsonl", file, "", ""); c.err != nil && strings.Contains(c.err.Error(), "panic") {
			t.Errorf("sweep-small: %s: %v", file, c.err)
		}
	}
}
