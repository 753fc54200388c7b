package servertest

import (
	"database/sql"
	"testing"
)

// Execute executes statements in a database, with a driver that the program does not use for it.
func Execute(tb testing.TB, driver, where string, statements ...string) {
	tb.Helper()
	db, err := sql.Open(driver, where)
	must(tb, err)
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			tb.Fatalf("%s: %v", statement, err)
		}
	}
}

// Cell returns the single cell that a query returns.
func Cell(tb testing.TB, driver, where, query string) (cell string) {
	tb.Helper()
	db, err := sql.Open(driver, where)
	must(tb, err)
	defer db.Close()
	must(tb, db.QueryRow(query).Scan(&cell))
	return cell
}
