package database

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// execute carries out statements in a database.
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

// at returns the address of a table of a database.
func at(tb testing.TB, database, table string) *Address {
	tb.Helper()
	sign := "?"
	if strings.Contains(database, "?") {
		sign = "&"
	}
	address, err := Parse(database + sign + "table=" + url.QueryEscape(table))
	must(tb, err)
	return address
}

// wanted is how cells of a column are read: the kind, and the texts of some of them.
type wanted struct {
	name, cells string
	kind        microdata.Kind
}

func checkDescribed(t *testing.T, address *Address, columns []wanted) {
	t.Helper()
	table, err := Open(t.Context(), address, nil)
	must(t, err)
	by := make([]string, len(columns))
	for i, c := range columns {
		by[i] = c.name
	}
	groups, _, err := table.Pass(t.Context(), by, "", nil, nil, nil)
	must(t, err)
	_, passed, err := table.Pass(t.Context(), nil, "", nil, nil, nil)
	must(t, err)
	for i, c := range columns {
		column, ok := groups.Data.Column(c.name)
		if !ok {
			t.Fatalf("no column %s", c.name)
		}
		var texts []string
		for _, level := range column.Categories().Levels {
			texts = append(texts, level.Label)
		}
		cells := fmt.Sprintf("%s|%d missing", strings.Join(texts, "|"), column.MissingCount())
		if cells != c.cells || column.Kind() != c.kind {
			t.Errorf("%s is %v: %s, not %v: %s", c.name, column.Kind(), cells, c.kind, c.cells)
		}
		v := passed.Variables[i]
		if v.Kind != c.kind || v.Blank != column.MissingCount() || v.Column.Kind() != c.kind ||
			len(v.Column.Categories().Levels) != len(texts) {
			t.Errorf("%s is described as %v with %d missing", c.name, v.Kind, v.Blank)
		}
	}
}

// Types are mapped as the reader of files maps the same data as text.
func TestTypesOfPostgres(t *testing.T) {
	server, _ := servertest.Start(t)
	execute(t, "pgx", server, `CREATE SCHEMA "Odd ""Names"`,
		`CREATE TYPE mood AS ENUM ('sad', 'happy')`, `CREATE DOMAIN age AS int CHECK (VALUE < 130)`,
		`CREATE TABLE "Odd ""Names"."a.b" (c char(4), v varchar(9), e mood, d age, b boolean, n numeric, f float8, day date, i bigint, "Ü ""x""" text)`,
		`COMMENT ON COLUMN "Odd ""Names"."a.b".d IS 'age at last birthday'`,
		`INSERT INTO "Odd ""Names"."a.b" VALUES
		('ab', '', 'sad', 3, true, 1.50, '-0', '2024-02-29', 9007199254740993, 'é'), ('ab', NULL, 'happy', NULL, false, 2, 'NaN', NULL, 2, 'e'),
		('', '007', NULL, 41, NULL, 1.50, 0.1, '0044-03-15 BC', 3, E'a"b,\n(\\')`)
	columns := []wanted{{"c", "ab|1 missing", microdata.Category}, {"v", "007|2 missing", microdata.Category},
		{"e", "happy|sad|1 missing", microdata.Category}, {"d", "3|41|1 missing", microdata.Whole}, {"b", "f|t|1 missing", microdata.Category},
		{"n", "1.50|2|0 missing", microdata.Number}, {"f", "-0|0.1|NaN|0 missing", microdata.Category},
		{"day", "0044-03-15 BC|2024-02-29|1 missing", microdata.Category},
		{"i", "2|3|9007199254740993|0 missing", microdata.Category}, {`Ü "x"`, "a\"b,\n(\\|e|é|0 missing", microdata.Category}}
	address := at(t, server, `"Odd ""Names"."a.b"`)
	checkDescribed(t, address, columns)
	table, err := Open(t.Context(), address, nil)
	must(t, err)
	if label := table.column("d").Label; label != "age at last birthday" {
		t.Errorf("the comment is %q", label)
	}
	recordsAsServer(t, table, "pgx", server)
	execute(t, "pgx", server, `CREATE VIEW seen AS SELECT d, e FROM "Odd ""Names"."a.b"`,
		`CREATE TABLE parts (k int, s text) PARTITION BY LIST (k)`, `CREATE TABLE part1 PARTITION OF parts FOR VALUES IN (1)`,
		`CREATE TABLE part2 PARTITION OF parts DEFAULT`, `INSERT INTO parts VALUES (1, 'a'), (2, 'b'), (2, 'b')`,
		`CREATE TABLE odd (a jsonb, b int[], c bytea, d int)`,
		`CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)`,
		`CREATE TABLE merged (s text COLLATE loose)`, `INSERT INTO merged VALUES ('a'), ('A'), ('á'), ('a')`)
	checkDescribed(t, at(t, server, "seen"), []wanted{{"d", "3|41|1 missing", microdata.Whole}, {"e", "happy|sad|1 missing", microdata.Category}})
	checkDescribed(t, at(t, server, "parts"), []wanted{{"k", "1|2|0 missing", microdata.Whole}, {"s", "a|b|0 missing", microdata.Category}})
	checkDescribed(t, at(t, server, "merged"), []wanted{{"s", "A|a|á|0 missing", microdata.Category}})
	_, err = Open(t.Context(), at(t, server, "odd"), nil)
	if err == nil || !strings.Contains(err.Error(), `"a" (jsonb), "b" (integer[]), "c" (bytea)`) {
		t.Errorf("columns that are no texts: %v", err)
	}
	_, err = Open(t.Context(), at(t, server, "nobody"), nil)
	if err == nil || !strings.Contains(err.Error(), "nobody is not there") {
		t.Errorf("no table: %v", err)
	}
}

// recordsAsServer compares what recordText makes of cells with what the server makes of them.
func recordsAsServer(t *testing.T, table *Table, driver, server string) {
	t.Helper()
	db, err := sql.Open(driver, server)
	must(t, err)
	defer db.Close()
	groups, _, err := table.Pass(t.Context(), table.names(), "", nil, nil, nil)
	must(t, err)
	rows, err := db.Query("SELECT " + table.address.dialect.record(table.texts(table.names())) + " AS r FROM " +
		table.address.relation() + " ORDER BY 1")
	must(t, err)
	defer rows.Close()
	found := map[string]bool{}
	for rows.Next() {
		var record string
		must(t, rows.Scan(&record))
		found[record] = true
	}
	for _, record := range groups.records {
		if !found[record] {
			t.Errorf("no record of the server is %q, but %v", record, found)
		}
	}
}

// SQLite's types are those of cells; the result is that of its own export as text.
func TestTypesOfSQLite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b%?#.db")
	execute(t, "sqlite", "file:"+(&url.URL{Path: path}).EscapedPath(), `CREATE TABLE person (c TEXT COLLATE NOCASE, i INTEGER, r REAL, d DATE, n NUMERIC, b BOOLEAN, s TIMESTAMP)`,
		`INSERT INTO person VALUES ('a', 1, 0.1, '2024-02-29', 1.5, 1, '2024-02-29 12:00:00'), ('A', NULL, 3, NULL, 2, 0, 17), ('', 7, 1e-9, '', 2, 'true', 1e20)`)
	address, err := Parse("sqlite:" + strings.NewReplacer("%", "%25", "?", "%3F").Replace(path) + "?table=person")
	must(t, err)
	checkDescribed(t, address, []wanted{{"c", "A|a|1 missing", microdata.Category}, {"i", "1|7|1 missing", microdata.Whole},
		{"r", "1e-09|0.1|3.0|0 missing", microdata.Number}, {"d", "2024-02-29|2 missing", microdata.Category},
		{"n", "1.5|2|0 missing", microdata.Number}, {"b", "0|1|true|0 missing", microdata.Category},
		{"s", "17|1e+20|2024-02-29 12:00:00|0 missing", microdata.Category}})
	table, err := Open(t.Context(), address, nil)
	must(t, err)
	recordsAsServer(t, table, "sqlite", "file:"+(&url.URL{Path: path}).EscapedPath())
	execute(t, "sqlite", "file:"+(&url.URL{Path: path}).EscapedPath(), `CREATE TABLE pictures (p BLOB)`, `INSERT INTO pictures VALUES (x'00')`)
	address.table = []string{"pictures"}
	if _, err := Open(t.Context(), address, nil); err == nil || !strings.Contains(err.Error(), "binary values") {
		t.Errorf("binary values: %v", err)
	}
	for table, says := range map[string]string{`ours (a, SDCDESK_Text)`: `"SDCDESK_Text"`, `nameless (a, "")`: `a column ""`} {
		execute(t, "sqlite", "file:"+(&url.URL{Path: path}).EscapedPath(), `CREATE TABLE `+table)
		address.table = strings.Fields(table)[:1]
		if _, err := Open(t.Context(), address, nil); err == nil || !strings.Contains(err.Error(), says+": one must have a name") {
			t.Errorf("%s: %v", table, err)
		}
	}
	if _, err := os.Stat(path + "-journal"); err == nil {
		t.Error("a journal is left beside the file")
	}
}

// A column with more values than are kept has the kind that a text file with them has, in a file of SQLite.
func TestKindOfManyValues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "many.db")
	kindOfManyValues(t, "sqlite", path, "sqlite:"+path, "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n WHERE x < 25000) "+
		"SELECT CAST(x AS TEXT) AS x FROM n")
}

// So it has where a server is asked.
func TestKindOfManyValuesOfServers(t *testing.T) {
	server, _ := servertest.Start(t)
	kindOfManyValues(t, "pgx", server, server, "SELECT CAST(x AS text) AS x FROM generate_series(1, 25000) AS x")
}

// kindOfManyValues makes tables of texts x.
func kindOfManyValues(t *testing.T, driver, where, address, texts string) {
	t.Helper()
	for _, c := range []struct{ name, value string }{{"whole", "x"}, {"number", "x || '.5'"}, {"padded", "'0' || x"}, {"long", "'123456789012' || x || '.5'"},
		{"odd", "CASE x WHEN '12000' THEN '1e3' ELSE x END"}, {"late", "CASE x WHEN '12000' THEN 'y' ELSE x END"},
		{"blank", "CASE CAST(x AS integer) % 2 WHEN 1 THEN x END"}} {
		execute(t, driver, where, "DROP TABLE IF EXISTS many", "CREATE TABLE many AS SELECT "+c.value+" AS v FROM ("+texts+") s")
		table, err := Open(t.Context(), at(t, address, "many"), nil)
		must(t, err)
		_, passed, err := table.Pass(t.Context(), nil, "", nil, nil, nil)
		must(t, err)
		first, err := table.First(t.Context(), table.Records)
		must(t, err)
		column := first.Columns()[0]
		if v := passed.Variables[0]; v.Column != nil || v.Kind != column.Kind() || v.Blank != column.MissingCount() {
			t.Errorf("%s is described as %v with %d missing, not %v with %d", c.name, v.Kind, v.Blank, column.Kind(), column.MissingCount())
		}
	}
}
