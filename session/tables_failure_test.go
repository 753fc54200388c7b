//go:build unix

package session

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/files/database/servertest"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// slowly makes a server wait forever after a protected table was created but is not visible to others.
var slowly = []string{"CREATE FUNCTION slowly() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(3600); END $$",
	"CREATE EVENT TRIGGER slowly ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION slowly()"}

const (
	writing = `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'sdcdesk' AND query LIKE 'CREATE TABLE%' AND state = 'active'`
	safe    = `SELECT count(*) FROM pg_class WHERE relname = 'safe'`
)

// waitFor repeats a query until it has the answer.
func waitFor(tb testing.TB, where, query, answer string) {
	tb.Helper()
	for began := time.Now(); servertest.Cell(tb, "pgx", where, query) != answer; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			tb.Fatalf("%s is not %s after a minute", query, answer)
		}
	}
}

// keptOn starts or resumes a session on a table with its journal in a file.
func keptOn(t *testing.T, address, journal string) *Session {
	t.Helper()
	source := (*MethodSource)(nil).Source(address, fileio.Format{})
	if info, err := ReadJournal(journal, nil); err == nil {
		s, err := Continue(t.Context(), info.Reached(source), nil, 0, nil, nil)
		must(t, err)
		return s
	}
	opening, err := source.Open(t.Context(), nil)
	must(t, err)
	opening.Journal = journal
	s, err := New(opening)
	must(t, err)
	scenario := smallScenario()
	must(t, s.SetScenario(scenario))
	do(t, s, two)
	return s
}

// TestProtectUntilKilled is the program that TestKilledWhileProtecting runs.
func TestProtectUntilKilled(t *testing.T) {
	address := os.Getenv("SDCDESK_TEST_TABLE")
	if address == "" {
		t.Skip("this is run by another test")
	}
	s := keptOn(t, address, os.Getenv("SDCDESK_TEST_JOURNAL"))
	_, err := s.Document().Export(t.Context(), ExportOptions{Path: strings.Replace(address, "table=person", "table=safe", 1)}, nil)
	t.Fatal(err)
}

// A program or a server killed while a protected table is written leaves no table, and the session resumes.
func TestKilledWhileProtecting(t *testing.T) {
	server, log := servertest.Start(t)
	loadedTable(t, "pgx", server, "person", smallText)
	servertest.Execute(t, "pgx", server, slowly...)
	address, target := server+"&table=person", ExportOptions{Path: server + "&table=safe"}
	journal := filepath.Join(t.TempDir(), "journal")
	program := exec.Command(os.Args[0], "-test.run=^TestProtectUntilKilled$")
	program.Env = append(os.Environ(), "SDCDESK_TEST_TABLE="+address, "SDCDESK_TEST_JOURNAL="+journal)
	must(t, program.Start())
	waitFor(t, server, writing, "1")
	must(t, program.Process.Kill())
	_ = program.Wait()
	waitFor(t, server, writing, "0")
	s := keptOn(t, address, journal)
	if s.Position() != 1 {
		t.Errorf("the session has %d steps", s.Position())
	}
	ended := make(chan error)
	go func() {
		_, err := s.Document().Export(t.Context(), target, nil)
		ended <- err
	}()
	waitFor(t, server, writing, "1")
	servertest.Stop(t, log)
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "try again") || strings.Contains(err.Error(), servertest.Password) {
		t.Errorf("the server was killed: %v", err)
	}
	servertest.Again(t, log)
	if n := servertest.Cell(t, "pgx", server, safe); n != "0" {
		t.Error("a table is there")
	}
	servertest.Execute(t, "pgx", server, "DROP EVENT TRIGGER slowly")
	_, err := s.Document().Export(t.Context(), target, nil)
	must(t, errors.Join(err, s.Close()))
	if n := servertest.Cell(t, "pgx", server, "SELECT count(*) FROM safe"); n != "12" {
		t.Errorf("%s records are there", n)
	}
}

// If the disk of a server is full, the error says so, and there is no table.
func TestFullDiskOfAServer(t *testing.T) {
	server, log := servertest.Start(t)
	servertest.Execute(t, "pgx", server, `CREATE TABLE few AS SELECT n AS id, n % 2 AS sex FROM generate_series(1, 60000) n`,
		"CREATE VIEW person AS SELECT f.*, repeat('x', 400) AS note FROM few f", "CHECKPOINT")
	servertest.Stop(t, log)
	servertest.Full(t, log, 17<<10)
	o := RunOptions{Script: filepath.Join(t.TempDir(), "steps.jsonl"), File: server + "&table=person&key=id", Out: server + "&table=safe"}
	must(t, os.WriteFile(o.Script, []byte(`{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["sex"]}}`), 0o600))
	err := Run(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "File too large") || strings.Contains(err.Error(), servertest.Password) {
		t.Errorf("%v", err)
	}
	if n := servertest.Cell(t, "pgx", server, safe); n != "0" {
		t.Error("a table is there")
	}
}
