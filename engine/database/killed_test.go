package database

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestChangeUntilKilled is the program that TestFileOfAKilledProgram runs: it is killed in the middle of a transaction.
func TestChangeUntilKilled(t *testing.T) {
	path := os.Getenv("SDCDESK_TEST_DATABASE")
	if path == "" {
		t.Skip("this is run by TestFileOfAKilledProgram")
	}
	db, err := sql.Open("sqlite", path)
	must(t, err)
	db.SetMaxOpenConns(1)
	for _, statement := range []string{"PRAGMA cache_size = 10", "BEGIN", "CREATE TABLE safe (x TEXT)", "UPDATE person SET region = 'x'",
		`WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000)
		INSERT INTO safe SELECT 'a text that takes up the room of many' FROM n`} {
		_, err := db.Exec(statement)
		must(t, err)
	}
	program, err := os.FindProcess(os.Getpid())
	must(t, err)
	must(t, program.Kill())
	select {}
}

// What a program that was killed left unfinished in a file of SQLite is taken back, and the table is what it was.
func TestFileOfAKilledProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "survey.db")
	db, err := sql.Open("sqlite", path)
	must(t, err)
	for _, statement := range []string{"CREATE TABLE person (id INTEGER PRIMARY KEY, region TEXT)", `WITH RECURSIVE n(x) AS (SELECT 1 UNION
		ALL SELECT x + 1 FROM n WHERE x < 1000) INSERT INTO person SELECT x, 'r' || (x % 3) FROM n`} {
		_, err := db.Exec(statement)
		must(t, err)
	}
	must(t, db.Close())
	program := exec.Command(os.Args[0], "-test.run=^TestChangeUntilKilled$")
	program.Env = append(os.Environ(), "SDCDESK_TEST_DATABASE="+path)
	if program.Run() == nil {
		t.Fatal("the program was not killed")
	}
	left, err := os.Stat(path + "-journal")
	must(t, err)
	if left.Size() == 0 {
		t.Fatal("nothing was left unfinished")
	}
	address, err := Parse("sqlite:" + path + "?table=person")
	must(t, err)
	table, err := Open(t.Context(), address, nil)
	must(t, err)
	groups, _, err := table.Pass(t.Context(), []string{"region"}, "", nil, nil, nil)
	must(t, err)
	if table.Records != 1000 || groups.Data.Len() != 3 {
		t.Errorf("%d records in %d groups", table.Records, groups.Data.Len())
	}
	address, err = Parse("sqlite:" + path + "?table=safe")
	must(t, err)
	if _, err := Open(t.Context(), address, nil); err == nil {
		t.Error("a table that was not whole is there")
	}
}
