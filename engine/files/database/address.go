package database

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Errors of addresses, and of the databases and tables they name.
var (
	ErrAddress  = errors.New("invalid table address")
	ErrPassword = errors.New("the server requires a password: set it in PGPASSFILE, a service file, PGPASSWORD or CLICKHOUSE_PASSWORD, or " +
		"start sdcdesk in a terminal, where it prompts for the password")
	ErrColumn  = errors.New("column not usable")
	ErrExists  = errors.New("a table with this name exists; choose another name, or drop the table first")
	ErrRecount = errors.New("the count in the database differs from what was written into the protected table")
)

// Address identifies tables and the connection to their database.
type Address struct {
	server  server
	connect string     // address for the client, possibly with a password; never shown
	shown   string     // address without the password
	file    string     // path of a database file, or ""
	tables  [][]string // names of tables, each with its schema if given
	key     string     // column that orders the records; "" for the primary key

	frequency
}

// schemes lists the schemes of addresses with their servers.
var schemes = []struct {
	start  string
	server server
}{{"postgres://", postgres{}}, {"postgresql://", postgres{}}, {"sqlite:", sqlite{}}, {"clickhouse://", clickHouse{}}}

// Is reports whether a text is the address of a table rather than the path of a file: it begins with a scheme, in
// any case.
func Is(text string) bool {
	_, _, known := serverOf(text)
	return known || startOfURL.MatchString(text)
}

// serverOf returns the server for an address, and the address with its scheme in lower case.
func serverOf(text string) (of server, small string, known bool) {
	for _, s := range schemes {
		if len(text) >= len(s.start) && strings.EqualFold(text[:len(s.start)], s.start) {
			return s.server, s.start + text[len(s.start):], true
		}
	}
	return nil, text, false
}

// Parse parses an address: that of a database, followed by a question mark with table= and optionally key=, or the
// options of a frequency table. Errors wrap ErrAddress and never quote the text, which may contain a password.
func Parse(text string) (*Address, error) {
	server, text, known := serverOf(text)
	if !known {
		return nil, fmt.Errorf("%w: it must start with postgres://, clickhouse:// or sqlite:. For other databases, export the table as CSV "+
			"or Parquet and open that file", ErrAddress)
	}
	where, behind, _ := strings.Cut(text, "?")
	options, err := url.ParseQuery(behind)
	if err != nil {
		return nil, fmt.Errorf("%w: the options after the question mark are not valid: write %%25 for %%", ErrAddress)
	}
	if err := unescaped(where, options); err != nil {
		return nil, err
	}
	if options.Has("check") {
		return nil, fmt.Errorf("%w: check= is obsolete, because sdcdesk always compares the hash of the records; remove it", ErrAddress)
	}
	a := &Address{server: server, key: options.Get("key")}
	named := url.Values{}
	for _, own := range []string{"table", "key", "count", "weight", "keep"} {
		if options.Get(own) != "" || own == "count" && options.Has(own) {
			named[own] = options[own]
		}
		options.Del(own)
	}
	if named.Has("table") {
		if a.tables, err = tableNames(named.Get("table")); err != nil {
			return nil, err
		}
	}
	if err := a.frequency.set(named); err != nil {
		return nil, err
	}
	if err := server.locate(a, where, options, named); err != nil {
		return nil, err
	}
	a.shown = strings.ReplaceAll(a.shown, "%2C", ",") // commas need no escape in the path
	return a, nil
}

// unescaped returns an error for a password with an unescaped / or ?, whose rest would be taken for the name of a
// database or an option and be shown.
func unescaped(where string, options url.Values) error {
	_, authority, server := strings.Cut(where, "://")
	_, path, _ := strings.Cut(authority, "/")
	cut := server && strings.Contains(path, "@")
	for name := range options {
		cut = cut || strings.Contains(name, "@")
	}
	if cut {
		return errEscape
	}
	return nil
}

var errEscape = fmt.Errorf("%w: escape special characters in names and passwords, for example %%40 for @ and %%2F for /", ErrAddress)

// ParseTarget parses the address of the table to write protected records to. Errors are those of Parse.
func ParseTarget(text string) (*Address, error) {
	a, err := Parse(text)
	if err == nil && len(a.tables) != 1 {
		err = fmt.Errorf("%w: name one table for the protected records, for example ?table=person_safe", ErrAddress)
	}
	return a, err
}

// tableNames splits a list of tables at commas, and each name at its point, except within double quotes.
func tableNames(text string) (tables [][]string, err error) {
	var part strings.Builder
	var table []string
	quoted := false
	end := func() {
		table = append(table, part.String())
		part.Reset()
	}
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b == '"' && quoted && strings.HasPrefix(text[i:], `""`):
			part.WriteByte(b)
			i++
		case b == '"':
			quoted = !quoted
		case b == '.' && !quoted:
			end()
		case b == ',' && !quoted:
			end()
			tables, table = append(tables, table), nil
		default:
			part.WriteByte(b)
		}
	}
	end()
	tables = append(tables, table)
	for _, table := range tables {
		if quoted || len(table) > 2 || slices.Contains(table, "") {
			return nil, fmt.Errorf("%w: name the table, for example ?table=person or ?table=census.person, or several tables with the same "+
				"columns, for example ?table=north,south; put a name with a dot or a comma in double quotes", ErrAddress)
		}
	}
	return tables, namedOnce(tables)
}

// namedOnce returns an error if two names may refer to the same table: with and without its schema, or in
// different case.
func namedOnce(tables [][]string) error {
	for i, x := range tables {
		for _, y := range tables[:i] {
			schema := len(x) != len(y) || strings.EqualFold(x[0], y[0])
			if schema && strings.EqualFold(x[len(x)-1], y[len(y)-1]) {
				return fmt.Errorf("%w: %s and %s may be the same table, and its records would be counted twice; name each table once, with its "+
					"schema", ErrAddress, strings.Join(y, "."), strings.Join(x, "."))
			}
		}
	}
	return nil
}

// WithPassword returns an address with a password added.
func WithPassword(text, password string) string {
	where, behind, _ := strings.Cut(text, "?")
	options, err := url.ParseQuery(behind)
	if err != nil {
		return text // Parse rejects it
	}
	options.Set("password", password)
	return where + "?" + options.Encode()
}

// Reach connects to the database. The error wraps ErrPassword if the server requires a password and none was
// given.
func (a *Address) Reach(ctx context.Context) error {
	c, err := a.server.begin(ctx, a, false)
	if err == nil {
		c.close()
	}
	return a.failed(ctx, err)
}

// String returns the address without its password, for sessions and messages.
func (a *Address) String() string { return a.shown }

// File returns the path of a database file, or "" for a server.
func (a *Address) File() string { return a.file }

// Name returns the names of the tables.
func (a *Address) Name() string {
	if len(a.tables) == 0 {
		return "a database"
	}
	names := make([]string, len(a.tables))
	for i, table := range a.tables {
		names[i] = strings.Join(table, ".")
	}
	return strings.Join(names, ", ")
}

// quoted returns a name as a quoted SQL identifier.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// quotedAll returns names as quoted SQL identifiers.
func quotedAll(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = quoted(name)
	}
	return out
}

// relation returns the name of a table in SQL.
func relation(table []string) string { return strings.Join(quotedAll(table), ".") }

// failed describes an error without values of the table.
func (a *Address) failed(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, own := range []error{ErrAddress, ErrPassword, ErrColumn, ErrExists, ErrRecount} {
		if errors.Is(err, own) {
			return err
		}
	}
	if errors.As(err, new(*statfile.Failure)) {
		return err
	}
	return fmt.Errorf("%s: %w", a.shown, a.server.fault(err))
}
