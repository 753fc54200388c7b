package database

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// Of numbers that every record drew the missing ones are counted again: no more, and no fewer, than there were to be.
func TestMissingNumbersAreCountedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "survey.db")
	execute(t, "sqlite", path, "CREATE TABLE person (income REAL)", "INSERT INTO person VALUES (1.5), (NULL), (2), (NULL), (7)")
	table, err := Open(t.Context(), at(t, "sqlite:"+path, "person"), nil)
	must(t, err)
	for missing := range 5 {
		should := microdata.NewUncounted("income", microdata.Number, nil, nil, []int{missing}, 1)
		err := table.within(t.Context(), false, func(tx *sql.Tx) error { return table.checkMasked(t.Context(), tx, should, 5) })
		if refused := errors.Is(err, streamed.ErrRecount); refused == (missing == 2) || err != nil && !refused {
			t.Errorf("%d missing: %v", missing, err)
		}
	}
}

// A view that asks for a cell which would fill memory is refused by the database.
func TestCellsThatWouldFillMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "huge.sqlite")
	execute(t, "sqlite", path, "CREATE TABLE person (income REAL)", "INSERT INTO person VALUES (1.5)",
		"CREATE VIEW huge AS SELECT income, hex(zeroblob(40000000)) AS note FROM person")
	table, err := Open(t.Context(), at(t, "sqlite:"+path, "huge"), nil)
	if err == nil {
		err = table.within(t.Context(), false, func(tx *sql.Tx) error {
			return tx.QueryRowContext(t.Context(), "SELECT note FROM huge").Scan(new(string))
		})
	}
	if err == nil || !strings.Contains(err.Error(), "size limit") {
		t.Errorf("a cell of 80 MB: %v", err)
	}
}
