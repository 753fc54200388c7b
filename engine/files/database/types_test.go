package database

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/database/servertest"
)

const (
	category = microdata.Category
	whole    = microdata.Whole
	number   = microdata.Number
)

// The catalogue determines which columns are numbers, texts, dates and truth values; comments become labels.
func TestTypesOfPostgres(t *testing.T) {
	server, _ := servertest.Start(t)
	servertest.Execute(t, "pgx", server, `CREATE SCHEMA "Odd ""Names"`,
		`CREATE TYPE mood AS ENUM ('sad', 'happy')`, `CREATE DOMAIN age AS int CHECK (VALUE < 130)`,
		`CREATE TABLE "Odd ""Names"."a.b" (k int PRIMARY KEY, c char(4), v varchar(9), e mood, d age, b boolean, n numeric, f float8, r real, day date,
		  at timestamp, i bigint, "Ü ""x""" text, nothing int)`,
		`COMMENT ON COLUMN "Odd ""Names"."a.b".d IS 'age at last birthday'`,
		`INSERT INTO "Odd ""Names"."a.b" VALUES
		(2, 'ab', '', 'sad', 3, true, 1.50, '-0', 0.1, '2024-02-29', '2024-02-29 12:00:01.5', 9007199254740993, 'é'),
		(1, 'ab', NULL, 'happy', NULL, false, 'NaN', 'Infinity', 3, NULL, NULL, 2, 'e'),
		(3, '', '007', NULL, 41, NULL, 1.50, 1e-9, 1e20, '0044-03-15 BC', 'infinity', 3, E'a"b,\n(\\')`)
	_, data, report := reads(t, at(t, server, `"Odd ""Names"."a.b"`))
	checkRead(t, data, []wanted{{"k", "1|2|3", whole, ""}, {"c", "ab|ab|.", category, ""}, {"v", ".|.|007", category, ""},
		{"e", "happy|sad|.", category, ""}, {"d", ".|3|41", whole, ""}, {"b", "false|true|.", category, microdata.Truths},
		{"n", ".|1.50|1.50", number, ""}, {"f", ".|-0|1e-09", number, ""}, {"r", "3|0.1|1e+20", number, ""},
		{"day", ".|2024-02-29|0044-03-15 BC", category, microdata.Dates},
		{"at", ".|2024-02-29T12:00:01.5|infinity", category, microdata.DateTimes},
		{"i", "2|9007199254740993|3", category, ""}, {`Ü "x"`, "e|é|a\"b,\n(\\", category, ""}, {"nothing", ".|.|.", category, ""}})
	if column, _ := data.Column("d"); column.Described().Label != "age at last birthday" {
		t.Errorf("the comment is %q", column.Described().Label)
	}
	if column, _ := data.Column("k"); !column.Described().Primary {
		t.Error("the primary key is not marked")
	}
	if len(report.Warnings) > 0 {
		t.Error(report.Warnings)
	}
	servertest.Execute(t, "pgx", server, `CREATE VIEW seen AS SELECT d, e FROM "Odd ""Names"."a.b" ORDER BY k`,
		`CREATE TABLE parts (k int, s text) PARTITION BY LIST (k)`, `CREATE TABLE part1 PARTITION OF parts FOR VALUES IN (1)`,
		`CREATE TABLE part2 PARTITION OF parts DEFAULT`, `INSERT INTO parts VALUES (1, 'a'), (2, 'b'), (2, 'b')`,
		`CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)`,
		`CREATE TABLE merged (s text COLLATE loose)`, `INSERT INTO merged VALUES ('a'), ('A'), ('á'), ('a')`,
		`CREATE TABLE single (s int)`, `INSERT INTO single VALUES (NULL), (NULL), (3), (NULL)`, `CREATE TABLE bare (s int, u int)`)
	_, data, _ = reads(t, at(t, server, "seen"))
	checkRead(t, data, []wanted{{"d", ".|3|41", whole, ""}, {"e", "happy|sad|.", category, ""}})
	_, data, _ = reads(t, at(t, server, "parts"))
	checkRead(t, data, []wanted{{"k", "1|2|2", whole, ""}, {"s", "a|b|b", category, ""}})
	_, data, _ = reads(t, at(t, server, "merged"))
	checkRead(t, data, []wanted{{"s", "a|A|á|a", category, ""}})
	_, data, _ = reads(t, at(t, server, "single"))
	checkRead(t, data, []wanted{{"s", ".|.|3|.", whole, ""}})
	if _, data, _ = reads(t, at(t, server, "bare")); data.Len() != 0 || len(data.Columns()) != 2 {
		t.Errorf("a table without records has %d, of %d columns", data.Len(), len(data.Columns()))
	}
}

// A column that is not selected, and cannot or must not be read, is no obstacle; selecting it by name is an error.
func TestColumnsOfPostgresThatCannotBeRead(t *testing.T) {
	server, _ := servertest.Start(t)
	servertest.Execute(t, "pgx", server, `CREATE TABLE odd (a jsonb, b int[], c bytea, d int, secret text)`, `INSERT INTO odd VALUES ('{}', '{1}', 'x', 7, 's')`,
		`CREATE ROLE clerk LOGIN PASSWORD 'some'`, `GRANT SELECT (d, a) ON odd TO clerk`)
	some := strings.Replace(server, "tester:"+servertest.Password, "clerk:some", 1)
	_, data, report := reads(t, at(t, server, "odd"))
	if len(data.Columns()) != 2 || !strings.Contains(strings.Join(report.Warnings, ""), `"a" (jsonb), "b" (integer[]), "c" (bytea)`) {
		t.Errorf("%d columns, and %q", len(data.Columns()), report.Warnings)
	}
	if _, data, report = reads(t, at(t, some, "odd")); len(data.Columns()) != 1 || !strings.Contains(report.Warnings[0], `"secret" (no permission)`) {
		t.Errorf("%d columns, and %q", len(data.Columns()), report.Warnings)
	}
	if _, data, report = reads(t, at(t, some, "odd"), "d"); cells(t, data, "d") != "7" || len(report.Warnings) > 0 {
		t.Errorf("%q", report.Warnings)
	}
	for _, c := range []struct {
		address *Address
		columns []string
		says    string
	}{{at(t, server, "odd"), []string{"d", "a"}, `column not usable: odd: "a" (jsonb)`},
		{at(t, some, "odd"), []string{"secret"}, `"secret" (no permission)`}, {at(t, server, "odd"), []string{"D"}, `odd has no column "D"; its columns are a, b, c, d, secret`}} {
		if says := refused(t, c.address, c.columns...); !strings.Contains(says, c.says) {
			t.Errorf("%v: %s", c.columns, says)
		}
	}
}

// In SQLite, types belong to cells: a text column contains only texts, other columns whatever their cells are.
func TestTypesOfSQLite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b%?#.db")
	file := "file:" + (&url.URL{Path: path}).EscapedPath()
	servertest.Execute(t, "sqlite", file, `CREATE TABLE person (c TEXT COLLATE NOCASE, i INTEGER, r REAL, d DATE, n NUMERIC, b BOOLEAN, s TIMESTAMP, z TEXT, u)`,
		`INSERT INTO person VALUES ('a', 1, 0.1, '2024-02-29', 1.5, 1, '2024-02-29 12:00:00', '1', 1), ('A', NULL, 3, NULL, 2, 0, 17, 2, 2.5), ('', 7, 1e-9, '', 2, 'true', 1e20, '01', NULL)`,
		`CREATE TABLE pictures (i INT, p)`, `INSERT INTO pictures VALUES (1, x'00')`, `CREATE TABLE declared (i INT, p BLOB)`, `INSERT INTO declared VALUES (1, x'00')`,
		`CREATE VIEW seen AS SELECT i + 1 AS j, upper(c) AS C FROM person`)
	address := at(t, "sqlite:"+strings.NewReplacer("%", "%25", "?", "%3F").Replace(path), "person")
	_, data, _ := reads(t, address)
	checkRead(t, data, []wanted{{"c", "a|A|.", category, ""}, {"i", "1|.|7", whole, ""}, {"r", "0.1|3|1e-09", number, ""},
		{"d", "2024-02-29|.|.", category, ""}, {"n", "1.5|2|2", number, ""}, {"b", "1|0|true", category, ""},
		{"s", "2024-02-29 12:00:00|17|1e+20", category, ""}, {"z", "1|2|01", category, ""}, {"u", "1|2.5|.", number, ""}})
	address.tables = [][]string{{"seen"}}
	_, data, _ = reads(t, address)
	checkRead(t, data, []wanted{{"j", "2|.|8", whole, ""}, {"C", "A|A|.", category, ""}})
	address.tables = [][]string{{"declared"}}
	if _, data, report := reads(t, address); len(data.Columns()) != 1 || !strings.Contains(report.Warnings[0], `"p" (BLOB)`) {
		t.Errorf("%q", report.Warnings)
	}
	address.tables = [][]string{{"pictures"}}
	if says := refused(t, address); !strings.Contains(says, "column 2 of the selected ones contains binary values") {
		t.Errorf("binary values: %s", says)
	}
	if _, data, _ := reads(t, address, "i"); cells(t, data, "i") != "1" {
		t.Error("the other column is not read")
	}
}

// Types of ClickHouse are read like those of PostgreSQL; a cell that looks like an error message is a cell.
func TestTypesOfClickHouse(t *testing.T) {
	server := servertest.StartClickHouse(t)
	for _, statement := range []string{`CREATE TABLE "odd ""x.y" (k Int8, c FixedString(4), v LowCardinality(Nullable(String)), l LowCardinality(String),
		e Nullable(Enum8('sad' = 3, 'happy' = 5)), m Enum16('= 7)' = 300, 'b' = 2), d Nullable(Int32), n Decimal(9, 2), f Float64, day Nullable(Date),
		at DateTime, i UInt64, u UUID, "Ü ""x""" Nullable(String), ar Array(Int8)) ENGINE = MergeTree ORDER BY tuple()`,
		`INSERT INTO "odd ""x.y" VALUES (1, 'ab', '', '', 'sad', 'b', 3, 1.25, -0.0, '2024-02-29', '2024-02-29 01:02:03', 18446744073709551615, '00000000-0000-0001-0000-000000000002', 'é', []),
		(2, 'ab', NULL, 'x', 'happy', '= 7)', NULL, 2.5, nan, NULL, '2024-02-29 01:02:03', 2, '00000000-0000-0001-0000-000000000002', '\\N', []),
		(3, '', '007', 'x', NULL, 'b', 41, 1.25, 0.1, '2024-03-01', '2024-02-29 01:02:04', 3, '00000000-0000-0001-0000-000000000002', 'a"b,\n(\\	''\\N', [])`} {
		server.Ask(t, statement)
	}
	_, data, report := reads(t, at(t, server.Address, `"odd ""x.y"`))
	checkRead(t, data, []wanted{{"k", "1|2|3", whole, ""}, {"c", "ab|ab|.", category, ""}, {"v", ".|.|007", category, ""}, {"l", ".|x|x", category, ""},
		{"e", "sad|happy|.", category, ""}, {"m", "b|= 7)|b", category, ""}, {"d", "3|.|41", whole, ""},
		{"n", "1.25|2.50|1.25", number, ""}, {"f", "-0|.|0.1", number, ""}, {"day", "2024-02-29|.|2024-03-01", category, microdata.Dates},
		{"at", "2024-02-29T01:02:03|2024-02-29T01:02:03|2024-02-29T01:02:04", category, microdata.DateTimes},
		{"i", "18446744073709551615|2|3", category, ""}, {`Ü "x"`, "é|\\N|a\"b,\n(\\\t'\\N", category, ""}})
	if !strings.Contains(strings.Join(report.Warnings, ""), `"ar" (Array(Int8))`) {
		t.Errorf("%q", report.Warnings)
	}
	for _, statement := range []string{"CREATE TABLE errors (a String, b Int32) ENGINE = MergeTree ORDER BY tuple()",
		`INSERT INTO errors VALUES ('Code: 241, e.displayText() = DB::Exception: memory', 1), ('a\nCode: 1. DB::Exception: x (Y)', 2), ('Code: 1. DB::Exception: "', 3)`,
		"CREATE VIEW late AS SELECT toString(number) AS s, intDiv(1, number - 3000000) AS x FROM system.numbers LIMIT 4000000"} {
		server.Ask(t, statement)
	}
	_, data, _ = reads(t, at(t, server.Address, "errors")) // ordered by all columns
	checkRead(t, data, []wanted{{"b", "3|1|2", whole, ""}})
	if says := refused(t, at(t, server.Address, "late")); !strings.Contains(says, "division of an integer by zero (ClickHouse code 153)") {
		t.Errorf("after many records: %s", says)
	}
}
