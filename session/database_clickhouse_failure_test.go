//go:build unix

package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/database"
	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
)

// inClickHouseLarge makes a table that takes a server a while to write.
const inClickHouseLarge = `CREATE TABLE large ENGINE = MergeTree ORDER BY id AS SELECT toInt64(number) AS id, concat('region ', toString(number % 7)) AS region,
	toString(number % 2) AS sex, toInt32(number % 90) AS age, hex(MD5(toString(number))) AS note FROM system.numbers LIMIT 1500000`

const (
	fillingInClickHouse = "SELECT count() FROM system.processes WHERE query LIKE 'INSERT INTO%'"
	safeInClickHouse    = "SELECT toString(groupArray(name)) FROM system.tables WHERE name LIKE 'safe%'"
)

// startLarge starts a server with the table, and returns the addresses of that and of the protected one.
func startLarge(t *testing.T) (server servertest.ClickHouse, large, safe string) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out: it takes a while")
	}
	server = servertest.StartClickHouse(t, 1)[0]
	if server.Log == "" {
		t.Skip("left out: it ends the server")
	}
	inClickHouseServer(t, server, inClickHouseLarge)
	return server, withTable(server, "large&key=id"), withTable(server, "safe")
}

// isReleased reports tables that are not there, or that are and should not.
func isReleased(t *testing.T, server servertest.ClickHouse, want string) {
	t.Helper()
	if tables := oneCell(t, "clickhouse", server.Connect, safeInClickHouse); tables != want {
		t.Errorf("there are %s, not %s", tables, want)
	}
}

// A program that is killed while a protected table is filled leaves what it says it leaves, and the session goes on
// when that is removed.
func TestKilledWhileProtectingInClickHouse(t *testing.T) {
	server, large, safe := startLarge(t)
	untilKilled(t, large, safe, func() { waitFor(t, "clickhouse", server.Connect, fillingInClickHouse, "1") })
	waitFor(t, "clickhouse", server.Connect, fillingInClickHouse, "0")
	isReleased(t, server, "['safe_unfinished']")
	s := keptSession(t, large)
	defer s.Close()
	if s.Position() != 1 {
		t.Errorf("the session has %d steps", s.Position())
	}
	_, err := s.Document().Export(t.Context(), ExportOptions{Path: safe}, nil)
	if !errors.Is(err, database.ErrExists) || !strings.Contains(err.Error(), "safe_unfinished") {
		t.Errorf("%v", err)
	}
	inClickHouseServer(t, server, "DROP TABLE safe_unfinished")
	_, err = s.Document().Export(t.Context(), ExportOptions{Path: safe}, nil)
	must(t, err)
	isReleased(t, server, "['safe']")
}

// Where a protected table is given up while it is filled, the server ends that within seconds, and nothing is left.
func TestGivenUpWhileProtectingInClickHouse(t *testing.T) {
	server, large, safe := startLarge(t)
	inClickHouseServer(t, server, "CREATE VIEW inside AS SELECT * FROM large", "CREATE VIEW outside AS SELECT * FROM inside")
	s := openTable(t, strings.Replace(large, "table=large", "table=outside", 1))
	inClickHouseServer(t, server, "DROP TABLE inside", "CREATE VIEW inside AS SELECT id, region, sex, age, if(sleepEachRow(0.00001) = 0, note, '') AS note FROM large")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := s.Document().Export(ctx, ExportOptions{Path: safe}, nil)
		ended <- err
	}()
	waitFor(t, "clickhouse", server.Connect, fillingInClickHouse, "1")
	stop()
	began := time.Now()
	for oneCell(t, "clickhouse", server.Connect, fillingInClickHouse) != "0" {
		if time.Sleep(10 * time.Millisecond); time.Since(began) > 3*time.Second {
			t.Fatal("the server goes on")
		}
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	isReleased(t, server, "[]")
}

// A server that ends while a protected table is filled has none when it is there again, and what was written beside
// it is not there; what it left is told, and when that is removed the table can be made.
func TestClickHouseKilledWhileProtecting(t *testing.T) {
	server, large, safe := startLarge(t)
	o := protects(t, large, safe)
	must(t, os.WriteFile(o.Script, []byte("{\"format\":\"sdcdesk-script\",\"version\":1}\n{\"scenario\":{\"keys\":[\"region\",\"sex\",\"age\"]}}\n"+
		`{"step":"suppress-kanonymity","params":{"k":3}}`), 0o600))
	o.Summary = filepath.Join(t.TempDir(), "summary.json")
	o.Warn = func(string) {}
	ended := make(chan error)
	go func() { ended <- Run(context.Background(), o) }()
	waitFor(t, "clickhouse", server.Connect, fillingInClickHouse, "1")
	server.Stop()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "once more") || strings.Contains(err.Error(), servertest.Password) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(o.Summary); err == nil {
		t.Error("a summary was written")
	}
	if err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("without a server: %v", err)
	}
	server.Again(t, 0)
	isReleased(t, server, "['safe_unfinished']")
	if err := Run(t.Context(), o); !errors.Is(err, database.ErrExists) {
		t.Errorf("beside what was left: %v", err)
	}
	inClickHouseServer(t, server, "DROP TABLE safe_unfinished")
	must(t, Run(t.Context(), o))
	isReleased(t, server, "['safe']")
}

// Where the disk of a server is full, that is said, and nothing is released.
func TestFullDiskOfClickHouse(t *testing.T) {
	server, large, safe := startLarge(t)
	server.Stop()
	server.Again(t, 4<<10)
	s := openTable(t, large)
	_, err := s.Document().Export(t.Context(), ExportOptions{Path: safe}, nil)
	if err == nil || !strings.Contains(err.Error(), "disk") || strings.Contains(err.Error(), servertest.Password) {
		t.Errorf("%v", err)
	}
	isReleased(t, server, "[]")
}
