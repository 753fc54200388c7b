package database

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// givingUp is a file that is given up after its first bytes.
type givingUp struct{ stop context.CancelFunc }

func (g givingUp) Write(p []byte) (int, error) {
	g.stop()
	return len(p), nil
}

// full is a file that cannot be written.
type full struct{}

var errFull = errors.New("no space is left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// A protected file that is given up, cannot be written, or of which the server cannot make a record ends with that,
// and the table can be asked on.
func TestFilesThatAreGivenUp(t *testing.T) {
	server, _ := servertest.Start(t)
	execute(t, "pgx", server, "CREATE TABLE person AS SELECT n AS id, 'region ' || n % 9 AS region FROM generate_series(1, 100000) AS n",
		"CREATE TABLE broken (yes int)", "CREATE VIEW divided AS SELECT id, CASE WHEN id = 90000 AND EXISTS (SELECT FROM broken) "+
			"THEN (1 / (id - 90000))::text ELSE region END AS region FROM person")
	for _, key := range []string{"id", ""} {
		write := writing(t, server, "person", key)
		ctx, stop := context.WithCancel(t.Context())
		if err := write(ctx, givingUp{stop}); !errors.Is(err, context.Canceled) {
			t.Errorf("key %q: given up: %v", key, err)
		}
		if err := write(t.Context(), full{}); !errors.Is(err, errFull) {
			t.Errorf("key %q: not written: %v", key, err)
		}
		if err := write(t.Context(), io.Discard); err != nil {
			t.Errorf("key %q: once more: %v", key, err)
		}
		execute(t, "pgx", server, "DELETE FROM broken")
		write = writing(t, server, "divided", key)
		execute(t, "pgx", server, "INSERT INTO broken VALUES (1)")
		if err := write(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), "22012") {
			t.Errorf("key %q: a record that is none: %v", key, err)
		}
	}
}

// writing returns what writes the records of a table as a file.
func writing(t *testing.T, server, name, key string) func(ctx context.Context, w io.Writer) error {
	t.Helper()
	address := at(t, server, name)
	address.key = key
	table, err := Open(t.Context(), address, nil)
	must(t, err)
	said := []fileio.Described{{}, {}}
	groups, _, err := table.Pass(t.Context(), []string{"region"}, "", nil, said, nil)
	must(t, err)
	return func(ctx context.Context, w io.Writer) error {
		_, err := table.Write(ctx, w, fileio.FormatFor("safe.csv", table.Format()), &Release{Groups: groups, Data: groups.Data},
			fileio.WriteOptions{}, nil)
		return err
	}
}
