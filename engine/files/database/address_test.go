package database

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/database/servertest"
)

// Table names are those in the address, and no two may be the same table.
func TestNamesOfSeveralTables(t *testing.T) {
	for text, want := range map[string]string{"a": "a", "a,b": "a|b", `"a,b",c.d`: "a,b|c.d", `s.a,t.a,"x.y"`: "s.a|t.a|x.y", `"a""b",c`: `a"b|c`} {
		address, err := Parse("sqlite:x.db?table=" + text)
		must(t, err)
		var names []string
		for _, table := range address.tables {
			names = append(names, strings.Join(table, "."))
		}
		if got := strings.Join(names, "|"); got != want || address.Name() != strings.ReplaceAll(want, "|", ", ") {
			t.Errorf("%s: %s, called %s, not %s", text, got, address.Name(), want)
		}
		again, err := Parse(address.String())
		must(t, err)
		if again.Name() != address.Name() || again.String() != address.String() {
			t.Errorf("%s becomes %s", address, again)
		}
	}
	for _, text := range []string{"a,a", "a,A", "s.a,a", "s.a,S.A", "a,", ",a", "a,,b", `a,"b`, "a.b.c,d"} {
		if _, err := Parse("sqlite:x.db?table=" + text); err == nil {
			t.Errorf("%s is not refused", text)
		}
	}
	if _, err := ParseTarget("sqlite:x.db?table=a,b"); err == nil {
		t.Error("records are written to two tables")
	}
	if _, err := Parse("sqlite:x.db?table=a&check=sum"); err == nil || !strings.Contains(err.Error(), "check= is obsolete") {
		t.Errorf("check=sum: %v", err)
	}
}

// Several tables with the same columns are read as one, in the order of their names in the address.
func TestSeveralTables(t *testing.T) {
	server, _ := servertest.Start(t)
	servertest.Execute(t, "pgx", server, "CREATE TABLE north (id int PRIMARY KEY, a text)", "CREATE TABLE south (a text, id int PRIMARY KEY)",
		"INSERT INTO north VALUES (2, 'n2'), (1, 'n1')", "INSERT INTO south VALUES ('s1', 1)", "CREATE TABLE west (id bigint, a text)", "CREATE TABLE east (id int)")
	_, data, _ := reads(t, at(t, server, "south,north"))
	checkRead(t, data, []wanted{{"id", "1|1|2", whole, ""}, {"a", "s1|n1|n2", category, ""}})
	if column, _ := data.Column("id"); column.Described().Primary {
		t.Error("IDs of two tables are said to be unique")
	}
	for tables, says := range map[string]string{"north,west": `"id" is integer in north, but bigint in west`, "north,east": `north has "a", but east does not`,
		"east,north": `north has "a", but east does not`} {
		if is := refused(t, at(t, server, tables)); !strings.Contains(is, says) {
			t.Errorf("%s: %s", tables, is)
		}
	}
	if _, data, _ := reads(t, at(t, server, "east,north"), "id"); cells(t, data, "id") != "1|2" {
		t.Error("columns that nobody wants are compared")
	}
}

// Records are ordered by the primary key. A single-column key marks its variable as primary.
func TestPrimaryKey(t *testing.T) {
	server, _ := servertest.Start(t)
	file := filepath.Join(t.TempDir(), "keys.db")
	for _, c := range []struct{ driver, create, key, marked, order string }{
		{"pgx", "(a int, b text PRIMARY KEY)", "", "b", "3|2|1"},
		{"pgx", "(a int, b text PRIMARY KEY)", "a", "a", "1|2|3"},
		{"pgx", "(a int, b text, PRIMARY KEY (b, a))", "", "", "3|2|1"},
		{"pgx", "(a int, b text UNIQUE)", "", "", "2|1|3"},
		{"pgx", "(a int PRIMARY KEY, b text) PARTITION BY RANGE (a); CREATE TABLE keyed_1 PARTITION OF keyed DEFAULT", "", "a", "1|2|3"},
		{"sqlite", "(a INTEGER PRIMARY KEY, b TEXT)", "", "a", "1|2|3"},
		{"sqlite", "(a INTEGER PRIMARY KEY, b TEXT)", "b", "b", "3|2|1"},
		{"sqlite", "(a INT, b TEXT NOT NULL PRIMARY KEY)", "", "b", "3|2|1"},
		{"sqlite", "(a INT, b TEXT PRIMARY KEY)", "", "", "3|2|1"},
		{"sqlite", "(a INT, b TEXT, PRIMARY KEY (a, b))", "", "", "1|2|3"},
	} {
		where, address := server, server
		if c.driver == "sqlite" {
			where, address = file, "sqlite:"+file
		}
		servertest.Execute(t, c.driver, where, append([]string{"DROP TABLE IF EXISTS keyed"}, append(strings.Split("CREATE TABLE keyed "+c.create, "; "),
			"INSERT INTO keyed VALUES (2, 'y'), (1, 'z'), (3, 'x')")...)...)
		target := at(t, address, "keyed")
		target.key = c.key
		_, data, _ := reads(t, target)
		marked := ""
		for _, column := range data.Columns() {
			if column.Described().Primary {
				marked += column.Name()
			}
		}
		if marked != c.marked || cells(t, data, "a") != c.order {
			t.Errorf("%s %s with key %q: %q is marked, in the order %s", c.driver, c.create, c.key, marked, cells(t, data, "a"))
		}
	}
	servertest.Execute(t, "pgx", server, "CREATE TABLE parent (a int PRIMARY KEY)", "CREATE TABLE child () INHERITS (parent)",
		"INSERT INTO parent VALUES (1)", "INSERT INTO child VALUES (1)")
	if _, data, _ := reads(t, at(t, server, "parent")); data.Len() != 2 || data.Columns()[0].Described().Primary {
		t.Error("a table with a child has a primary key that its records share")
	}
}

// For an address without a table, or with an unknown one, the error lists the tables.
func TestTablesAreListed(t *testing.T) {
	server, _ := servertest.Start(t)
	file := filepath.Join(t.TempDir(), "some.db")
	servertest.Execute(t, "pgx", server, "CREATE SCHEMA census", `CREATE TABLE census."Person" (a int)`, "CREATE VIEW household AS SELECT 1 AS a",
		"CREATE ROLE clerk LOGIN PASSWORD 'some'", "GRANT USAGE ON SCHEMA census TO clerk", `GRANT SELECT (a) ON census."Person" TO clerk`)
	servertest.Execute(t, "sqlite", file, "CREATE TABLE person (a)", "CREATE VIEW household AS SELECT 1 AS a")
	clerk := strings.Replace(server, "tester:"+servertest.Password, "clerk:some", 1)
	for address, says := range map[string]string{server: `add ?table=NAME, or &table=NAME after other options; readable tables: census."Person", household`,
		clerk: `readable tables: census."Person"`, server + "&table=census.person": `no table census.person; names are case-sensitive; readable tables: census."Person", household`,
		"sqlite:" + file: "readable tables: household, person", "sqlite:" + file + "?table=persons": "no table persons"} {
		parsed, err := Parse(address)
		must(t, err)
		if is := refused(t, parsed); !strings.HasSuffix(is, says) && !strings.Contains(is, says+";") || strings.Contains(is, servertest.Password) {
			t.Errorf("%s, not %s", is, says)
		}
	}
}

// A server that does not answer, or is of another kind, is an error in plain words.
func TestOtherServers(t *testing.T) {
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	free.Close()
	other, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer other.Close()
	go func() {
		for {
			connection, err := other.Accept()
			if err != nil {
				return
			}
			_, _ = connection.Write([]byte("SSH-2.0-OpenSSH\r\n"))
			connection.Close()
		}
	}()
	at, none, ssh := strings.TrimPrefix(web.URL, "http://"), free.Addr().String(), other.Addr().String()
	for address, says := range map[string]string{"postgres://u:pw1@" + at + "/db?table=t&connect_timeout=1": "no PostgreSQL server answers",
		"clickhouse://u:pw1@" + at + "?table=t": "does not come from ClickHouse: check the port", "postgres://u:pw1@" + none + "/db?table=t": "cannot reach the server",
		"clickhouse://u:pw1@" + none + "?table=t": "cannot reach the server", "postgres://u:pw1@" + ssh + "/db?table=t": "does not come from PostgreSQL",
		"clickhouse://u:pw1@" + ssh + "?table=t": "usually 8123", "postgres://u:pw1@nowhere.invalid/db?table=t": "cannot reach the server",
		"sqlite:" + filepath.Join(t.TempDir(), "none.db") + "?table=t": "the file does not exist"} {
		parsed, err := Parse(address)
		must(t, err)
		if is := refused(t, parsed); !strings.Contains(is, says) || strings.Contains(is, "pw1") {
			t.Errorf("%s: %s", address, is)
		}
	}
	if _, err := Parse("mysql://u:pw1@h/db?table=t"); !errors.Is(err, ErrAddress) || !strings.Contains(err.Error(), "export the table as CSV or Parquet") {
		t.Errorf("another database: %v", err)
	}
}

// The result does not depend on settings of the role, the encoding of the database, or a pooler.
func TestSettingsOfRoles(t *testing.T) {
	server, _ := servertest.Start(t)
	const person = "CREATE TABLE person (id int PRIMARY KEY, name text, day date, at timestamptz, f float8, b bytea, i interval)"
	insert := `INSERT INTO person VALUES (1, 'Zoë', '2024-02-29', '2024-02-29 12:00:00+00', 0.1::float8 + 0.2::float8, 'x', '1 day 2:03:04')`
	servertest.Execute(t, "pgx", server, person, insert, "CREATE ROLE clerk LOGIN PASSWORD 'some'", "GRANT SELECT ON person TO clerk")
	clerk := strings.Replace(server, "tester:"+servertest.Password, "clerk:some", 1)
	_, want, _ := reads(t, at(t, server, "person"))
	for _, setting := range []string{"datestyle = 'German'", "timezone = 'Asia/Tokyo'", "extra_float_digits = 0", "client_encoding = 'LATIN1'",
		"standard_conforming_strings = off", "default_transaction_read_only = on", "default_transaction_isolation = 'serializable'",
		"intervalstyle = 'iso_8601'", "search_path = public", "bytea_output = 'escape'", "transform_null_equals = on", "enable_seqscan = off",
		"force_parallel_mode = on", "quote_all_identifiers = on", "backslash_quote = off", "client_min_messages = 'debug5'",
		"array_nulls = off", "row_security = on", "jit = on", "enable_hashagg = off", "work_mem = '64kB'", "statement_timeout = '1h'",
		"escape_string_warning = off", "xmlbinary = 'hex'", "default_transaction_deferrable = on", "enable_indexscan = off",
		"synchronize_seqscans = on", "lc_numeric = 'C'"} {
		servertest.Execute(t, "pgx", server, "ALTER ROLE clerk RESET ALL", "ALTER ROLE clerk SET "+setting)
		if _, data, _ := reads(t, at(t, clerk, "person")); data.Hash() != want.Hash() {
			t.Errorf("%s: other records", setting)
		}
	}
	servertest.Execute(t, "pgx", server, "ALTER ROLE clerk RESET ALL", "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
	latin := strings.Replace(server, "/postgres?", "/latin?", 1)
	servertest.Execute(t, "pgx", latin+"&client_encoding=UTF8", person, insert)
	if _, data, _ := reads(t, at(t, latin, "person")); data.Hash() != want.Hash() {
		t.Errorf("LATIN1: the name is %s", cells(t, data, "name"))
	}
	servertest.Execute(t, "pgx", server, "ALTER TABLE person ENABLE ROW LEVEL SECURITY", "ALTER TABLE person FORCE ROW LEVEL SECURITY",
		"CREATE POLICY none ON person USING (false)")
	if says := refused(t, at(t, clerk, "person")); !strings.Contains(says, "row-level security policy") {
		t.Errorf("a policy that hides records: %s", says)
	}
}
