package cli

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/sdcdesk/sdcdesk/engine/files/database/servertest"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// numberedSurvey writes the first records of the survey with a number each, and returns the path and the records
// after a row of names.
func numberedSurvey(t *testing.T) (path string, records [][]string) {
	t.Helper()
	records = cells(t, filepath.Join("..", "testdata", "survey.csv"))[:801]
	for i := range records {
		records[i] = append([]string{strconv.Itoa(i)}, records[i]...)
	}
	records[0][0] = "id"
	var out strings.Builder
	for _, record := range records {
		out.WriteString(strings.Join(record, ",") + "\n")
	}
	path = filepath.Join(t.TempDir(), "survey.csv")
	must(t, os.WriteFile(path, []byte(out.String()), 0o600))
	return path, records
}

// loadTable makes a table named person from records after a row of names.
func loadTable(t *testing.T, driver, where string, records [][]string) {
	t.Helper()
	db, err := sql.Open(driver, where)
	must(t, err)
	defer db.Close()
	columns, places := make([]string, len(records[0])), make([]string, len(records[0]))
	for i, name := range records[0] {
		columns[i], places[i] = name+" text", "$"+strconv.Itoa(i+1)
		if slices.Contains([]string{"age", "weight", "income", "expend", "savings", "hsize", "hid", "pid"}, name) {
			columns[i] = name + " numeric"
		}
	}
	columns[0] = "id integer PRIMARY KEY"
	for _, statement := range []string{"DROP TABLE IF EXISTS person", "CREATE TABLE person (" + strings.Join(columns, ", ") + ")"} {
		_, err = db.Exec(statement)
		must(t, err)
	}
	tx, err := db.Begin()
	must(t, err)
	insert, err := tx.Prepare("INSERT INTO person VALUES (" + strings.Join(places, ", ") + ")")
	must(t, err)
	for _, record := range records[1:] {
		row := make([]any, len(record))
		for i, cell := range record {
			if row[i] = cell; cell == "" {
				row[i] = nil
			}
		}
		_, err := insert.Exec(row...)
		must(t, err)
	}
	must(t, tx.Commit())
}

// writeScript writes a script with a scenario of the survey.
func writeScript(t *testing.T, name string, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	begin := `{"format":"sdcdesk-script","version":1}` + "\n" +
		`{"scenario":{"keys":["region","sex","educ"],"weight":"weight","sensitive":["health"]}}` + "\n"
	must(t, os.WriteFile(path, []byte(begin+strings.Join(lines, "\n")+"\n"), 0o600))
	return path
}

// places returns a file, and tables with the same records: of SQLite, and of PostgreSQL if a server can be
// started.
func places(t *testing.T) (file string, tables []string) {
	t.Helper()
	file, records := numberedSurvey(t)
	path := filepath.Join(t.TempDir(), "survey.db")
	loadTable(t, "sqlite", path, records)
	tables = []string{"sqlite:" + path + "?table=person"}
	if os.Getenv("SDCDESK_POSTGRES") == "required" {
		server, _ := servertest.Start(t)
		loadTable(t, "pgx", server, records)
		tables = append(tables, server+"&table=person")
	}
	return file, tables
}

// Every command accepts a table instead of a file, with the same output.
func TestCommandsOnTables(t *testing.T) {
	recoded := writeScript(t, "recoded.jsonl", `{"step":"recode-rename","params":{"variable":"sex","level":"male","label":"m"}}`)
	suppressed := writeScript(t, "suppressed.jsonl", `{"step":"suppress-kanonymity","params":{"k":5}}`)
	file, tables := places(t)
	for _, c := range []struct{ before, after []string }{
		{[]string{"inspect"}, nil},
		{[]string{"check"}, []string{"--keys", "sex,educ"}},
		{[]string{"compare", "original", suppressed}, nil},
		{[]string{"compare", recoded, suppressed}, []string{"--columns", "region,sex,educ,weight,health"}},
		{[]string{"try", suppressed}, []string{"--measures", "kanonymity,risk,suda,missing"}},
		{[]string{"plan"}, []string{"--keys", "sex,educ", "--k", "20", "--points", "4", "--told"}},
		{[]string{"plan"}, []string{"--numbers", "income", "--seed", "7"}},
	} {
		var want any
		for _, source := range append([]string{file}, tables...) {
			args := slices.Concat(c.before, []string{source}, c.after, []string{"--json"})
			text, _, err := execute(t, args[0], args[1:]...)
			if err != nil {
				t.Fatalf("%v: %v", args, err)
			}
			var is any
			must(t, json.Unmarshal([]byte(text), &is))
			if is = without(is, "seconds", "file", "label", "suggested_role", "reason", "unique", "type"); want == nil {
				want = is
			} else if !reflect.DeepEqual(is, want) {
				a, _ := json.Marshal(is)
				b, _ := json.Marshal(want)
				t.Errorf("%v:\n%.1500s\nof the file:\n%.1500s", args, a, b)
			}
		}
	}
}

// without returns an object without members of some names.
func without(object any, names ...string) any {
	switch o := object.(type) {
	case map[string]any:
		for name, member := range o {
			if o[name] = without(member, names...); slices.Contains(names, name) {
				delete(o, name)
			}
		}
	case []any:
		for i := range o {
			o[i] = without(o[i], names...)
		}
	}
	return object
}

// A table can be converted to any file format, and a file to a table; a release of a table can be verified.
func TestConvertAndReleaseTables(t *testing.T) {
	script := writeScript(t, "some.jsonl", `{"step":"suppress-kanonymity","params":{"k":3}}`)
	_, tables := places(t)
	for i, table := range tables {
		folder := t.TempDir()
		for _, ending := range []string{"csv", "parquet", "sav", "dta"} {
			out, again := filepath.Join(folder, "a."+ending), strings.Replace(table, "table=person", "table=person_"+ending, 1)
			for _, args := range [][]string{{table, out}, {out, again}} {
				if text, _, err := execute(t, "convert", args...); err != nil || !strings.HasSuffix(text, ": 800 records, 23 variables\n") {
					t.Errorf("%v: %v, %s", args, err, text)
				}
			}
			back := filepath.Join(folder, ending+"-again.csv")
			_, _, err := execute(t, "convert", again, back)
			must(t, err)
			rows := cells(t, back)
			if want := cells(t, filepath.Join(folder, "a.csv")); len(rows) != len(want) || !slices.Equal(rows[0], want[0]) {
				t.Errorf("%s: %d records with %v", ending, len(rows), rows[0])
			}
		}
		bundle := filepath.Join(folder, "release")
		if _, _, err := execute(t, "release", script, table, "-o", bundle, "--columns", "id,region,sex,educ,weight,health"); err == nil {
			t.Error("the primary key is released")
		}
		_, _, err := execute(t, "release", script, table, "-o", bundle, "--columns", "region,sex,educ,weight,health",
			"--accept", "k-anonymity", "--because", "a test", "--accepted-by", "A. Baker")
		must(t, err)
		if text, _, err := execute(t, "verify", bundle, table, "--columns", "region,sex,educ,weight,health"); err != nil {
			t.Errorf("table %d: %v\n%s", i, err, text)
		}
	}
}

// Refused operations give the reason without passwords; nothing is written.
func TestWhatIsRefusedOfTables(t *testing.T) {
	script := writeScript(t, "some.jsonl")
	file, tables := places(t)
	table, out := tables[0], filepath.Join(t.TempDir(), "out")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"convert", table, file}, "exists"},
		{[]string{"convert", file, table, "--force"}, "a table with this name exists"},
		{[]string{"convert", file, table + "2", "--write-codebook", out + ".xml"}, "OUT is a database table"},
		{[]string{"convert", table, out + ".csv", "--delimiter", ";"}, "--delimiter is only for files"},
		{[]string{"run", script, table, "-o", out + ".csv", "--columns", "sex,nothing"}, `person has no column "nothing"`},
		{[]string{"plan", table, "--keys", "sex,nothing"}, "nothing"},
		{[]string{"inspect", strings.Replace(table, "person", "nowhere", 1)}, "no table nowhere; readable tables: person"},
		{[]string{"inspect", strings.Replace(table, "?table=person", "", 1)}, "readable tables: person"},
		{[]string{"inspect", "mysql://u:pw1@h/db?table=t"}, "export the table as CSV or Parquet"},
	} {
		text, _, err := execute(t, c.args[0], c.args[1:]...)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "pw1") {
			t.Errorf("%v: %v\n%s", c.args, err, text)
		}
	}
	if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
		t.Errorf("there is %v", left)
	}
}
