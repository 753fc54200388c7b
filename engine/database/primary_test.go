package database

import (
	"path/filepath"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
)

// A primary key of one column is the default of key=; one of several columns, one that can be missing, and one that
// tables share that inherit from it are none. A key that somebody names is kept.
func TestPrimaryKeyIsTheDefaultKey(t *testing.T) {
	server, _ := servertest.Start(t)
	file := filepath.Join(t.TempDir(), "keys.db")
	for _, c := range []struct{ driver, create, key, want string }{
		{"pgx", "(a int, b text PRIMARY KEY)", "", "b"},
		{"pgx", "(a int, b text PRIMARY KEY)", "a", "a"},
		{"pgx", "(a int, b text, PRIMARY KEY (a, b))", "", ""},
		{"pgx", "(a int, b text UNIQUE)", "", ""},
		{"pgx", "(a int PRIMARY KEY, b text) PARTITION BY RANGE (a)", "", "a"},
		{"sqlite", "(a INTEGER PRIMARY KEY, b TEXT)", "", "a"},
		{"sqlite", "(a INTEGER PRIMARY KEY, b TEXT)", "b", "b"},
		{"sqlite", "(a INT, b TEXT NOT NULL PRIMARY KEY)", "", "b"},
		{"sqlite", "(a INT, b TEXT PRIMARY KEY)", "", ""},
		{"sqlite", "(a INT, b TEXT, PRIMARY KEY (a, b))", "", ""},
	} {
		where, address := server, server
		if c.driver == "sqlite" {
			where, address = file, "sqlite:"+file
		}
		execute(t, c.driver, where, "DROP TABLE IF EXISTS keyed", "CREATE TABLE keyed "+c.create)
		target := at(t, address, "keyed")
		target.key = c.key
		table, err := Open(t.Context(), target, nil)
		must(t, err)
		if table.address.key != c.want || target.key != c.key {
			t.Errorf("%s %s with key %q: the key is %q", c.driver, c.create, c.key, table.address.key)
		}
		for _, column := range table.Columns {
			if said := column.said(); said != nil && said.Primary && c.want == "" {
				t.Errorf("%s %s: %s is said to be the primary key", c.driver, c.create, column.Name)
			}
		}
	}
	execute(t, "pgx", server, "CREATE TABLE parent (a int PRIMARY KEY)", "CREATE TABLE child () INHERITS (parent)",
		"INSERT INTO parent VALUES (1)", "INSERT INTO child VALUES (1)")
	table, err := Open(t.Context(), at(t, server, "parent"), nil)
	must(t, err)
	if table.address.key != "" || table.Records != 2 {
		t.Errorf("a table with a child has the key %q and %d records", table.address.key, table.Records)
	}
}
