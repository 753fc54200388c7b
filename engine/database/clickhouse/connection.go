// Package clickhouse is a driver of package database/sql for servers of ClickHouse, over HTTP.
//
// A statement is asked in a request of its own: there are no transactions, and what stands for them does nothing.
// Values never stand in a statement, which servers note in their logs: texts, which $1, $2 and so on
// stand for, and relations, which the statement names, travel beside it as tables that end with it.
// A query that is given up is ended in the server, too.
//
//	db, err := sql.Open("clickhouse", "http://user@host:8123/default")
//	rows, err := db.Query("SELECT count() FROM person WHERE region IN (SELECT name FROM regions)",
//		&clickhouse.Relation{Name: "regions", Columns: []clickhouse.Column{{Name: "name", Texts: names}}})
package clickhouse

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"
)

func init() { sql.Register("clickhouse", opener{}) }

// opener is the driver. Cells come as texts, nil for NULL.
type opener struct{}

// Open returns a connection to a server at http://user:password@host:port/database, or https. Nothing is sent before
// something is asked. User and password are those of CLICKHOUSE_USER and CLICKHOUSE_PASSWORD where none are given.
func (opener) Open(address string) (driver.Conn, error) {
	where, err := url.Parse(address)
	if err != nil {
		return nil, errUnsupported
	}
	c := &connection{url: where.Scheme + "://" + where.Host + "/", database: strings.Trim(where.Path, "/"),
		// servers close connections that wait for some seconds, which may be just when one is used again
		user: cmp.Or(where.User.Username(), os.Getenv("CLICKHOUSE_USER"), "default"),
		client: &http.Client{Transport: &http.Transport{DisableCompression: true, DisableKeepAlives: true},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	c.password = passwordOf(where)
	return c, nil
}

// HasPassword reports whether an address of a server, or else the environment, has a password.
func HasPassword(address string) bool {
	where, err := url.Parse(address)
	return err == nil && passwordOf(where) != ""
}

func passwordOf(where *url.URL) string {
	if password, given := where.User.Password(); given {
		return password
	}
	return os.Getenv("CLICKHOUSE_PASSWORD")
}

var errUnsupported = errors.New("clickhouse: not supported")

// connection is a driver.Conn.
type connection struct {
	url            string
	database       string // where tables are whose names have none
	user, password string
	client         *http.Client
}

var (
	_ driver.QueryerContext    = (*connection)(nil)
	_ driver.ExecerContext     = (*connection)(nil)
	_ driver.NamedValueChecker = (*connection)(nil)
)

// Prepare is not supported.
func (c *connection) Prepare(string) (driver.Stmt, error) { return nil, errUnsupported }

// Begin begins nothing.
func (c *connection) Begin() (driver.Tx, error) { return nothing{}, nil }

// Close closes nothing: no connection to the server outlives what was asked.
func (c *connection) Close() error { return nil }

// nothing is the transaction that there is not.
type nothing struct{}

// Commit does nothing.
func (nothing) Commit() error { return nil }

// Rollback does nothing.
func (nothing) Rollback() error { return nil }

// CheckNamedValue takes texts, numbers, relations and settings.
func (c *connection) CheckNamedValue(value *driver.NamedValue) error {
	switch value.Value.(type) {
	case string, float64, *Relation, Setting:
		return nil
	}
	return errUnsupported
}

// Setting is a setting of the server that holds for one statement.
type Setting struct{ Name, Value string }

// QueryContext asks for rows. Errors of the server are *Error.
func (c *connection) QueryContext(ctx context.Context, statement string, values []driver.NamedValue) (driver.Rows,
	error) {
	a, err := c.ask(ctx, statement+"\nFORMAT CSVWithNames", values)
	if err != nil {
		return nil, err
	}
	rows := newRows(a)
	if err := rows.readNames(); err != nil {
		rows.Close()
		return nil, err
	}
	return rows, nil
}

// ExecContext carries out a statement without rows. How many it is about is not told.
func (c *connection) ExecContext(ctx context.Context, statement string, values []driver.NamedValue) (driver.Result,
	error) {
	a, err := c.ask(ctx, statement, values)
	if err != nil {
		return nil, err
	}
	rows := newRows(a)
	defer rows.Close()
	return driver.ResultNoRows, rows.drain()
}
