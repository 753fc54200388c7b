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

// Errors of addresses and of what they lead to.
var (
	ErrAddress  = errors.New("invalid table address")
	ErrPassword = errors.New("the server requires a password: set it in PGPASSFILE, a service file, PGPASSWORD or CLICKHOUSE_PASSWORD, or " +
		"start sdcdesk in a terminal, where it prompts for the password")
	ErrColumn  = errors.New("column not usable")
	ErrExists  = errors.New("a table with this name exists; choose another name, or drop the table first")
	ErrRecount = errors.New("the count in the database differs from what was written into the protected table")
)

// Address says where tables are, and how to connect to their database.
type Address struct {
	server  server
	connect string     // as the client takes it, with a password if there is one; never shown
	shown   string     // without the password
	file    string     // path of the database, if it is a file
	tables  [][]string // schema, if one is named, and table
	key     string     // column that records are ordered by; "": the primary key

	frequency
}

// schemes are the beginnings of addresses, and the kinds of servers that they lead to.
var schemes = []struct {
	start  string
	server server
}{{"postgres://", postgres{}}, {"postgresql://", postgres{}}, {"sqlite:", sqlite{}}, {"clickhouse://", clickHouse{}}}

// Is reports whether a text is meant as the address of a table, and not as the path of a file: it starts like the
// address of anything, in capital letters too.
func Is(text string) bool {
	_, _, known := serverOf(text)
	return known || startOfURL.MatchString(text)
}

// serverOf returns the kind of server of an address, and the address with its scheme in small letters.
func serverOf(text string) (of server, small string, known bool) {
	for _, s := range schemes {
		if len(text) >= len(s.start) && strings.EqualFold(text[:len(s.start)], s.start) {
			return s.server, s.start + text[len(s.start):], true
		}
	}
	return nil, text, false
}

// Parse reads an address: that of a database, with table= and perhaps key=, or what makes it that of a frequency table,
// behind a question mark. Errors wrap
// ErrAddress and repeat nothing of what was typed, which may hold a password.
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
	a.shown = strings.ReplaceAll(a.shown, "%2C", ",") // which ends nothing there
	return a, nil
}

// unescaped reports a password with / or ? in it, whose rest would be taken for the name of a database or an option,
// and shown.
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

// ParseTarget reads the address of the table that protected records are written to. Errors are those of Parse.
func ParseTarget(text string) (*Address, error) {
	a, err := Parse(text)
	if err == nil && len(a.tables) != 1 {
		err = fmt.Errorf("%w: name one table for the protected records, for example ?table=person_safe", ErrAddress)
	}
	return a, err
}

// tableNames splits names of tables at their commas, and each at its point, but not within double quotes.
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

// namedOnce reports a table that may be named twice: once with its schema and once without, or in capital letters.
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

// WithPassword returns an address with a password for its server.
func WithPassword(text, password string) string {
	where, behind, _ := strings.Cut(text, "?")
	options, err := url.ParseQuery(behind)
	if err != nil {
		return text // which Parse refuses
	}
	options.Set("password", password)
	return where + "?" + options.Encode()
}

// Reach reports whether the database answers. The error wraps ErrPassword if its server wants a password and none was
// given.
func (a *Address) Reach(ctx context.Context) error {
	c, err := a.server.begin(ctx, a, false)
	if err == nil {
		c.close()
	}
	return a.failed(ctx, err)
}

// String returns the address without a password, for sessions and messages.
func (a *Address) String() string { return a.shown }

// File returns the path of the file that the database is; "" if a server has it.
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

// quoted returns a name as SQL takes any.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// quotedAll returns names as SQL takes them.
func quotedAll(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = quoted(name)
	}
	return out
}

// relation returns the name of a table as SQL takes it.
func relation(table []string) string { return strings.Join(quotedAll(table), ".") }

// failed says what went wrong, without values of the table.
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
