//go:build unix

package session

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/database"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// Where a database notes nothing of a change it is noticed by a sum over all records, where the address asks for
// that: when the table is released, and when a session on it is continued.
func TestSumOfATable(t *testing.T) {
	h, folder := startHalves(t), t.TempDir()
	h.load(t, drawTable(rand.New(rand.NewPCG(11, 7))))
	for driver, where := range h.connections() {
		if driver == "clickhouse" {
			execute(t, driver, where, "DROP TABLE IF EXISTS looked")
		}
		execute(t, driver, where, "CREATE VIEW looked AS SELECT * FROM north")
		change := func(to string) {
			statements := []string{"UPDATE north SET note = '" + to + "'"}
			if driver == "clickhouse" {
				statements = []string{"ALTER TABLE north UPDATE note = '" + to + "' WHERE id >= 0", "SELECT sleep(2)"}
			}
			execute(t, driver, where, statements...)
			if driver == "sqlite" { // whose time is the same
				must(t, os.Chtimes(h.path, time.Unix(1e9, 0), time.Unix(1e9, 0)))
			}
		}
		change("first")
		looked := h.table("looked&key=id")[driver]
		t.Setenv("SDCDESK_TEST_JOURNAL", filepath.Join(t.TempDir(), "journal"))
		must(t, keptSession(t, looked+"&check=sum").Close())
		must(t, keptSession(t, looked+"&check=sum").Close()) // continued
		plain, summed := openTable(t, looked), openTable(t, looked+"&check=sum")
		released := func(s *Session, path string) error {
			_, err := s.Document().Export(t.Context(), ExportOptions{Path: path}, nil)
			return err
		}
		must(t, released(plain, filepath.Join(folder, driver+"1.csv")))
		must(t, released(summed, filepath.Join(folder, driver+"2.csv")))
		change("second")
		must(t, released(plain, filepath.Join(folder, driver+"3.csv"))) // nothing tells
		for _, path := range []string{filepath.Join(folder, "out.csv"), h.table("safe")[driver]} {
			if err := released(summed, path); !errors.Is(err, streamed.ErrChanged) {
				t.Errorf("%s to %s: %v", driver, path, err)
			}
		}
		info, err := ReadJournal(os.Getenv("SDCDESK_TEST_JOURNAL"), nil)
		must(t, err)
		source := (*Known)(nil).Source(looked+"&check=sum", fileio.Format{})
		if _, err := Continue(t.Context(), info.Reached(source), nil, 0, nil); !errors.Is(err, streamed.ErrChanged) {
			t.Errorf("%s, continued: %v", driver, err)
		}
	}
	if _, err := database.Parse(fmt.Sprintf("sqlite:%s?table=a&check=count", h.path)); !errors.Is(err, database.ErrAddress) {
		t.Errorf("%v", err)
	}
}
