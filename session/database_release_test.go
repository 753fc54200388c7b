package session

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/database"
	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/paged"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// protectsTable is a script with two suppressions that take cells from some records of a key, and recodes.
const protectsTable = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","sex","age"],"sensitive":["health"],"weight":"w","remove":["note"],"k":[2,3]}}
{"step":"recode-rename","params":{"variable":"sex","level":"m","label":"man"}}
{"step":"suppress-kanonymity","params":{"k":2}}
{"step":"make-stratum","params":{"variables":["region","sex"],"name":"cell"}}
{"step":"recode-intervals","params":{"variable":"income","breaks":[-1,999,2999]}}
{"step":"recode-intervals","params":{"variable":"age","breaks":[-1,29,59,99]}}
{"step":"suppress-kanonymity","params":{"k":3,"strata":["health"]}}`

// execute carries out statements.
func execute(tb testing.TB, driver, where string, statements ...string) {
	tb.Helper()
	db, err := sql.Open(driver, where)
	must(tb, err)
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			tb.Fatalf("%s: %v", statement, err)
		}
	}
}

// oneCell asks for a number, or one text.
func oneCell(tb testing.TB, driver, where, query string) (text string) {
	tb.Helper()
	db, err := sql.Open(driver, where)
	must(tb, err)
	defer db.Close()
	must(tb, db.QueryRow(query).Scan(&text))
	return text
}

// A protected table has, counted by SQL alone, no violator where none was foretold, as many blanked cells as the steps
// tell, and the very records of the protected file.
func TestProtectedTable(t *testing.T) {
	server, _ := servertest.Start(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "survey.db")
	drawn := drawTable(rand.New(rand.NewPCG(11, 7)))
	drawn.load(t, "pgx", server, inPostgres)
	drawn.load(t, "sqlite", path, inSQLite)
	steps := filepath.Join(folder, "steps.jsonl")
	for _, c := range []struct{ name, driver, where, target string }{{"postgres", "pgx", server, server + "&table=safe"},
		{"sqlite", "sqlite", path, "sqlite:" + path + "?table=safe"}} {
		source := sourcesOf(t, folder, server)[c.name]
		is := runOn(t, folder, protectsTable, source, c.target, false)
		must(t, is.err)
		file := runOn(t, folder, protectsTable, source, filepath.Join(folder, "safe.csv"), false)
		must(t, file.err)
		d, err := Perform(t.Context(), RunOptions{Script: steps, File: source})
		must(t, err)
		violators := "SELECT count(*) FROM safe a WHERE (SELECT count(*) FROM safe b WHERE " +
			"(a.region IS NULL OR a.region = '' OR b.region IS NULL OR b.region = '' OR a.region = b.region) AND (a.sex IS NULL OR b.sex IS NULL OR a.sex = b.sex) AND " +
			"(a.age IS NULL OR b.age IS NULL OR a.age = b.age)) < 3"
		if n := oneCell(t, c.driver, c.where, violators); n != "0" {
			t.Errorf("%s: %s violators", c.name, n)
		}
		for _, name := range []string{"region", "sex", "age"} {
			column, _ := d.Data.Column(name)
			blanked := oneCell(t, c.driver, c.where, fmt.Sprintf("SELECT count(*) FROM person p JOIN safe s ON p.id = s.id "+
				"WHERE p.%s IS NOT NULL AND p.%s || '' <> '' AND s.%s IS NULL", name, name, name))
			if blanked != fmt.Sprint(column.SuppressedCount()) {
				t.Errorf("%s: %s cells of %s are blanked, %d were foretold", c.name, blanked, name, column.SuppressedCount())
			}
		}
		if lines := strings.Join(tableLines(t, c.driver, c.where), "\n"); lines != strings.TrimSpace(file.out) {
			t.Errorf("%s: the table is\n%s\nand the file\n%s", c.name, lines, file.out)
		}
		again := runOn(t, folder, protectsTable, source, c.target, false)
		if !errors.Is(again.err, database.ErrExists) || strings.Contains(again.err.Error(), servertest.Password) {
			t.Errorf("%s: written once more: %v", c.name, again.err)
		}
	}
}

// A protected table has the records of the protected file, whose cells are made here, also where numbers that groups go
// by were rounded and lost cells, and values were left out.
func TestProtectedTableOfNumbers(t *testing.T) {
	server, _ := servertest.Start(t)
	folder := t.TempDir()
	drawTable(rand.New(rand.NewPCG(11, 7))).load(t, "pgx", server, inPostgres)
	source := sourcesOf(t, folder, server)["postgres"]
	for name, importance := range map[string]string{"whole": `{"age":3,"region":1,"sex":2}`, "dealt": `{"age":2,"region":3,"sex":1}`} {
		script := `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","sex","age"],"k":[3]}}
{"step":"recode-round","params":{"variable":"age","base":10}}
{"step":"recode-group","params":{"variable":"region","levels":["north","south"],"label":"main, \"land\""}}
{"step":"suppress-kanonymity","params":{"k":3,"importance":` + importance + `}}`
		table := runOn(t, folder, script, source, server+"&table="+name, false)
		must(t, table.err)
		file := runOn(t, folder, script, source, filepath.Join(folder, "safe.csv"), false)
		must(t, file.err)
		again := runOn(t, folder, `{"format":"sdcdesk-script","version":1}`, server+"&table="+name+"&key=id", filepath.Join(folder, "again.csv"), false)
		must(t, again.err)
		if again.out != file.out {
			t.Errorf("%s: the table is\n%s\nand the file\n%s", name, again.out, file.out)
		}
	}
}

// A suppression may take cells of more variables than one number tells of: those that are linked to a key variable.
func TestManyVariablesOfATableLoseCells(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "survey.db")
	names := []string{"id", "k"}
	for i := range 61 {
		names = append(names, fmt.Sprintf("v%d", i))
	}
	names = append(names, "j", "w0", "w1")
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	_, err = db.Exec("CREATE TABLE person (" + strings.Join(names, ", ") + ")")
	must(t, err)
	for id, keys := range []string{"a x", "a x", "b x", "a y", "a x"} { // the third loses k, the fourth j
		k, j, _ := strings.Cut(keys, " ")
		cells := []string{fmt.Sprint(id)}
		for _, name := range names[1:] {
			cells = append(cells, "'"+map[string]string{"k": k, "j": j}[name]+"1'")
		}
		_, err = db.Exec("INSERT INTO person VALUES (" + strings.Join(cells, ", ") + ")")
		must(t, err)
	}
	script := fmt.Sprintf(`{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["k","j"],"linked":{"k":["%s"],"j":["w0","w1"]}}}
{"step":"suppress-kanonymity","params":{"k":2,"rule":"default"}}`, strings.Join(names[2:63], `","`))
	is := runOn(t, folder, script, "sqlite:"+path+"?table=person&key=id", "sqlite:"+path+"?table=safe", false)
	must(t, is.err)
	for i, name := range names[1:] {
		want := "++-++"
		if i > 61 {
			want = "+++-+"
		}
		if got := oneCell(t, "sqlite", path, "SELECT group_concat(CASE WHEN "+name+" IS NULL THEN '-' ELSE '+' END, '') FROM (SELECT * FROM safe ORDER BY id)"); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// Cells that a recode leaves out are missing in what is released, whatever the type of the column, also those of a
// variable that is no key variable; and a sample after a recode lacks some values.
func TestCellsThatARecodeLeavesOut(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "survey.db")
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	_, err = db.Exec("CREATE TABLE person (id INTEGER, sex TEXT, age INTEGER); INSERT INTO person VALUES " +
		"(1, 'f', 5), (2, 'f', 61), (3, 'm', 7), (4, 'm', 88), (5, 'm', NULL)")
	must(t, err)
	source := "sqlite:" + path + "?table=person&key=id"
	script := `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["sex"],"sensitive":["age"]}}
{"step":"recode-intervals","params":{"variable":"age","breaks":[0,29]}}`
	file := runOn(t, folder, script, source, filepath.Join(folder, "safe.csv"), false)
	must(t, file.err)
	if want := "\n1,f,1-29\n2,f,\n3,m,1-29\n4,m,\n5,m,\nid,sex,age"; file.out != want {
		t.Errorf("the file is %q, want %q", file.out, want)
	}
	must(t, runOn(t, folder, script, source, "sqlite:"+path+"?table=safe", false).err)
	if got := oneCell(t, "sqlite", path, "SELECT group_concat(coalesce(age, '-')) FROM (SELECT * FROM safe ORDER BY id)"); got != "1-29,-,1-29,-,-" {
		t.Errorf("the table has the ages %s", got)
	}
	script = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["sex"]}}
{"step":"suppress-kanonymity","params":{"k":3,"budget":1}}
{"step":"recode-round","params":{"variable":"age","base":10}}
{"step":"sample","params":{"count":2},"seed":2}`
	_, err = db.Exec("DROP TABLE safe")
	must(t, err)
	file = runOn(t, folder, script, source, filepath.Join(folder, "safe.csv"), false)
	must(t, errors.Join(file.err, runOn(t, folder, script, source, "sqlite:"+path+"?table=safe", false).err))
	if got := oneCell(t, "sqlite", path, "SELECT group_concat(concat_ws(',', id, coalesce(sex, ''), coalesce(age, '')), char(10)) FROM (SELECT * FROM safe ORDER BY id)"); "\n"+got+"\nid,sex,age" != file.out {
		t.Errorf("of a sample the table has\n%s\nand the file%s", got, file.out)
	}
}

// tableLines returns the protected table as lines of text.
func tableLines(t *testing.T, driver, where string) []string {
	t.Helper()
	db, err := sql.Open(driver, where)
	must(t, err)
	defer db.Close()
	text := "text"
	if driver == "clickhouse" {
		text = "Nullable(String)"
	}
	rows, err := db.Query("SELECT CAST(id AS " + text + "), region, sex, age, CAST(income AS " + text + "), health, CAST(w AS " + text + "), hid, cell FROM safe")
	must(t, err)
	defer rows.Close()
	var table drawnTable
	for rows.Next() {
		record := make([]*string, 9)
		into := make([]any, len(record))
		for i := range record {
			into[i] = &record[i]
		}
		must(t, rows.Scan(into...))
		if driver == "clickhouse" { // later ones leave zeros out
			weight, err := strconv.ParseFloat(*record[6], 64)
			must(t, err)
			*record[6] = strconv.FormatFloat(weight, 'f', 2, 64)
		}
		for i, cell := range record {
			if i > 0 && cell != nil && (strings.HasPrefix(*cell, "=") || strings.HasPrefix(*cell, "+")) {
				guarded := "'" + *cell
				record[i] = &guarded
			}
		}
		table = append(table, record)
	}
	must(t, rows.Err())
	lines := append([]string{"id,region,sex,age,income,health,w,hid,cell"}, strings.Split(strings.TrimSpace(table.lines()), "\n")...)
	slices.Sort(lines)
	return lines
}

// openTable opens a table in a session with a scenario of its own.
func openTable(t *testing.T, address string) *Session {
	t.Helper()
	opening, err := (*Known)(nil).Source(address, fileio.Format{}).(passing).counting(groups{by: []string{"region", "sex", "age"}}).Open(t.Context(), nil)
	must(t, err)
	opening.Volatile = true
	s, err := New(opening)
	must(t, err)
	scenario := smallScenario()
	scenario.Keys, scenario.Household, scenario.Weight = []string{"region", "sex", "age"}, "", ""
	must(t, s.SetScenario(scenario))
	return s
}

// A table that changed since it was opened is refused, and nothing is released; a lost server, a query that is
// ended and a password in an address leave nothing and tell nothing.
func TestTableUnderASession(t *testing.T) {
	server, log := servertest.Start(t)
	folder := t.TempDir()
	random := rand.New(rand.NewPCG(3, 7))
	drawTable(random).load(t, "pgx", server, inPostgres)
	do := func(statement string) {
		t.Helper()
		db, err := sql.Open("pgx", server)
		must(t, err)
		defer db.Close()
		_, err = db.Exec(statement)
		must(t, err)
	}
	address := server + "&table=person&key=id"
	for _, change := range []string{"UPDATE person SET note = 'other' WHERE id = 0", "INSERT INTO person (id, w) VALUES (-1, 1)",
		"DELETE FROM person WHERE id = -1"} {
		s := openTable(t, address)
		do(change)
		for _, path := range []string{filepath.Join(folder, "out.csv"), server + "&table=safe"} {
			_, err := s.Document().Export(t.Context(), ExportOptions{Path: path}, nil)
			if !errors.Is(err, streamed.ErrChanged) {
				t.Errorf("%s: %v", change, err)
			}
		}
	}
	do("CREATE ROLE reader LOGIN PASSWORD '" + servertest.Password + "'")
	do("REVOKE ALL ON DATABASE postgres FROM PUBLIC")
	do("GRANT CONNECT ON DATABASE postgres TO reader")
	do("GRANT SELECT ON person TO reader")
	reader := strings.Replace(address, "tester:", "reader:", 1)
	looks := runOn(t, folder, protectsTable, reader, filepath.Join(folder, "read.csv"), false)
	must(t, looks.err)
	checkErrors(t, folder, server, reader, do)
	checkPageErrors(t, openTable(t, address).Pages())
	do("CREATE VIEW slow AS SELECT p.* FROM person p, pg_sleep(60)")
	ctx, stop := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer stop()
	_, _, err := Inspect(ctx, server+"&table=slow", "", fileio.Format{}, nil, nil, nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a query that was ended: %v", err)
	}
	if n := oneCell(t, "pgx", server, "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%slow%' AND pid <> pg_backend_pid()"); n != "0" {
		t.Errorf("%s queries go on in the server", n)
	}
	said, err := os.ReadFile(log)
	must(t, err)
	for _, secret := range []string{servertest.Password, "north", "(a b)", "east, far"} {
		if strings.Contains(string(said), secret) {
			t.Errorf("the server's log has %q", secret)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*.csv")); len(left) != 1 {
		t.Errorf("released: %v", left)
	}
	if n := oneCell(t, "pgx", server, "SELECT count(*) FROM pg_class WHERE relname = 'safe'"); n != "0" {
		t.Error("a table was released")
	}
}

// A file of SQLite that was written since its table was opened is refused, whatever was changed in it.
func TestFileOfSQLiteThatChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "survey.db")
	drawTable(rand.New(rand.NewPCG(5, 7))).load(t, "sqlite", path, inSQLite)
	must(t, os.Chtimes(path, time.Unix(1e9, 0), time.Unix(1e9, 0)))
	s := openTable(t, "sqlite:"+path+"?table=person&key=id")
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	_, err = db.Exec("UPDATE person SET note = 'other' WHERE id = 0")
	must(t, err)
	for _, target := range []string{path + ".csv", "sqlite:" + path + "?table=safe"} {
		_, err := s.Document().Export(t.Context(), ExportOptions{Path: target}, nil)
		if !errors.Is(err, streamed.ErrChanged) {
			t.Errorf("%v", err)
		}
	}
}

// checkErrors provokes errors, which have the reason and no secret.
func checkErrors(t *testing.T, folder, server, reader string, do func(string)) {
	t.Helper()
	out := filepath.Join(folder, "out.csv")
	do("ALTER TABLE person ENABLE ROW LEVEL SECURITY")
	defer do("ALTER TABLE person DISABLE ROW LEVEL SECURITY")
	for _, c := range []struct{ source, out, want string }{
		{reader, out, "row-level security"},
		{reader, strings.Replace(server, "tester:", "reader:", 1) + "&table=safe", "row-level security"},
		{strings.Replace(reader, servertest.Password, "wrong", 1), out, "password authentication failed"},
		{server + "&table=nowhere.person", out, "nowhere.person is not there"},
		{server + "&table=person&key=pid", out, `no column "pid"`},
		{server + "&table=person&key=sex", out, `the same value in "sex"`},
		{server, out, "say the table behind a question mark"},
		{"postgres://tester:" + servertest.Password + "@/postgres?table=person&connect_timeout=soon", out, "no value that connections have"},
		{"postgres://tester:" + servertest.Password + "@/postgres?table=person&host=" + folder, out, "cannot be reached"},
		{server + "&table=person", "sqlite:" + filepath.Join(folder, "x.db") + "?table=safe", "into the database that has the table"},
		{filepath.Join("..", "testdata", "survey.csv"), server + "&table=safe", "a file cannot be written into a database"},
	} {
		is := runOn(t, folder, protectsTable, c.source, c.out, false)
		if is.err == nil || !strings.Contains(is.err.Error(), c.want) || strings.Contains(is.err.Error(), servertest.Password) {
			t.Errorf("%s: %v", c.want, is.err)
		}
	}
}

// asText returns the records of a file as lines of text in their order, and the label of a variable.
func asText(t *testing.T, path, variable string) (lines, label string) {
	t.Helper()
	format, err := fileio.GuessFile(t.Context(), path, nil)
	must(t, err)
	data, _, err := fileio.Read(t.Context(), path, format, nil)
	must(t, err)
	var out strings.Builder
	_, err = fileio.WriteTo(t.Context(), &out, data, fileio.NewFormat(), fileio.WriteOptions{}, nil)
	must(t, err)
	all := strings.Split(out.String(), "\n")
	slices.Sort(all)
	column, _ := data.Column(variable)
	return strings.Join(all, "\n"), column.Described().Label
}

// Protected files of other programs have the records that they have where the same records are in a file; comments on
// columns are their labels.
func TestProtectedFilesOfTables(t *testing.T) {
	server, _ := servertest.Start(t)
	folder := t.TempDir()
	drawn := drawTable(rand.New(rand.NewPCG(13, 7)))
	drawn.load(t, "pgx", server, inPostgres+"; COMMENT ON COLUMN person.region IS 'where they live'; COMMENT ON COLUMN person.id IS 'number'")
	drawn.load(t, "sqlite", filepath.Join(folder, "survey.db"), inSQLite)
	sum := sha256.Sum256([]byte(protectsTable))
	file := filepath.Join(folder, "survey.csv")
	must(t, os.WriteFile(file, []byte(drawn.file(hex.EncodeToString(sum[:]))), 0o600))
	for _, ending := range []string{"sav", "dta", "parquet"} {
		whole := filepath.Join(folder, "whole."+ending)
		must(t, runOn(t, folder, protectsTable, file, whole, false).err)
		want, _ := asText(t, whole, "region")
		for name, source := range sourcesOf(t, folder, server) {
			out := filepath.Join(folder, name+"."+ending)
			must(t, runOn(t, folder, protectsTable, source, out, false).err)
			is, label := asText(t, out, "region")
			if is != want {
				t.Errorf("%s of %s:\n%s\nin memory:\n%s", ending, name, is, want)
			}
			_, number := asText(t, out, "id")
			if name == "postgres" && ending != "parquet" && (label != "where they live" || number != "number") {
				t.Errorf("%s of %s: the labels are %q and %q", ending, name, label, number)
			}
		}
	}
}

// How far the first look at a table and the writing of a protected file have come is told.
func TestProgressOnTables(t *testing.T) {
	path := filepath.Join(t.TempDir(), "survey.db")
	drawTable(rand.New(rand.NewPCG(5, 7))).load(t, "sqlite", path, inSQLite)
	var meter progress.Meter
	scenario := smallScenario()
	scenario.Keys, scenario.Household, scenario.Weight = []string{"region", "sex"}, "", ""
	opening, err := OpenGroups(t.Context(), "sqlite:"+path+"?table=person&key=id", fileio.NewFormat(), &scenario, &meter)
	must(t, err)
	if meter.Fraction() != 1 {
		t.Errorf("%v of a table that was opened", meter.Fraction())
	}
	opening.Volatile = true
	s, err := New(opening)
	must(t, err)
	var writing progress.Meter
	of := s.opened.Source.(*table)
	_, err = of.opened.Write(t.Context(), io.Discard, fileio.NewFormat(), of.released(s.Data(), nil, nil), fileio.WriteOptions{}, &writing)
	must(t, err)
	if writing.Fraction() != 1 {
		t.Errorf("%v of a file that was written", writing.Fraction())
	}
}

// checkPageErrors looks for records by values, and begins pages at what is none of the key.
func checkPageErrors(t *testing.T, pages *Pages) {
	t.Helper()
	w := &paged.Wanted{Records: 5, By: []paged.Sorted{{Variable: "region"}}}
	must(t, w.Filter.Set(`region = "(a b)" or region = north or region missing`))
	_, err := pages.Page(t.Context(), w, nil)
	must(t, err)
	for _, mark := range []string{"north", "(a b)", "99999999999999999999", "", "1e3"} {
		w := &paged.Wanted{Records: 5, From: paged.Place{At: paged.From, Mark: mark}}
		if _, err := pages.Page(t.Context(), w, nil); !errors.Is(err, notation.ErrCondition) || mark != "" && strings.Contains(err.Error(), mark) {
			t.Errorf("from %q on: %v", mark, err)
		}
	}
	page, err := pages.Page(t.Context(), &paged.Wanted{Records: 2, From: paged.Place{At: paged.From, Mark: "1"}}, nil)
	if must(t, err); page.Names[0] != "7919" {
		t.Errorf("from 1 on: %q", page.Names)
	}
}

// Records whose key is missing or empty are found again where those of a group do not all become the same.
func TestKeysWithoutText(t *testing.T) {
	server, _ := servertest.Start(t)
	folder := t.TempDir()
	drawTable(rand.New(rand.NewPCG(11, 7))).load(t, "pgx", server, inPostgres)
	db, err := sql.Open("pgx", server)
	must(t, err)
	defer db.Close()
	source, steps := server+"&table=named&key=id", protectsTable+`
{"step":"pram","params":{"variables":["region","sex"],"pd":0.3,"alpha":1},"seed":5}`
	for turn := range 3 {
		_, err = db.Exec(fmt.Sprintf("DROP TABLE IF EXISTS safe; CREATE OR REPLACE VIEW named AS SELECT CASE rank WHEN %d THEN '' WHEN %d THEN NULL ELSE id::text END AS id, "+
			"region, sex, age, income, health, w, note, hid FROM (SELECT *, row_number() OVER (ORDER BY id) AS rank FROM person) s", 2*turn, 2*turn+1))
		must(t, err)
		must(t, runOn(t, folder, steps, source, server+"&table=safe", false).err)
		file := runOn(t, folder, steps, source, filepath.Join(folder, "safe.csv"), false)
		must(t, file.err)
		if lines := strings.Join(tableLines(t, "pgx", server), "\n"); lines != strings.TrimSpace(file.out) {
			t.Errorf("the table is\n%s\nand the file\n%s", lines, file.out)
		}
	}
}
