package session

import (
	"context"
	"database/sql"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/database"
	"github.com/sdcdesk/sdcdesk/engine/files/database/servertest"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// loadedTable makes a table of the records of a text, with a primary key, and returns the same records as text.
func loadedTable(t *testing.T, driver, where, name, text string) string {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	must(t, err)
	data, _ := readText(t, text)
	columns, places := []string{"id integer PRIMARY KEY"}, []string{"$1"}
	for i, column := range data.Columns() {
		columns = append(columns, column.Name()+map[microdata.Kind]string{microdata.Whole: " integer", microdata.Number: " numeric",
			microdata.Category: " text"}[column.Kind()])
		places = append(places, fmt.Sprintf("$%d", i+2))
	}
	servertest.Execute(t, driver, where, "DROP TABLE IF EXISTS "+name, "CREATE TABLE "+name+" ("+strings.Join(columns, ", ")+")")
	db, err := sql.Open(driver, where)
	must(t, err)
	defer db.Close()
	tx, err := db.Begin()
	must(t, err)
	var out strings.Builder
	out.WriteString("id," + strings.Join(records[0], ",") + "\n")
	for i, record := range records[1:] {
		cells := []any{i + 1}
		for _, cell := range record {
			if cell == "" {
				cells = append(cells, nil)
			} else {
				cells = append(cells, cell)
			}
		}
		_, err := tx.Exec("INSERT INTO "+name+" VALUES ("+strings.Join(places, ", ")+")", cells...)
		must(t, err)
		fmt.Fprintf(&out, "%d,%s\n", i+1, strings.Join(record, ","))
	}
	must(t, tx.Commit())
	return out.String()
}

// releasedBy runs a script, and returns the protected file and the summary without times.
func releasedBy(t *testing.T, script, source string) (out, summary string) {
	t.Helper()
	folder := t.TempDir()
	o := RunOptions{Script: filepath.Join(folder, "steps.jsonl"), File: source, Out: filepath.Join(folder, "safe.csv"),
		Summary: filepath.Join(folder, "summary.json"), Records: filepath.Join(folder, "records.csv")}
	must(t, os.WriteFile(o.Script, []byte(script), 0o600))
	must(t, Run(t.Context(), o))
	for _, path := range []string{o.Out, o.Records} {
		text, err := os.ReadFile(path)
		must(t, err)
		out += string(text)
	}
	text, err := os.ReadFile(o.Summary)
	must(t, err)
	return out, regexp.MustCompile(`"[a-z_]*seconds": [-+.e0-9]+`).ReplaceAllString(string(text), "")
}

// manySteps are steps of all families, on the variables of smallText and of the survey.
const manySteps = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","sex","age"],"weight":"weight","household":"hid","remove":["id"]}}
{"step":"recode-intervals","params":{"variable":"age","breaks":[-1,17,44,120]}}
{"step":"suppress-kanonymity","params":{"k":2}}
{"step":"pram","params":{"variables":["sex"],"pd":0.3,"alpha":1},"seed":5}
{"step":"microaggregate","params":{"variables":["weight"],"size":3}}
{"step":"sample","params":{"share":0.8},"seed":9}`

// A table gives the same results as the same records in a file: figures, record-level figures, and the protected
// file byte for byte.
func TestTablesAreFiles(t *testing.T) {
	folder := t.TempDir()
	path, file := filepath.Join(folder, "survey.db"), filepath.Join(folder, "survey.csv")
	text := loadedTable(t, "sqlite", path, "person", smallText)
	must(t, os.WriteFile(file, []byte(text), 0o600))
	sameRelease(t, file, "sqlite:"+path+"?table=person")
	server, _ := servertest.Start(t)
	survey, err := os.ReadFile(filepath.Join("..", "testdata", "survey.csv"))
	must(t, err)
	text = loadedTable(t, "pgx", server, "person", strings.Join(strings.SplitAfter(string(survey), "\n")[:1001], ""))
	must(t, os.WriteFile(file, []byte(text), 0o600))
	sameRelease(t, file, server+"&table=person")
}

func sameRelease(t *testing.T, file, table string) {
	t.Helper()
	want, wantSummary := releasedBy(t, manySteps, file)
	out, summary := releasedBy(t, manySteps, table)
	if out != want {
		t.Errorf("of the file:\n%.900s\nof the table:\n%.900s", want, out)
	}
	if summary != wantSummary {
		t.Errorf("of the file:\n%s\nof the table:\n%s", wantSummary, summary)
	}
}

// A protected table has the records of the protected file, and a file can become a table too.
func TestProtectedTables(t *testing.T) {
	folder := t.TempDir()
	path, file, safe := filepath.Join(folder, "survey.db"), filepath.Join(folder, "survey.csv"), filepath.Join(folder, "safe.csv")
	must(t, os.WriteFile(file, []byte(loadedTable(t, "sqlite", path, "person", smallText)), 0o600))
	o := RunOptions{Script: filepath.Join(folder, "steps.jsonl"), Force: true}
	must(t, os.WriteFile(o.Script, []byte(manySteps), 0o600))
	for i, source := range []string{file, "sqlite:" + path + "?table=person"} {
		o.File, o.Out = source, safe
		must(t, Run(t.Context(), o))
		o.Out = fmt.Sprintf("sqlite:%s?table=safe%d", path, i)
		must(t, Run(t.Context(), o))
		if err := Run(t.Context(), o); !errors.Is(err, database.ErrExists) {
			t.Errorf("written once more: %v", err)
		}
		opening, err := (*MethodSource)(nil).Source(o.Out, fileio.Format{}).Open(t.Context(), nil)
		must(t, err)
		want, _, err := fileio.Read(t.Context(), safe, fileio.NewFormat(), nil)
		must(t, err)
		for _, column := range want.Columns() {
			is, _ := opening.Data.Column(column.Name())
			for row := range column.Len() {
				if is.Missing(row) != column.Missing(row) || is.Float(row) != column.Float(row) && column.Numeric() ||
					!column.Numeric() && is.Text(row) != column.Text(row) {
					t.Errorf("%s: %s of record %d is %q, not %q", source, column.Name(), row+1, is.Text(row), column.Text(row))
				}
			}
		}
	}
	must(t, os.WriteFile(o.Script, []byte(`{"format":"sdcdesk-script","version":1}
{"scenario":{"tables":[{"name":"sexes","by":[{"variable":"sex"}],"rules":["frequency:2"]}]}}
`), 0o600))
	var warned []string
	o.Warn = func(message string) { warned = append(warned, message) }
	o.Out = "sqlite:" + path + "?table=safe2"
	must(t, Run(t.Context(), o))
	if !strings.Contains(strings.Join(warned, "\n"), "with --report FILE, they are written next to the report") {
		t.Errorf("%q", warned)
	}
	o.Out, o.Report = "sqlite:"+path+"?table=safe3", filepath.Join(folder, "report.html")
	must(t, Run(t.Context(), o))
	if text, err := os.ReadFile(filepath.Join(folder, "report-sexes.csv")); err != nil || !strings.HasPrefix(string(text), "sex,count,status\n") {
		t.Errorf("%s, %v", text, err)
	}
	o.Codebook = filepath.Join(folder, "codebook.csv")
	if err := Run(t.Context(), o); !errors.Is(err, ErrPaths) {
		t.Errorf("a codebook beside a table: %v", err)
	}
}

// A session on a table is stored without its password. It is resumed if the records are the same, and not if they
// have changed.
func TestSessionsOnTables(t *testing.T) {
	stateHere(t)
	path := filepath.Join(t.TempDir(), "survey.db")
	loadedTable(t, "sqlite", path, "person", smallText)
	sessionOn(t, "sqlite", path, "sqlite:"+path+"?table=person")
	server, _ := servertest.Start(t)
	loadedTable(t, "pgx", server, "person", smallText)
	sessionOn(t, "pgx", server, server+"&table=person")
}

func sessionOn(t *testing.T, driver, where, address string) {
	t.Helper()
	source := (*MethodSource)(nil).Source(address, fileio.Format{Missing: []string{"", "99"}, Columns: []string{"id", "sex", "age", "region"}})
	opening, err := source.Open(t.Context(), nil)
	must(t, err)
	s, err := New(opening)
	must(t, err)
	if first := microdata.Suggest(s.Data())[0]; first.Variable != "id" || first.Role != microdata.RoleRemoved {
		t.Errorf("the primary key is suggested as %+v", first)
	}
	if age, _ := s.Data().Column("age"); len(s.Data().Columns()) != 4 || age.MissingCount() != 1 {
		t.Errorf("%d columns, %d missing cells", len(s.Data().Columns()), age.MissingCount())
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"sex", "region"}
	must(t, s.SetScenario(scenario))
	do(t, s, two)
	want := historyOf(s)
	must(t, s.Close())
	found, err := FindJournals(address, nil)
	if err != nil || len(found) != 1 {
		t.Fatalf("found %+v, %v", found, err)
	}
	kept, err := os.ReadFile(found[0].Path)
	must(t, err)
	if strings.Contains(string(kept), servertest.Password) || !strings.Contains(string(kept), `"size":12`) {
		t.Errorf("the journal is\n%s", kept)
	}
	again := func() error {
		s, err := Continue(t.Context(), found[0].Reached(source), nil, 0, nil, nil)
		if err == nil {
			if got := historyOf(s); !got.equal(want) {
				t.Errorf("continued %+v\nwant %+v", got, want)
			}
			err = s.Close()
		}
		return err
	}
	must(t, again())
	servertest.Execute(t, driver, where, "UPDATE person SET weight = 11 WHERE id = 1")
	must(t, again()) // nobody has read that column
	servertest.Execute(t, driver, where, "UPDATE person SET age = 35 WHERE id = 2")
	if err := again(); !errors.Is(err, ErrSource) || !strings.Contains(err.Error(), "person has changed") {
		t.Errorf("changed records: %v", err)
	}
}

// If writing a protected table fails, neither it nor its companions exist.
func TestProtectedTableOrNothing(t *testing.T) {
	server, _ := servertest.Start(t)
	loadedTable(t, "pgx", server, "person", smallText)
	servertest.Execute(t, "pgx", server, "CREATE ROLE clerk LOGIN PASSWORD 'some'", "GRANT SELECT ON person TO clerk")
	folder := t.TempDir()
	o := RunOptions{Script: filepath.Join(folder, "steps.jsonl"), File: strings.Replace(server, "tester:"+servertest.Password, "clerk:some", 1) + "&table=person",
		Summary: filepath.Join(folder, "summary.json")}
	o.Out = strings.Replace(o.File, "table=person", "table=safe", 1)
	must(t, os.WriteFile(o.Script, []byte(manySteps), 0o600))
	err := Run(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "permission denied for schema public") || strings.Contains(err.Error(), "clerk:some") {
		t.Errorf("a user who may only read: %v", err)
	}
	if _, err := os.Stat(o.Summary); err == nil {
		t.Error("the summary is written")
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	o.Out = server + "&table=safe"
	if err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	if n := servertest.Cell(t, "pgx", server, "SELECT count(*) FROM pg_class WHERE relname = 'safe'"); n != "0" {
		t.Error("a table is there")
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}

// The export options stored in a session contain no password of an address.
func TestKeptExportHasNoPassword(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	must(t, s.KeepExportSettings(ExportSettings{Paths: map[string]string{"": "postgres://u:pw1@h/db?table=safe", "-report.html": "postgres://u:pw1@h/x@y", "-script.jsonl": "a.jsonl"}}))
	kept, _ := s.ExportSettings()
	if len(kept.Paths) != 2 || kept.Paths[""] != "postgres://u@h/db?table=safe" || kept.Paths["-script.jsonl"] != "a.jsonl" {
		t.Errorf("kept are %v", kept.Paths)
	}
	must(t, s.Close())
	found, err := FindJournals(s.identity.Path, nil)
	must(t, err)
	text, err := os.ReadFile(found[0].Path)
	must(t, err)
	if strings.Contains(string(text), "pw1") {
		t.Errorf("the journal is\n%s", text)
	}
}
