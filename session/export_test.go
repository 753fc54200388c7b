package session

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
)

func rowsOf(t *testing.T, path string) [][]string {
	t.Helper()
	file, err := os.Open(path)
	must(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	must(t, err)
	return rows
}

// sorted returns the rows after the header as lines, in ascending order.
func sorted(rows [][]string) []string {
	var lines []string
	for _, row := range rows[1:] {
		lines = append(lines, strings.Join(row, ","))
	}
	sort.Strings(lines)
	return lines
}

func TestExportLeavesOutRemovedVariables(t *testing.T) {
	s := openSmall(t)
	scenario := s.Scenario()
	scenario.Remove = []string{"weight", "hid"}
	must(t, s.SetScenario(scenario))
	do(t, s, ages)
	path := filepath.Join(t.TempDir(), "out.csv")
	done, err := s.Document().Export(context.Background(), ExportOptions{Path: path}, nil)
	must(t, err)
	rows := rowsOf(t, path)
	if diff := cmp.Diff([]string{"sex", "age", "region"}, rows[0]); diff != "" || len(rows) != 13 {
		t.Errorf("%d rows, head:\n%s", len(rows), diff)
	}
	if diff := cmp.Diff([]string{"hid", "weight"}, done.Dropped); diff != "" {
		t.Errorf("dropped:\n%s", diff)
	}
}

func TestExportReplacesOnlyWithForceAndNeverTheSource(t *testing.T) {
	s := openSmall(t)
	path := filepath.Join(t.TempDir(), "out.csv")
	must(t, os.WriteFile(path, []byte("old"), 0o600))
	for _, c := range []struct {
		path  string
		force bool
		want  error
	}{{path, false, fileio.ErrExists}, {path, true, nil}, {s.identity.Path, true, fileio.ErrSource}} {
		if _, err := s.Document().Export(context.Background(), ExportOptions{Path: c.path, Force: c.force},
			nil); !errors.Is(err, c.want) {
			t.Errorf("%s, force %v: %v, want %v", filepath.Base(c.path), c.force, err, c.want)
		}
	}
	for name, export := range map[string]func(path string, force bool) error{
		"script": func(path string, force bool) error {
			return writeScript(s.Document(), path, force, false)
		},
		"report": func(path string, force bool) error {
			return s.Document().ExportReport(context.Background(), ReportOptions{Path: path, Force: force, Audience: Users},
				NewAnalyst())
		},
	} {
		if err := export(path, false); !errors.Is(err, fileio.ErrExists) {
			t.Errorf("%s: %v", name, err)
		}
		if err := export(s.identity.Path, true); !errors.Is(err, fileio.ErrSource) {
			t.Errorf("%s on the source: %v", name, err)
		}
		must(t, export(path, true))
	}
}

func TestRandomOrderKeepsHouseholdsTogether(t *testing.T) {
	s := openSmall(t)
	before := sorted(rowsFromText(t, smallText))
	moved := false
	for range 20 {
		path := filepath.Join(t.TempDir(), "out.csv")
		_, err := s.Document().Export(context.Background(), ExportOptions{Path: path, RandomOrder: true}, nil)
		must(t, err)
		rows := rowsOf(t, path)
		if diff := cmp.Diff(before, sorted(rows)); diff != "" {
			t.Fatalf("other records:\n%s", diff)
		}
		var order []string
		for _, row := range rows[1:] {
			if len(order) == 0 || order[len(order)-1] != row[0] {
				if slices.Contains(order, row[0]) {
					t.Fatalf("household %s is torn apart", row[0])
				}
				order = append(order, row[0])
			}
		}
		moved = moved || !sort.StringsAreSorted(order)
	}
	if !moved {
		t.Error("twenty random orders are all the order of the file")
	}
}

func rowsFromText(t *testing.T, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	must(t, err)
	return rows
}

func TestRandomOrderIsUniform(t *testing.T) {
	data, _ := readText(t, smallText)
	household, _ := data.Column("hid")
	households := microdata.NewHouseholds(household)
	first := map[string]int{}
	for range 8000 {
		order := prepare.RandomOrder(secureRandom(), data.Len(), households, false)
		first[household.Text(int(order[0]))]++
	}
	for id, count := range first { // 1,000 expected, standard deviation 30
		if count < 800 || count > 1200 {
			t.Errorf("household %s is first %d times of 8,000", id, count)
		}
	}
}

func TestNewIdentifiersAreEqualWhereTheOldWere(t *testing.T) {
	s := openSmall(t)
	path := filepath.Join(t.TempDir(), "out.csv")
	changed := false
	for range 10 {
		_, err := s.Document().Export(context.Background(), ExportOptions{Path: path, NewIdentifiers: []string{"hid",
			"region"}, Force: true}, nil)
		must(t, err)
		for _, column := range []int{0, 3} {
			names := map[string]string{}
			used := map[string]bool{}
			for i, row := range rowsOf(t, path)[1:] {
				old := rowsFromText(t, smallText)[i+1][column]
				name, known := names[old]
				switch {
				case old == "" && row[column] != "":
					t.Fatalf("record %d got an identifier", i+1)
				case known && name != row[column], !known && old != "" && used[row[column]]:
					t.Fatalf("record %d: %s became %s", i+1, old, row[column])
				}
				names[old], used[row[column]] = row[column], true
				changed = changed || old != row[column]
			}
		}
	}
	if !changed {
		t.Error("identifiers stayed what they were")
	}
	if _, err := s.Document().Export(context.Background(), ExportOptions{Path: path, NewIdentifiers: []string{"x"}},
		nil); err == nil {
		t.Error("a variable that is not there")
	}
}

func TestReportForms(t *testing.T) {
	text := strings.ReplaceAll(smallText, "west", "we\x1b[31mst") // a category of the file, named in titles
	data, format := readText(t, text)
	source := filepath.Join(t.TempDir(), "small.csv")
	must(t, os.WriteFile(source, []byte(text), 0o600))
	s, err := New(fileOpening(t, source, data, format))
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	must(t, s.SetScenario(smallScenario()))
	do(t, s, ages)
	do(t, s, step("recode-rename", `{"variable":"region","level":"we\u001b[31mst","label":"<b>|west*"}`))
	seeded := two
	seeded.Seed = 987654321
	do(t, s, seeded)
	for _, audience := range []Audience{Internal, Users} {
		for _, ending := range []string{".txt", ".md", ".html"} {
			path := filepath.Join(t.TempDir(), "report"+ending)
			must(t, s.Document().ExportReport(context.Background(), ReportOptions{Path: path, Audience: audience}, NewAnalyst()))
			content, err := os.ReadFile(path)
			must(t, err)
			text := string(content)
			what := map[Audience]string{Internal: "intervals age", Users: "values of age were recoded into intervals"}[audience]
			title := map[Audience]string{Internal: "Disclosure control report for the file",
				Users: "Notes for users of the file"}[audience]
			for _, want := range []string{title, what, "Changed variables"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s %s lacks %q", audience, ending, want)
				}
			}
			if strings.Contains(text, "987654321") || bytes.ContainsRune(content, '\x1b') {
				t.Errorf("%s %s has the seed or an escape character", audience, ending)
			}
			if ending == ".html" && strings.Contains(text, "<b>") || ending == ".md" && strings.Contains(text, "west*") {
				t.Errorf("%s %s: a label is read as markup", audience, ending)
			}
			inside := strings.Contains(text, "expected re-identifications") && strings.Contains(text, s.identity.Path)
			if inside != (audience == Internal) && ending == ".txt" {
				t.Errorf("%s %s: figures for inside: %v", audience, ending, inside)
			}
		}
	}
}

func TestReportTellsRaisedFrequencies(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Weight = []string{"sex"}, "weight"
	for text, want := range map[string]bool{"sex,weight\nf,0.25\nf,0.5\nm,1\n": true,
		"sex,weight\nf,1\nf,2\nm,1\n": false} {
		path := filepath.Join(t.TempDir(), "report.txt")
		must(t, volatile(t, text, scenario).Document().ExportReport(context.Background(), ReportOptions{Path: path,
			Audience: Internal}, NewAnalyst()))
		report, err := os.ReadFile(path)
		must(t, err)
		if strings.Contains(string(report), "whose F was raised to f") != want {
			t.Errorf("%s", report)
		}
	}
}

func TestReportWithoutKeysOrSteps(t *testing.T) {
	s := volatile(t, smallText, microdata.NewScenario())
	page, err := ptr(s.Document()).report(context.Background(), ReportOptions{Audience: Internal}, NewAnalyst())
	must(t, err)
	for _, form := range []report.Form{report.Plain(), report.Markdown(), report.HTML()} {
		var text strings.Builder
		if must(t, form.Write(&text, page)); !strings.Contains(text.String(), "No step was applied: the records are those of the original.") {
			t.Errorf("report:\n%s", text.String())
		}
	}
}

func ptr[T any](value T) *T { return &value }

// The internal report has the frequencies of the key variables, the combinations that isolate most records, and
// the sizes of the key patterns; the user report has none of them.
func TestReportHasFrequenciesAndCombinations(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"sex", "region"}
	s := volatile(t, "sex,region\nf,a\nf,a\nm,a\nm,b\n", scenario)
	for audience, want := range map[Audience]bool{Internal: true, Users: false} {
		page, err := ptr(s.Document()).report(context.Background(), ReportOptions{Audience: audience}, NewAnalyst())
		must(t, err)
		var text strings.Builder
		must(t, report.Plain().Write(&text, page))
		for _, line := range []string{"Frequencies of region", "a               3   75.0 %         3               75.0 %",
			"sex × region             3               2              50.0 %",
			"mean size of key patterns        1.3333    1.3333"} {
			if strings.Contains(text.String(), line) != want {
				t.Errorf("%s: %q stands in the report: %v, want %v\n%s", audience, line, !want, want, text.String())
			}
		}
	}
}
