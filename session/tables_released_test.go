package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
)

// incomes is a table of incomes by region and education.
const incomes = `{"name":"incomes","by":[{"variable":"region"},{"variable":"educ"}],"response":"income","holding":"hid","rules":["p:10"],` +
	`"states":[{"codes":["Total","none"],"state":"unsafe"}]}`

// scripted runs a script with tables on the survey, and returns what stands next to the output.
func scripted(t *testing.T, lines ...string) (d Document, files map[string]string) {
	t.Helper()
	folder := t.TempDir()
	script := filepath.Join(folder, "steps.jsonl")
	must(t, os.WriteFile(script, []byte("{\"format\":\"sdcdesk-script\",\"version\":1}\n"+strings.Join(lines, "\n")+"\n"), 0o600))
	o := RunOptions{Script: script, File: surveyPath, Out: filepath.Join(folder, "out.csv")}
	must(t, Run(t.Context(), o))
	d, err := Perform(t.Context(), o)
	must(t, err)
	files = map[string]string{}
	paths, err := filepath.Glob(filepath.Join(folder, "*.csv"))
	must(t, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		must(t, err)
		files[filepath.Base(path)] = string(text)
	}
	return d, files
}

// A run writes the tables of its script next to the output. They are made of original values: suppression and masking
// do not change them, recodes do.
func TestRunWritesTables(t *testing.T) {
	scenario := func(more string) string {
		return `{"scenario":{"keys":["region","educ"],"numeric":["income"],"tables":[` + incomes + more + `]}}`
	}
	_, plain := scripted(t, scenario(""))
	d, masked := scripted(t, scenario(`,{"by":[{"variable":"sex"}],"rules":["frequency:3"]}`), `{"step":"suppress-kanonymity","params":{"k":3}}`,
		`{"step":"noise","params":{"variables":["income"]},"seed":1}`)
	if len(plain) != 2 || len(masked) != 3 || masked["out-incomes.csv"] == "" || masked["out-incomes.csv"] != plain["out-incomes.csv"] {
		t.Errorf("%d and %d files, equal %v", len(plain), len(masked), masked["out-incomes.csv"] == plain["out-incomes.csv"])
	}
	if !strings.HasPrefix(masked["out-table-2.csv"], "sex,count,status\nTotal,5000,published\n") {
		t.Error(masked["out-table-2.csv"])
	}
	original, err := publish.Evaluate(t.Context(), d.Base, &d.Scenario.Tables[0], nil)
	must(t, err)
	tables, err := d.Tables(t.Context(), NewAnalyst())
	must(t, err)
	for cell := range original.Cells {
		if !reflect.DeepEqual(original.Cells[cell], tables[0].Cells[cell]) || original.Suppressed(cell) != tables[0].Suppressed(cell) {
			t.Fatal(original.Codes(cell), original.Cells[cell], tables[0].Cells[cell])
		}
	}
	_, recoded := scripted(t, scenario(""), `{"step":"recode-group","params":{"variable":"educ","levels":["none","primary"],"label":"none"}}`)
	if text := recoded["out-incomes.csv"]; strings.Contains(text, "primary") || strings.Count(text, "\n") >= strings.Count(plain["out-incomes.csv"], "\n") {
		t.Error(text)
	}
}

// The tables of a session are protected together: a cell that two of them share is suppressed in both or in none.
func TestTablesAreProtectedTogether(t *testing.T) {
	other := strings.Replace(strings.Replace(incomes, `"educ"`, `"sex"`, 1), `"incomes"`, `"sexes"`, 1)
	other = other[:strings.Index(other, `,"states"`)] + "}"
	first := strings.Replace(incomes, `"states":[`, `"states":[{"codes":["Arden","Total"],"state":"unsafe"},`, 1)
	_, files := scripted(t, `{"scenario":{"tables":[`+first+`,`+other+`]}}`)
	_, alone := scripted(t, `{"scenario":{"tables":[`+other+`]}}`)
	totals := func(text string) map[string]string {
		found := map[string]string{}
		for line := range strings.Lines(text) {
			if cells := strings.Split(strings.TrimSpace(line), ","); cells[1] == "Total" {
				found[cells[0]] = cells[3]
			}
		}
		return found
	}
	if a, b := totals(files["out-incomes.csv"]), totals(files["out-sexes.csv"]); len(a) < 8 || !maps.Equal(a, b) {
		t.Errorf("%v\n%v", a, b)
	}
	if files["out-sexes.csv"] == alone["out-sexes.csv"] {
		t.Error("the other table changes nothing, so the test shows nothing")
	}
}

// A check of a file by its script looks at the tables of the script.
func TestCheckOfTablesInScripts(t *testing.T) {
	folder := t.TempDir()
	script, out := filepath.Join(folder, "steps.jsonl"), filepath.Join(folder, "out.csv")
	must(t, os.WriteFile(script, []byte(`{"format":"sdcdesk-script","version":1}
{"scenario":{"tables":[`+strings.Replace(incomes, `"rules"`, `"protect":"none","rules"`, 1)+`]}}
{"step":"noise","params":{"variables":["income"]},"seed":1}
`), 0o600))
	must(t, Run(t.Context(), RunOptions{Script: script, File: surveyPath, Out: out}))
	found, err := CheckFile(t.Context(), CheckOptions{File: out, Original: surveyPath, Script: script})
	must(t, err)
	if !slices.ContainsFunc(found, func(f check.Finding) bool { return f.Name == "open-cells" }) {
		t.Errorf("%v", found)
	}
}

// A recode by a hierarchy gives a table the coarser levels.
func TestTablesHaveTheHierarchyOfTheSession(t *testing.T) {
	levels := `[["Arden","A","all"],["Brisk","A","all"],["Corvale","B","all"],["Dunmere","B","all"],["Eastmark","C","rest"],` +
		`["Farrow","C","rest"],["Glenhold","D","rest"],["Hollow Isles","D","rest"]]`
	_, files := scripted(t, `{"scenario":{"tables":[{"by":[{"variable":"region"}],"rules":["frequency:3"]}]}}`,
		`{"step":"recode-hierarchy","params":{"variable":"region","levels":`+levels+`}}`)
	var codes []string
	for line := range strings.Lines(files["out-table-1.csv"]) {
		code, _, _ := strings.Cut(line, ",")
		codes = append(codes, code)
	}
	if want := []string{"region", "Total", "all", "A", "B", "rest", "C", "D"}; !slices.Equal(codes, want) {
		t.Errorf("%q, want %q", codes, want)
	}
}

// Tables are in the journal and in the script, and the data do not depend on them.
func TestTablesAreKept(t *testing.T) {
	s := openSmall(t)
	var definition microdata.TableDefinition
	must(t, json.Unmarshal([]byte(`{"by":[{"variable":"region"},{"variable":"sex"}],"rules":["frequency:2"],`+
		`"states":[{"codes":["Total","Total"],"state":"forced"}]}`), &definition))
	do(t, s, ages)
	scenario := s.Scenario()
	scenario.Tables = []microdata.TableDefinition{definition}
	must(t, s.SetScenario(scenario))
	do(t, s, regions)
	must(t, s.Close())
	again, err := resumed(t, s.identity.Path, s.JournalPath())
	must(t, err)
	if got := again.Scenario().Tables; !reflect.DeepEqual(got, scenario.Tables) || again.Position() != 2 {
		t.Errorf("%+v at %d", got, again.Position())
	}
	var text bytes.Buffer
	must(t, again.Document().WriteScript(&text, true))
	script, err := ReadScript(bytes.NewReader(text.Bytes()), nil)
	must(t, err)
	if !reflect.DeepEqual(script.Scenario.Tables, scenario.Tables) {
		t.Errorf("%s", text.String())
	}
	var sizes []int
	for range 2 { // before the undo and after it: with the categories that the recode replaced
		document := again.Document()
		tables, err := document.Tables(t.Context(), NewAnalyst())
		must(t, err)
		sizes = append(sizes, len(tables[0].Trees[0].Nodes))
		must(t, undo(again))
	}
	if sizes[0] >= sizes[1] {
		t.Error(sizes)
	}
	must(t, again.Close())
}

// A script with a table that cannot be is refused at its line, and a scenario before anything is changed.
func TestTablesAreChecked(t *testing.T) {
	for table, want := range map[string]string{
		`{"by":[]}`: "table-1: invalid definition of a table: it needs at least one spanning variable",
		`{"by":[{"variable":"sex"}],"rules":["p"]}`:                                `unknown rule "p"`,
		`{"by":[{"variable":"sex"}]},{"name":"table-1","by":[{"variable":"sex"}]}`: `two tables are called "table-1"`,
		`{"by":[{"variable":"sex"}],"colour":1}`:                                   `field "tables" in "scenario" must be a list of objects`,
	} {
		text := "{\"format\":\"sdcdesk-script\",\"version\":1}\n{\"scenario\":{\"tables\":[" + table + "]}}\n"
		if _, err := ReadScript(strings.NewReader(text), nil); !errors.Is(err, ErrScript) || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v, want %q", table, err, want)
		}
	}
	s := volatile(t, smallText, microdata.NewScenario())
	scenario := s.Scenario()
	scenario.Tables = []microdata.TableDefinition{{By: []microdata.Spanning{{Variable: "colour"}}}}
	if err := s.SetScenario(scenario); !errors.Is(err, microdata.ErrScenario) || !strings.Contains(err.Error(), `no variable "colour", used in a table`) {
		t.Error(err)
	}
}

// oneLarge are records of which one is so large that its cell is sensitive, and no other.
func oneLarge() string {
	var text strings.Builder
	text.WriteString("a,b,x\n")
	for i := range 400 {
		fmt.Fprintf(&text, "%d,%d,%d\n", i%4, i/4%4, pick(i == 0, 20000, 10+i%50))
	}
	return text.String()
}

// Open cells are critical, estimable ones a warning; a table of which nothing is open has no finding, nor do records
// whose masking hides the cells.
func TestChecksOfTables(t *testing.T) {
	text := oneLarge()
	for table, want := range map[string]string{
		`{"by":[{"variable":"a"},{"variable":"b"}],"response":"x","rules":["p:10"]}`:                                                 "",
		`{"by":[{"variable":"a"},{"variable":"b"}],"response":"x","rules":["p:10"],"protect":"none"}`:                                "open-cells",
		`{"by":[{"variable":"a"},{"variable":"b"}],"response":"x","rules":["p:10"],"states":[{"codes":["0","0"],"state":"forced"}]}`: "open-cells",
		`{"by":[{"variable":"a"},{"variable":"b"}],"response":"x","rules":["p:10"],"states":[{"codes":["0","0"],"state":"frozen"}]}`: "",
		`{"by":[{"variable":"a"},{"variable":"b"}],"response":"x","rules":["p:10"],"states":[{"codes":["9","0"],"state":"unsafe"}]}`: "unplaced-states",
	} {
		scenario := microdata.NewScenario()
		must(t, json.Unmarshal([]byte(`{"tables":[`+table+`]}`), &scenario))
		s := volatile(t, text, scenario)
		do(t, s, StepSpec{Step: "noise", Params: json.RawMessage(`{"variables":["x"]}`), Seed: 1})
		found, err := s.Document().Check(t.Context(), ExportOptions{Path: "out.csv"}, NewAnalyst(), nil)
		must(t, err)
		d := s.Document()
		tables, err := d.Tables(t.Context(), NewAnalyst())
		must(t, err)
		intervals, err := tables[0].FewIntervals(t.Context())
		must(t, err)
		if len(intervals.TooNarrow) > 0 {
			want = "narrow-cells"
		}
		var names []string
		for _, f := range found {
			if strings.HasSuffix(f.Name, "-cells") || f.Name == "cells-in-file" || f.Name == "unplaced-states" {
				names = append(names, f.Name)
			}
			if f.Name == "open-cells" && (!f.Critical || f.Count == 0 || !strings.Contains(f.Text, "In table table-1, ")) {
				t.Errorf("%+v", f)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %q, want %q", table, got, want)
		}
	}
}

// Tables with cell keys get one seed, which the journal and the script keep, so that they are the same again; a script
// without seeds has none.
func TestSeedsOfTables(t *testing.T) {
	s := openSmall(t)
	scenario := s.Scenario()
	must(t, json.Unmarshal([]byte(`{"tables":[{"by":[{"variable":"region"},{"variable":"sex"}],"protect":"cell-key"},`+
		`{"by":[{"variable":"sex"}],"protect":"cell-key:5,3,2"},{"by":[{"variable":"sex"}],"rules":["frequency:2"],"name":"plain"}]}`), &scenario))
	must(t, s.SetScenario(scenario))
	seeds := func(s *Session) (seeds [3]uint64, values [2][]float64) {
		d := s.Document()
		tables, err := d.Tables(t.Context(), NewAnalyst())
		must(t, err)
		for i, table := range tables {
			seeds[i] = table.Definition.Seed
			for cell := range table.Cells {
				if value, ok := table.Published(cell); ok && i < 2 {
					values[i] = append(values[i], value)
				}
			}
		}
		return seeds, values
	}
	drawn, values := seeds(s)
	if drawn[0] == 0 || drawn[0] != drawn[1] || drawn[2] != 0 {
		t.Errorf("seeds %v", drawn)
	}
	var with, without bytes.Buffer
	must(t, s.Document().WriteScript(&with, true))
	must(t, s.Document().WriteScript(&without, false))
	if !strings.Contains(with.String(), `"seed":`) || strings.Contains(without.String(), `"seed":`) || !strings.HasPrefix(without.String(), seedsLeftOut) {
		t.Errorf("%s%s", with.String(), without.String())
	}
	must(t, s.Close())
	again, err := resumed(t, s.identity.Path, s.JournalPath())
	must(t, err)
	if is, same := seeds(again); is != drawn || !reflect.DeepEqual(same, values) {
		t.Errorf("%v and %v, %v and %v", is, drawn, same, values)
	}
	must(t, again.Close())
	scenario.Tables[0].Seed, scenario.Tables[1].Seed = 1, 2
	other := openSmall(t)
	if err := other.SetScenario(scenario); !errors.Is(err, microdata.ErrScenario) || !strings.Contains(err.Error(), "different seeds") {
		t.Error(err)
	}
	must(t, other.Close())
}

// The user report says how values were changed, and holds no true one; the internal report has the loss.
func TestReportsOfPerturbedTables(t *testing.T) {
	scenario := microdata.NewScenario()
	must(t, json.Unmarshal([]byte(`{"tables":[{"name":"sums","by":[{"variable":"a"},{"variable":"b"}],"response":"x","rules":["p:10"],"protect":"controlled-rounding:1000"}]}`),
		&scenario))
	d := volatile(t, oneLarge(), scenario).Document()
	var reports [2]strings.Builder
	for i, audience := range []Audience{Internal, Users} {
		must(t, d.WriteReport(t.Context(), &reports[i], ReportOptions{Path: "report.txt", Audience: audience}, NewAnalyst()))
	}
	tables, err := d.Tables(t.Context(), NewAnalyst())
	must(t, err)
	inside, users := strings.Join(strings.Fields(reports[0].String()), " "), strings.Join(strings.Fields(reports[1].String()), " ")
	if loss := tables[0].Loss(); !strings.Contains(inside, "controlled-rounding:1000") || !strings.Contains(inside, fmt.Sprintf("%d, by ", loss.Changed)) {
		t.Error(inside)
	}
	if !strings.Contains(users, "All values were rounded to multiples of 1,000.") || strings.Contains(users, "p:10") {
		t.Error(users)
	}
	var file bytes.Buffer
	must(t, WriteTable(t.Context(), &file, tables[0], false))
	for cell := range tables[0].Cells {
		if value := fmt.Sprint(int(tables[0].Cells[cell].Value)); strings.Contains(users, value) || strings.Contains(file.String(), ","+value+",") {
			t.Errorf("the true value %s of %v is published", value, tables[0].Codes(cell))
		}
	}
}

// The internal report has the equations that reveal a cell; the user report has no value of a suppressed one.
func TestReportsOfTables(t *testing.T) {
	text := oneLarge()
	scenario := microdata.NewScenario()
	must(t, json.Unmarshal([]byte(`{"tables":[{"name":"sums","by":[{"variable":"a"},{"variable":"b"}],"response":"x","rules":["p:10"],"protect":"none"}]}`),
		&scenario))
	d := volatile(t, text, scenario).Document()
	var reports [2]strings.Builder
	for i, audience := range []Audience{Internal, Users} {
		must(t, d.WriteReport(t.Context(), &reports[i], ReportOptions{Path: "report.txt", Audience: audience}, NewAnalyst()))
	}
	inside, users := reports[0].String(), reports[1].String()
	if !strings.Contains(inside, "[0 0]*") || !strings.Contains(inside, "p:10") {
		t.Error(inside)
	}
	if !strings.Contains(users, "x by a and b") || strings.Contains(users, "20000") || strings.Contains(users, "20,000") || strings.Contains(users, "p:10") {
		t.Error(users)
	}
}
