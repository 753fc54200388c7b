//go:build unix

package session

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// slowly is a view whose records come at once, but to a protected table, which they never fill.
const slowly = `CREATE FUNCTION waits() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
  IF current_query() LIKE 'CREATE TABLE%' THEN PERFORM pg_sleep(3600); END IF; RETURN true; END $$;
CREATE VIEW slowly AS SELECT p.* FROM person p WHERE waits()`

const (
	fillingTable = `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'sdcdesk' AND query LIKE 'CREATE TABLE%' AND state = 'active'`
	safeTables   = `SELECT count(*) FROM pg_class WHERE relname = 'safe'`
)

// doIn carries out statements of SQL.
func doIn(tb testing.TB, where string, statements ...string) {
	tb.Helper()
	execute(tb, "pgx", where, statements...)
}

// waitFor asks until the answer is what it is to become.
func waitFor(tb testing.TB, driver, where, query, answer string) {
	tb.Helper()
	for began := time.Now(); oneCell(tb, driver, where, query) != answer; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			tb.Fatalf("%s is not %s after a minute", query, answer)
		}
	}
}

// protects are options that write a protected table.
func protects(t *testing.T, source, out string) RunOptions {
	t.Helper()
	steps := filepath.Join(t.TempDir(), "steps.jsonl")
	must(t, os.WriteFile(steps, []byte(protectsTable), 0o600))
	return RunOptions{Script: steps, File: source, Out: out}
}

// TestProtectUntilKilled is the program that untilKilled runs: it writes a protected table, and keeps a
// session on the table that it makes it of.
func TestProtectUntilKilled(t *testing.T) {
	table := os.Getenv("SDCDESK_TEST_TABLE")
	if table == "" {
		t.Skip("this is run by other tests")
	}
	s := keptSession(t, table)
	_, err := s.Document().Export(t.Context(), ExportOptions{Path: os.Getenv("SDCDESK_TEST_TARGET")}, nil)
	t.Fatal(err)
}

// untilKilled starts a program that writes a protected table of another, and kills it when that goes on.
func untilKilled(t *testing.T, table, target string, goesOn func()) {
	t.Helper()
	t.Setenv("SDCDESK_TEST_JOURNAL", filepath.Join(t.TempDir(), "journal"))
	program := exec.Command(os.Args[0], "-test.run=^TestProtectUntilKilled$")
	program.Env = append(os.Environ(), "SDCDESK_TEST_TABLE="+table, "SDCDESK_TEST_TARGET="+target)
	must(t, program.Start())
	goesOn()
	must(t, program.Process.Kill())
	_ = program.Wait()
}

// keptSession begins or continues a session on a table, with a step, that is kept in a file.
func keptSession(t *testing.T, table string) *Session {
	t.Helper()
	source := (*Known)(nil).Source(table, fileio.Format{})
	journal := os.Getenv("SDCDESK_TEST_JOURNAL")
	if info, err := ReadJournal(journal, nil); err == nil {
		s, err := Continue(t.Context(), info.Reached(source), nil, 0, nil)
		must(t, err)
		return s
	}
	opening, err := source.(passing).counting(groups{by: []string{"region", "sex", "age"}}).Open(t.Context(), nil)
	must(t, err)
	opening.Journal = journal
	s, err := New(opening)
	must(t, err)
	scenario := smallScenario()
	scenario.Keys, scenario.Household, scenario.Weight = []string{"region", "sex", "age"}, "", ""
	must(t, s.SetScenario(scenario))
	do(t, s, StepSpec{Step: "suppress-kanonymity", Params: []byte(`{"k":3}`)})
	return s
}

// A program that is killed while a protected table is filled leaves none; the server notices, and the session goes on.
func TestKilledWhileProtecting(t *testing.T) {
	server, _ := servertest.Start(t)
	drawTable(rand.New(rand.NewPCG(2, 7))).load(t, "pgx", server, inPostgres)
	doIn(t, server, slowly)
	table := server + "&table=slowly&key=id"
	untilKilled(t, table, server+"&table=safe", func() { waitFor(t, "pgx", server, fillingTable, "1") })
	waitFor(t, "pgx", server, fillingTable, "0")
	if n := oneCell(t, "pgx", server, safeTables); n != "0" {
		t.Error("a table was released")
	}
	doIn(t, server, "CREATE OR REPLACE FUNCTION waits() RETURNS boolean LANGUAGE sql AS 'SELECT true'")
	s := keptSession(t, table)
	if s.Position() != 1 {
		t.Errorf("the session has %d steps", s.Position())
	}
	_, err := s.Document().Export(t.Context(), ExportOptions{Path: server + "&table=safe"}, nil)
	must(t, errors.Join(err, s.Close()))
	if n := oneCell(t, "pgx", server, safeTables); n != "1" {
		t.Error("no table was released")
	}
}

// A server that is stopped while a protected table is filled has none when it is there again, and what was written
// beside it is not there; then it can be made.
func TestServerKilledWhileProtecting(t *testing.T) {
	server, log := servertest.Start(t)
	drawTable(rand.New(rand.NewPCG(2, 7))).load(t, "pgx", server, inPostgres)
	doIn(t, server, slowly)
	o := protects(t, server+"&table=slowly&key=id", server+"&table=safe")
	o.Summary = filepath.Join(t.TempDir(), "summary.json")
	ended := make(chan error)
	go func() { ended <- Run(context.Background(), o) }()
	waitFor(t, "pgx", server, fillingTable, "1")
	servertest.Stop(t, log)
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "once more") || strings.Contains(err.Error(), servertest.Password) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(o.Summary); err == nil {
		t.Error("a summary was written")
	}
	servertest.Again(t, log)
	if n := oneCell(t, "pgx", server, safeTables); n != "0" {
		t.Error("a table was released")
	}
	doIn(t, server, "CREATE OR REPLACE FUNCTION waits() RETURNS boolean LANGUAGE sql AS 'SELECT true'")
	must(t, Run(context.Background(), o))
}

// Where the disk of a server is full, that is said, and nothing is released.
func TestFullDiskOfAServer(t *testing.T) {
	server, log := servertest.Start(t)
	doIn(t, server, `CREATE TABLE few AS SELECT n AS id, 'r' || n % 5 AS region, n % 2 AS sex, n % 7 AS age, 'h' || n % 3 AS health, 1 AS w,
		n % 4 AS income
		FROM generate_series(1, 60000) n`, "CREATE VIEW person AS SELECT f.*, repeat('x', 400) AS note FROM few f", "CHECKPOINT")
	servertest.Stop(t, log)
	servertest.Full(t, log, 17<<10)
	o := protects(t, server+"&table=person&key=id", server+"&table=safe")
	text, err := os.ReadFile(o.Script)
	must(t, err)
	must(t, os.WriteFile(o.Script, []byte(strings.ReplaceAll(strings.ReplaceAll(string(text), `"remove":["note"],`, ""),
		`{"step":"recode-rename","params":{"variable":"sex","level":"m","label":"man"}}`+"\n", "")), 0o600))
	err = Run(context.Background(), o)
	if err == nil || !strings.Contains(err.Error(), "File too large") || strings.Contains(err.Error(), servertest.Password) {
		t.Errorf("%v", err)
	}
	if n := oneCell(t, "pgx", server, safeTables); n != "0" {
		t.Error("a table was released")
	}
}
