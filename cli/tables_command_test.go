package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestTables protects a table of the survey, writes it in two forms, and refuses one with open cells.
func TestTables(t *testing.T) {
	survey, folder := filepath.Join("..", "testdata", "survey.csv"), t.TempDir()
	out := filepath.Join(folder, "safe.csv")
	args := []string{"tables", survey, "--by", "region,educ", "--response", "income", "--holding", "hid", "--rule", "p:10"}
	text, err := sdcdesk(append(args, "-o", out)...)
	if err != nil || !strings.Contains(text, "recalculable by anyone   0\n") {
		t.Fatalf("%v\n%s", err, text)
	}
	rows := cells(t, out)
	suppressed := 0
	for _, row := range rows[1:] {
		if (row[2] == "") != (row[3] == "suppressed") {
			t.Error(row)
		}
		if row[2] == "" {
			suppressed++
		}
	}
	text, err = sdcdesk(append(args, "--json", "-o", filepath.Join(folder, "safe.xlsx"))...)
	var object tableObject
	must(t, json.Unmarshal([]byte(text), &object))
	if err != nil || object.Size != len(rows)-1 || object.Sensitive+object.Secondary != suppressed || len(object.Cells) != suppressed ||
		object.Open != 0 || *object.TooNarrow != 0 {
		t.Errorf("%v: %+v", err, object)
	}
	_, err = sdcdesk("tables", survey, "--by", "region,educ", "--hierarchy", "region="+parts(t, folder), "--rule", "frequency:10", "-o", filepath.Join(folder, "argus.tab"))
	must(t, err)
	for name, has := range map[string]string{"argus.tab": "Glenhold,none,,,u\n", "argus.rda": `<HIERCODELIST> "argus-region.hrc"`, "argus-region.hrc": "North\n@Arden\n"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		must(t, err)
		if !strings.Contains(string(text), has) {
			t.Errorf("%s lacks %q:\n%s", name, has, text)
		}
	}
	prior := filepath.Join(folder, "prior.hst")
	must(t, os.WriteFile(prior, []byte("Arden,none,u\nTotal,none,p\nArden,none,c,3\n"), 0o600))
	_, err = sdcdesk("tables", survey, "--by", "region,educ", "--prior", prior, "--state", "safe=Brisk,none", "-o", filepath.Join(folder, "next.tab"))
	must(t, err)
	written, err := os.ReadFile(filepath.Join(folder, "next.hst"))
	if err != nil || string(written) != "Brisk,none,s\nArden,none,u\nTotal,none,p\n" {
		t.Errorf("%v, %s", err, written)
	}
	safe, revised := filepath.Join(folder, "safe.csv"), filepath.Join(folder, "revised.csv")
	if _, err = sdcdesk(append(args, "--prior", safe, "--revision", "-o", revised)...); err != nil || !slices.EqualFunc(cells(t, safe), cells(t, revised), slices.Equal) {
		t.Errorf("the revision of the same data differs, %v", err)
	}
	if _, err = sdcdesk(append(args, "--revision")...); exitStatus(err) != 2 {
		t.Error(err)
	}
	open := filepath.Join(folder, "open.csv")
	if text, err = sdcdesk(append(args, "--protect", "none", "-o", open)...); exitStatus(err) != 3 || !strings.Contains(text, " (* suppressed): [") {
		t.Errorf("%v\n%s", err, text)
	}
	text, err = sdcdesk("tables", survey, "--by", "ethnic,educ,marital", "--rule", "frequency:3", "--protect", "gauss", "-o", open)
	if exitStatus(err) != 3 || !strings.Contains(text, "recalculable by anyone   0\n") {
		t.Errorf("cells with one possible integer: %v\n%s", err, text) // their equations have other solutions
	}
	if _, err := os.Stat(open); err == nil {
		t.Error("a table with open cells was written")
	}
	if text := fmt.Sprint(err); strings.Contains(text, "larger base") || strings.Contains(text, "force no cell") {
		t.Errorf("the advice does not apply: %s", text)
	}
}

// TestPerturbedTables writes tables with changed values and no true one that the method forbids; a seed repeats them.
func TestPerturbedTables(t *testing.T) {
	survey, folder := filepath.Join("..", "testdata", "survey.csv"), t.TempDir()
	args := []string{"tables", survey, "--by", "region,educ", "--rule", "frequency:10", "--json", "--protect"}
	var seeded [3][][]string
	for i, protect := range [][]string{{"cell-key:5,3,2", "--seed", "7"}, {"cell-key", "--seed", "7"}, {"cell-key"}, {"controlled-rounding:5"}} {
		out := filepath.Join(folder, strconv.Itoa(i)+".csv")
		text, err := sdcdesk(append(append(slices.Clone(args), protect...), "-o", out)...)
		must(t, err)
		var object tableObject
		must(t, json.Unmarshal([]byte(text), &object))
		rows := cells(t, out)
		if i < len(seeded) {
			seeded[i] = rows
		}
		if object.Changed == 0 || object.Change == 0 || object.Largest > 5 || (object.Bound > 0) != (i == 3) || len(object.Cells) != 0 ||
			(object.Definition.Seed == 0) != (i == 3) {
			t.Errorf("%v: %+v", protect, object)
		}
		for _, row := range rows[1:] {
			if n, err := strconv.Atoi(row[2]); err != nil || row[3] != "perturbed" || i == 3 && n%5 != 0 || i < 3 && (n == 1 || n == 2) {
				t.Errorf("%v: %v", protect, row)
			}
		}
	}
	if !reflect.DeepEqual(seeded[0], seeded[1]) || reflect.DeepEqual(seeded[0], seeded[2]) {
		t.Error("the counts do not depend on the seed, or not on it alone")
	}
	_, err := sdcdesk(append(slices.Clone(args), "controlled-rounding:5", "-o", filepath.Join(folder, "argus.tab"))...)
	must(t, err)
	text, err := os.ReadFile(filepath.Join(folder, "argus.tab"))
	must(t, err)
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		if n, err := strconv.Atoi(fields[2]); err != nil || n%5 != 0 || len(fields) != 4 {
			t.Errorf("%q has a true value, or contributors", line)
		}
	}
	open := filepath.Join(folder, "open.csv")
	if text, err := sdcdesk(append(slices.Clone(args), "small-counts:3", "-o", open)...); exitStatus(err) != 3 {
		t.Errorf("%v\n%s", err, text)
	}
	for want, more := range map[string][]string{
		"the base must be an integer of 2 or more": {"controlled-rounding:1"},
		"cell-key is for unweighted counts":        {"cell-key", "--response", "income"},
		"the limit is 300":                         {"controlled-rounding:5", "--by", "sex,ethnic"},
	} {
		if _, err := sdcdesk(append(slices.Clone(args), more...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", more, err, want)
		}
	}
}

// TestTablesOfCells reads a table with a hierarchy of tau-Argus, and names what is wrong with a table.
// Codes that a spreadsheet would run are guarded in the table, and are still those of the file in a revision of it.
func TestTablesAreGuarded(t *testing.T) {
	folder := t.TempDir()
	file, out := filepath.Join(folder, "firms.csv"), filepath.Join(folder, "out.csv")
	must(t, os.WriteFile(file, []byte("=sum,b\n"+strings.Repeat("=1+1,x\n@y,x\n=1+1,z\n@y,z\n", 4)+"=1+1,x\n@y,v\n"), 0o600))
	args := []string{"tables", file, "--by", "=sum,b", "--rule", "frequency:3", "-o", out, "--force"}
	_, err := sdcdesk(args...)
	must(t, err)
	rows := cells(t, out)
	if rows[0][0] != "'=sum" || rows[5][0] != "'=1+1" || rows[9][0] != "'@y" {
		t.Error(rows)
	}
	_, err = sdcdesk(append(slices.Clone(args), "--prior", out, "--revision")...)
	must(t, err)
	if again := cells(t, out); !reflect.DeepEqual(again, rows) {
		t.Error(again)
	}
	_, err = sdcdesk(append(slices.Clone(args), "--guard-formulas=false")...)
	must(t, err)
	if rows := cells(t, out); rows[0][0] != "=sum" || rows[5][0] != "=1+1" {
		t.Error(rows)
	}
}

func TestTablesOfCells(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	table := file("table.csv", "nace,n\nTotal,20\nA,12\na1,2\na2,10\nB,8\n")
	levels, two := file("nace.hrc", "A\n@a1\n@a2\nB\n"), file("two.hrc", "A\n@a1\n@a2\nB\n@a1\n")
	args := []string{"tables", table, "--cells", "--by", "nace", "--response", "n", "--rule", "frequency:3"}
	text, err := sdcdesk(append(args, "--hierarchy", "nace="+levels)...)
	if err != nil || !strings.Contains(text, "n by nace (5 codes): 5 cells") || !strings.Contains(text, "1 sensitive and 1 secondary") {
		t.Errorf("%v\n%s", err, text)
	}
	for want, more := range map[string][]string{
		"cell [Total] has 20, but the cells below it add up to 32; the difference is -12": nil,
		two + ": ":                                              {"--hierarchy", "nace=" + two}, // the file is named
		`"a1" has two parents, "A" and "B"`:                     {"--hierarchy", "nace=" + two},
		"begin with a variable of --by":                         {"--hierarchy", levels},
		`because nace has no code "C"`:                          {"--hierarchy", "nace=" + levels, "--state", "safe=C"},
		"a cell that must be published reveals a sensitive one": {"--hierarchy", "nace=" + levels, "--state", "forced=a2", "--state", "forced=A"},
		`rule "p:x"; the form is p:PERCENT, with numbers that`:  {"--hierarchy", "nace=" + levels, "--rule", "p:x"},
		"the form is STATE=CODES":                               {"--state", "safe"},
		`there is no variable "nace3"`:                          {"--nested", "nace=nace3"},
	} {
		if _, err := sdcdesk(append(args, more...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", more, err, want)
		}
	}
}

// parts writes a hierarchy of the regions of the survey.
func parts(t *testing.T, folder string) string {
	t.Helper()
	path := filepath.Join(folder, "parts.csv")
	must(t, os.WriteFile(path, []byte("Arden,North\nBrisk,North\nCorvale,North\nDunmere,South\nEastmark,South\nFarrow,South\nGlenhold,Isles\nHollow Isles,Isles\n"), 0o600))
	return path
}
