package cli

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/session"
)

// twoScripts writes a script that recodes and suppresses, and one that suppresses
// and takes every second record.
func twoScripts(t *testing.T) (recoded, halved string) {
	t.Helper()
	folder := t.TempDir()
	begin := `{"format":"sdcdesk-script","version":1}` + "\n" +
		`{"scenario":{"keys":["region","sex","age","educ"],"weight":"weight"}}` + "\n"
	recoded, halved = filepath.Join(folder, "recoded.jsonl"), filepath.Join(folder, "halved.jsonl")
	for path, steps := range map[string]string{
		recoded: `{"step":"recode-intervals","params":{"variable":"age","breaks":[-1,14,24,44,64,99]}}` + "\n" +
			`{"step":"suppress-kanonymity","params":{"k":3}}`,
		halved: `{"step":"suppress-kanonymity","params":{"k":2}}` + "\n" +
			`{"step":"subset","params":{"take":"every","n":2}}`,
	} {
		if err := os.WriteFile(path, []byte(begin+steps+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return recoded, halved
}

func comparison(t *testing.T, args ...string) comparisonObject {
	t.Helper()
	text, _, err := execute(t, "compare", append(args, "--json", "--values")...)
	if err != nil {
		t.Fatal(err)
	}
	var object comparisonObject
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return object
}

// cells returns the records of a CSV file.
func cells(t *testing.T, path string) [][]string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// A comparison agrees with the files of two runs, cell by cell.
func TestComparisonOfTwoFiles(t *testing.T) {
	recoded, halved := twoScripts(t)
	file, out := filepath.Join("..", "testdata", "survey.csv"), filepath.Join(t.TempDir(), "out.csv")
	summary := filepath.Join(t.TempDir(), "summary.json")
	if _, _, err := execute(t, "run", recoded, file, "-o", out, "--summary", summary); err != nil {
		t.Fatal(err)
	}
	c := comparison(t, "original", recoded, file)
	original, after := cells(t, file), cells(t, out)
	differ := map[string]int{}
	for i := range original[1:] {
		for j, name := range original[0] {
			if original[i+1][j] != after[i+1][j] {
				differ[name]++
			}
		}
	}
	if len(c.Variables) != len(differ) || c.Compared != 5000 || c.OnlyA != 0 || c.OnlyB != 0 {
		t.Errorf("%d variables differ, the files say %v; %+v", len(c.Variables), differ, c)
	}
	if len(c.Records) != 100 {
		t.Errorf("%d of the records that differ", len(c.Records))
	}
	for i, r := range c.Records {
		if i > 0 && r.Record <= c.Records[i-1].Record {
			t.Fatalf("record %d after %d", r.Record, c.Records[i-1].Record)
		}
		changed := map[string][2]string{}
		for j, name := range original[0] {
			if was, is := original[r.Record][j], after[r.Record][j]; was != is {
				changed[name] = [2]string{cmp.Or(was, "missing"), cmp.Or(is, "suppressed")}
			}
		}
		reported := map[string][2]string{}
		for _, cell := range r.Cells {
			reported[cell.Variable] = [2]string{cell.A, cell.B}
		}
		if !maps.Equal(changed, reported) || len(reported) == 0 {
			t.Errorf("record %d: %v, the files say %v", r.Record, reported, changed)
		}
	}
	for _, v := range c.Variables {
		if v.Cells == nil || *v.Cells != differ[v.Name] {
			t.Errorf("%s: %v cells, the files say %d", v.Name, v.Cells, differ[v.Name])
		}
	}
	text, err := os.ReadFile(summary)
	if err != nil {
		t.Fatal(err)
	}
	var figures struct {
		Original, Current struct {
			Expected float64 `json:"expected_reidentifications"`
		}
	}
	if err := json.Unmarshal(text, &figures); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, f := range c.Figures {
		if f.Measure == "risk" && f.Name == "expected_reidentifications" {
			found = f.A != nil && f.B != nil && *f.A == figures.Original.Expected && *f.B == figures.Current.Expected
		}
	}
	if !found || figures.Current.Expected == 0 {
		t.Errorf("expected re-identifications are not %+v: %+v", figures, c.Figures)
	}
	if again := comparison(t, recoded, "original", file); again.Differing != c.Differing ||
		*again.Variables[0].Cells != *c.Variables[0].Cells {
		t.Error("the other way round other records differ")
	}
	if same := comparison(t, recoded, recoded, file); same.Differing != 0 || len(same.Variables) != 0 {
		t.Errorf("a script differs from itself: %+v", same)
	}
	part := comparison(t, recoded, halved, file)
	if part.Compared != 2500 || part.OnlyA != 2500 || part.OnlyB != 0 {
		t.Errorf("every second record: %+v", part)
	}
}

// The table marks the better figure, and names what cannot be compared. Files instead of scripts are refused with
// the remedy.
func TestPlainFilesAreNotCompared(t *testing.T) {
	recoded, _ := twoScripts(t)
	surveyFile := filepath.Join("..", "testdata", "survey.csv")
	for _, args := range [][]string{{surveyFile, surveyFile, surveyFile}, {recoded, surveyFile, surveyFile}} {
		_, _, err := execute(t, "compare", args...)
		if err == nil || !strings.Contains(err.Error(), "survey.csv, line 1: ") ||
			!strings.Contains(err.Error(), "give the two scripts, or the two folders") {
			t.Errorf("%q: %v", args, err)
		}
	}
}

func TestComparisonAsATable(t *testing.T) {
	recoded, _ := twoScripts(t)
	file := filepath.Join("..", "testdata", "survey.csv")
	text, _, err := execute(t, "compare", "original", recoded, file, "--values")
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"--json", "--json=false"} {
		if plain, _, err := execute(t, "compare", "original", recoded, file, form); err != nil || strings.Contains(plain, "25-44") ||
			!strings.Contains(plain, "age") {
			t.Errorf("values of records without --values: %v\n%s", err, plain)
		}
	}
	for _, want := range []string{"recoded.jsonl", "violators, k = 3 ", "* 0", session.Mark, " → ", "-",
		"first 100 of 5,000 records that differ", "age: 32 → 25-44", "records in both", "cells that differ"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	for _, args := range [][]string{{"original", "original", file}, {"original", "none.jsonl", file},
		{"original", recoded}, {"original", recoded, "none.csv"}} {
		if _, _, err := execute(t, "compare", args...); err == nil {
			t.Errorf("compare %v is no error", args)
		}
	}
}
