package session

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

var (
	stratum   = step("make-stratum", `{"variables":["sex","region"],"name":"place"}`)
	household = step("subset", `{"take":"every","n":2,"households":true}`)
	shuffled  = StepSpec{Step: "shuffle-records", Seed: 5}
)

func TestAMadeVariableCanHaveRoles(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	do(t, s, stratum)
	scenario := s.Scenario()
	scenario.Strata = []string{"place"}
	must(t, s.SetScenario(scenario))
	do(t, s, ages)
	// The step that adds the variable cannot be undone while the scenario names it.
	for name, move := range map[string]error{"jump": jump(s, 0), "walk": errors.Join(undo(s), undo(s))} {
		if !errors.Is(move, microdata.ErrScenario) || !strings.Contains(move.Error(), `"place"`) {
			t.Errorf("%s: %v", name, move)
		}
	}
	must(t, jump(s, 2))
	removal, err := s.PrepareRemove(0)
	must(t, err)
	if _, err := removal.Run(context.Background(), NewAnalyst(), nil); !errors.Is(err, microdata.ErrScenario) ||
		!strings.Contains(err.Error(), `"place"`) {
		t.Errorf("remove: %v", err)
	}
	// It can be changed: it is replayed without the role, and the later ones with it.
	job, err := s.PrepareEdit(0, step("make-stratum", `{"variables":["sex"],"name":"place"}`))
	must(t, err)
	result, err := job.Run(context.Background(), NewAnalyst(), nil)
	must(t, err)
	must(t, s.Commit(result))
	steps := s.Steps()
	if was, is := steps[0].Scenario(), steps[1].Scenario(); len(was.Strata) != 0 ||
		!slices.Equal(is.Strata, []string{"place"}) {
		t.Errorf("strata %v and %v", was.Strata, is.Strata)
	}
	scenario.Strata = nil
	must(t, s.SetScenario(scenario))
	must(t, jump(s, 0))
	if len(s.Data().Columns()) != 5 {
		t.Error("the variable is there without its step")
	}
	must(t, jump(s, 2))
	scenario.Strata = []string{"place"}
	must(t, s.SetScenario(scenario))
	checkReplay(t, s)
}

func TestAMadeKeyVariableIsItsOwnOriginal(t *testing.T) {
	s := volatile(t, smallText, smallScenario())
	do(t, s, stratum)
	scenario := s.Scenario()
	scenario.Keys = []string{"place", "age"}
	must(t, s.SetScenario(scenario))
	do(t, s, ages)
	summary, err := s.Document().Summarise(context.Background(), NewAnalyst())
	must(t, err)
	if expectedOf(summary.Original) <= expectedOf(summary.Current) {
		t.Errorf("original %v, current %v", expectedOf(summary.Original), expectedOf(summary.Current))
	}
}

// checkReplay replays the journal and the exported script of a session and
// compares the data.
func checkReplay(t *testing.T, s *Session) {
	t.Helper()
	want := hashText(s.Data())
	must(t, s.Close())
	again, err := resumed(t, s.identity.Path, s.JournalPath())
	must(t, err)
	if got := hashText(again.Data()); got != want {
		t.Errorf("resumed: %s, want %s", got, want)
	}
	must(t, again.Close())
	folder := t.TempDir()
	script, out := filepath.Join(folder, "script.jsonl"), filepath.Join(folder, "out.csv")
	must(t, writeScript(s.Document(), script, false, true))
	must(t, Run(context.Background(), RunOptions{Script: script, File: s.identity.Path, Out: out}))
	direct := filepath.Join(folder, "direct.csv")
	_, err = s.Document().Export(context.Background(), ExportOptions{Path: direct}, nil)
	must(t, err)
	one, err := os.ReadFile(out)
	must(t, err)
	other, err := os.ReadFile(direct)
	must(t, err)
	if string(one) != string(other) {
		t.Errorf("the script writes other bytes:\n%s\n%s", one, other)
	}
}

func TestEveryPreparationIsReplayed(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	for i, spec := range []StepSpec{
		step("set-missing", `{"variable":"age","levels":["99"],"records":[2]}`),
		step("convert", `{"variable":"weight"}`), // the weight: refused
		step("convert", `{"variable":"age"}`),
		step("convert", `{"variable":"age","to":"number"}`),
		stratum, ages, two,
		step("reset", `{"variable":"region"}`),
		{Step: "new-ids", Params: []byte(`{"variables":["hid"]}`), Seed: 11},
		shuffled, household,
		{Step: "subset", Params: []byte(`{"percent":50}`), Seed: 3},
	} {
		result, err := s.Prepare(spec).Run(context.Background(), NewAnalyst(), nil)
		if i == 1 {
			if !errors.Is(err, microdata.ErrWeights) {
				t.Errorf("a weight of text: %v", err)
			}
			continue
		}
		must(t, err)
		must(t, s.Commit(result))
	}
	checkReplay(t, s)
	again, err := resumed(t, s.identity.Path, s.JournalPath())
	must(t, err)
	base := hashText(again.Base())
	for range again.Steps() {
		must(t, undo(again))
	}
	if hashText(again.Data()) != base {
		t.Error("undo does not give the base")
	}
	must(t, again.Close())
}

func TestFiguresAndFilesOfAShuffledSubset(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	do(t, s, shuffled)
	do(t, s, household)
	do(t, s, two)
	document := s.Document()
	n := document.Data.Len()
	summary, err := document.Summarise(context.Background(), NewAnalyst())
	must(t, err)
	if summary.Records != n || summary.SourceRecords != 12 || n >= 12 {
		t.Errorf("%d of %d records", summary.Records, summary.SourceRecords)
	}
	if got := summary.Suppressions.Sum(); got == 0 || got != s.Steps()[2].Report.Total ||
		summary.SuppressionsLast.Sum() != got {
		t.Errorf("%d suppressions, %d by the last step, %d reported", got, summary.SuppressionsLast.Sum(),
			s.Steps()[2].Report.Total)
	}
	original := document.original()
	for record := range n {
		for i, column := range document.Base.Columns() {
			if original.Columns()[i].Text(record) != column.Text(document.Data.SourceRecord(record)) {
				t.Fatalf("the original of record %d is another", record)
			}
		}
	}
	set, err := NewAnalyst().Figures(context.Background(), document.Data, &document.Scenario, measure.Records)
	must(t, err)
	var text strings.Builder
	must(t, writeRecords(context.Background(), &text, document.Data, set))
	rows, err := csv.NewReader(strings.NewReader(text.String())).ReadAll()
	must(t, err)
	if len(rows) != n+1 || rows[0][5] != "source_record" {
		t.Fatalf("%d rows, head %v", len(rows), rows[0])
	}
	for record, row := range rows[1:] {
		if row[5] != fmt.Sprint(document.Data.SourceRecord(record)+1) {
			t.Errorf("record %d is %s of the source", record+1, row[5])
		}
	}
	for _, audience := range []Audience{Internal, Users} {
		path := filepath.Join(t.TempDir(), "report.txt")
		must(t, document.ExportReport(context.Background(), ReportOptions{Path: path, Audience: audience, Least: 1}, NewAnalyst()))
		report, err := os.ReadFile(path)
		must(t, err)
		wanted := []string{"Records of the original", "12"}
		if audience == Users {
			wanted = append(wanted, "Step 1: The records are in random order, with the members of a household together.",
				"Step 2: The file has some of the records")
		}
		for _, want := range wanted {
			if !strings.Contains(string(report), want) {
				t.Errorf("%s lacks %q:\n%s", audience, want, report)
			}
		}
	}
	checkReplay(t, s)
}

func TestSetMissingIsNoSuppressionInReports(t *testing.T) {
	s := volatile(t, smallText, smallScenario())
	do(t, s, step("set-missing", `{"variable":"age","levels":["99"]}`))
	do(t, s, ages)
	summary, err := s.Document().Summarise(context.Background(), NewAnalyst())
	must(t, err)
	if summary.Suppressions.Sum() != 0 || summary.SuppressionsLast.Sum() != 0 {
		t.Errorf("suppressions %v", summary.Suppressions)
	}
	column, _ := s.Data().Column("age")
	if !column.Missing(11) || column.Suppressed().Has(11) {
		t.Error("the recode brought the code back")
	}
	must(t, undo(s))
	do(t, s, step("reset", `{"variable":"age"}`))
	if column, _ := s.Data().Column("age"); column.Text(11) != "99" {
		t.Error("reset did not bring the code back")
	}
}

func TestAnalystTellsSuppressedFromSetMissing(t *testing.T) {
	analyst := NewAnalyst()
	ctx := context.Background()
	data, _ := readText(t, "age,x\n1,a\n1,a\n99,a\n")
	scenario := microdata.NewScenario()
	column, _ := data.Column("age")
	cells := microdata.NewBits(3)
	cells.Set(2)
	reset := step("recode-intervals", `{"variable":"age","breaks":[0,50,120]}`)
	c, err := reset.in(nil)
	must(t, err)
	suppressed, err := analyst.apply(ctx, inputOf(data.With(column.Suppress(cells)), &scenario), c, nil)
	must(t, err)
	declared, err := analyst.apply(ctx, inputOf(data.With(column.SetMissing(cells)), &scenario), c, nil)
	must(t, err)
	one, _ := suppressed.output.Data.Column("age")
	other, _ := declared.output.Data.Column("age")
	if one.SuppressedCount() != 1 || other.SuppressedCount() != 0 {
		t.Error("a remembered outcome stands for another")
	}
}

func inputOf(data *microdata.Dataset, scenario *microdata.Scenario) method.Input {
	return method.Input{Data: data, Scenario: scenario}
}

func TestReplacedIdentifiersAreNotFound(t *testing.T) {
	text := "name,age\n"
	for i := range 40 {
		text += strings.Repeat("a", i+1) + "," + []string{"1", "2"}[i%2] + "\n"
	}
	s := volatile(t, text, microdata.NewScenario())
	do(t, s, step("new-ids", `{"variables":["name"]}`))
	if found := findings(t, s.Document(), ExportOptions{}, "direct-identifiers"); len(found) != 0 {
		t.Errorf("a replaced identifier is found: %+v", found)
	}
	do(t, s, step("reset", `{"variable":"name"}`))
	if len(findings(t, s.Document(), ExportOptions{}, "direct-identifiers")) != 1 {
		t.Error("an identifier that is there again is not found")
	}
}

// Whatever steps are applied and changed, the exported script gives the same data.
func TestChangedSessionsExportScriptsThatRun(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := drawText(rt)
		s := volatile(rt, text, smallScenario())
		for range rapid.IntRange(1, 4).Draw(rt, "steps") {
			if result, err := s.Prepare(drawStep(rt)).Run(context.Background(), nil, nil); err == nil {
				must(rt, s.Commit(result))
			}
			scenario := s.Scenario()
			if _, made := s.Data().Column("sex_region"); made && rapid.Bool().Draw(rt, "strata") {
				scenario.Strata = []string{"sex_region"}
				must(rt, s.SetScenario(scenario))
			}
		}
		if s.Position() > 0 && rapid.Bool().Draw(rt, "edit") {
			job, err := s.PrepareEdit(rapid.IntRange(0, s.Position()-1).Draw(rt, "which"), drawStep(rt))
			must(rt, err)
			if result, err := job.Run(context.Background(), nil, nil); err == nil {
				must(rt, s.Commit(result))
			}
		}
		var script strings.Builder
		must(rt, s.Document().WriteScript(&script, true))
		read, err := ReadScript(strings.NewReader(script.String()), nil)
		must(rt, err)
		data, format := readText(rt, text)
		again, err := New(Opening{Source: NewDemonstration("test", format), Data: data, Volatile: true})
		must(rt, err)
		must(rt, again.follow(context.Background(), read, func(string) {}))
		if diff := cmp.Diff(hashText(s.Data()), hashText(again.Data())); diff != "" {
			rt.Fatalf("the script gives other data:\n%s\n%s", diff, script.String())
		}
	})
}

// TestRunOfPreparation runs every step of preparation on the survey and compares the written file with the source,
// for several numbers of processors.
func TestRunOfPreparation(t *testing.T) {
	var first []byte
	for _, processors := range []int{1, 4} {
		was := runtime.GOMAXPROCS(processors)
		o, summary := runOut(t, scriptPath("survey_prepare"))
		runtime.GOMAXPROCS(was)
		out, err := os.ReadFile(o.Out)
		must(t, err)
		if first == nil {
			first = out
		}
		if !bytes.Equal(first, out) {
			t.Fatal("other bytes with another number of processors")
		}
		source, rows, records := rowsOf(t, surveyPath), rowsOf(t, o.Out), rowsOf(t, o.Records)
		if got := summary["records"]; got != float64(len(rows)-1) || summary["source_records"] != float64(len(source)-1) {
			t.Errorf("%v of %v records; the file has %d", got, summary["source_records"], len(rows)-1)
		}
		suppressions := summary["suppressions"].(map[string]any)
		report := summary["steps"].([]any)[6].(map[string]any)["report"].(map[string]any)
		if strata := report["strata"].([]any); len(strata) != 2 || report["cells"].(map[string]any)["region"] == 0. {
			t.Errorf("suppressions by stratum: %v", strata)
		}
		for column, name := range rows[0] {
			blank := 0
			at := slices.Index(source[0], name)
			for i, row := range rows[1:] {
				number, err := strconv.Atoi(records[i+1][5])
				must(t, err)
				before := source[number][at]
				declared := name == "ethnic" && (before == "other" || number == 17 || number == 4127)
				switch {
				case row[column] == "" && before != "" && !declared:
					blank++
				case name == "marital" && row[column] != before, declared && row[column] != "":
					t.Fatalf("record %d, %s: %q was %q", i+1, name, row[column], before)
				}
			}
			want, key := suppressions[name]
			if key && want != float64(blank) || !key && blank > 0 {
				t.Errorf("%s has %d new blanks; the summary says %v", name, blank, want)
			}
		}
	}
}

func TestStrataThatTellTooMuchAreFound(t *testing.T) {
	s := volatile(t, smallText, smallScenario())
	do(t, s, stratum)
	warned := func() (texts []string) {
		for _, f := range findings(t, s.Document(), ExportOptions{}, "former-values") {
			texts = append(texts, f.Text)
		}
		return texts
	}
	if len(warned()) != 0 {
		t.Errorf("nothing was changed since: %q", warned())
	}
	do(t, s, ages)
	do(t, s, regions)
	if got := warned(); len(got) != 1 || !strings.HasPrefix(got[0], "place reveals what region contained") {
		t.Errorf("region was grouped: %q", got)
	}
	do(t, s, step("suppress-risk", `{"variable":"sex","threshold":0.01}`))
	if got := warned(); len(got) != 1 || !strings.HasPrefix(got[0], "place reveals what sex and region contained") {
		t.Errorf("both were suppressed: %q", got)
	}
	scenario := s.Scenario()
	scenario.Remove = []string{"place"}
	must(t, s.SetScenario(scenario))
	if len(warned()) != 0 {
		t.Errorf("it is not in the file: %q", warned())
	}
}

// A variable converted and back is unchanged, whatever the decimal mark; so is one that stays a category.
func TestConvertedCellsAreWrittenAsTheyWereRead(t *testing.T) {
	for _, text := range []string{"x;y\n1,5;a\n2,50;b\n-7;a\n", "x;y\n1.5;a\n2.50;b\n-7;a\n"} {
		for steps, specs := range [][]StepSpec{
			{step("convert", `{"variable":"x"}`)},
			{step("convert", `{"variable":"x"}`), step("convert", `{"variable":"x","to":"number"}`)},
		} {
			folder := t.TempDir()
			source, script, out := filepath.Join(folder, "in.csv"), filepath.Join(folder, "s.jsonl"), filepath.Join(folder,
				"out.csv")
			must(t, os.WriteFile(source, []byte(text), 0o600))
			lines, err := marshalLines(headerLine{Format: formatName, Version: formatVersion})
			must(t, err)
			for _, spec := range specs {
				line, err := marshalLines(spec)
				must(t, err)
				lines = append(lines, line...)
			}
			must(t, os.WriteFile(script, lines, 0o600))
			must(t, Run(context.Background(), RunOptions{Script: script, File: source, Out: out}))
			got, err := os.ReadFile(out)
			must(t, err)
			if string(got) != text {
				t.Errorf("after %d steps %q, want %q", steps+1, got, text)
			}
		}
	}
}

// Declaring that the values of a variable have no order is undone, redone and resumed like any other step.
func TestOrderIsPartOfTheHistory(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	amounts := func(s *Session) bool {
		column, _ := s.Data().Column("age")
		return column.Amounts()
	}
	do(t, s, step("convert", `{"variable":"age","to":"unordered"}`))
	if amounts(s) {
		t.Error("the values have an order still")
	}
	must(t, undo(s))
	if !amounts(s) {
		t.Error("undone, the values have no order")
	}
	must(t, jump(s, 1))
	if amounts(s) {
		t.Error("redone, the values have an order")
	}
	source, journal := s.identity.Path, s.JournalPath()
	must(t, s.Close())
	again, err := resumed(t, source, journal)
	must(t, err)
	defer again.Close()
	if len(again.Steps()) != 1 || amounts(again) {
		t.Errorf("resumed: %d steps, amounts %v", len(again.Steps()), amounts(again))
	}
}
