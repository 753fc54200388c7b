package database

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// Errors of addresses: they name no table, or their server wants a password.
var (
	ErrAddress  = errors.New("not the address of a table")
	ErrPassword = errors.New("the server wants a password, and none was given: put it into PGPASSFILE, a service file, " +
		"PGPASSWORD or CLICKHOUSE_PASSWORD, or begin on a terminal, which is asked for it")
)

// Address says where a table is, and how to get there.
type Address struct {
	dialect dialect
	connect string // as the driver takes it, with a password where somebody put one there; never shown
	shown   string
	place   string     // of the database: tables with the same one are in one
	table   []string   // schema, where one is named, and table
	others  [][]string // likewise: tables of the same form, whose records are taken with those of the table
	key     string     // column that tells records apart; "": none is named
	sum     bool       // hashes of all records are added up, to tell whether they changed
}

// starts are the beginnings of addresses, and the kinds of databases that they are of.
var starts = []struct {
	start   string
	dialect dialect
}{{"postgres://", postgresql{}}, {"postgresql://", postgresql{}}, {"sqlite:", sqlite{}}, {"clickhouse://", clickhouse{}}}

// Is reports whether a text is meant as the address of a table, and not as the path of a file: it begins like an
// address, of whatever kind, in capital letters too.
func Is(text string) bool {
	_, _, known := dialectOf(text)
	return known || startOfURL.MatchString(text)
}

// dialectOf returns the kind of database that an address is of, and the address with its beginning in small letters.
func dialectOf(text string) (is dialect, small string, known bool) {
	for _, s := range starts {
		if len(text) >= len(s.start) && strings.EqualFold(text[:len(s.start)], s.start) {
			return s.dialect, s.start + text[len(s.start):], true
		}
	}
	return nil, text, false
}

// Parse reads an address: that of a database, with table= and perhaps key= after a question mark.
// Errors wrap ErrAddress and hold nothing of what was typed, which may hold a password.
func Parse(text string) (*Address, error) {
	is, text, known := dialectOf(text)
	if !known {
		return nil, fmt.Errorf("%w: it does not begin with postgres://, clickhouse:// or sqlite: as such addresses do", ErrAddress)
	}
	where, behind, _ := strings.Cut(text, "?")
	options, err := url.ParseQuery(behind)
	if err != nil {
		return nil, fmt.Errorf("%w: what stands behind its question mark cannot be read: write %%25 for %%", ErrAddress)
	}
	if err := unescaped(where, options); err != nil {
		return nil, err
	}
	a := &Address{dialect: is, key: options.Get("key")}
	tables, err := tableNames(options.Get("table"))
	if err != nil {
		return nil, err
	}
	a.table, a.others = tables[0], tables[1:]
	if a.sum, err = isSum(options.Get("check")); err != nil {
		return nil, err
	}
	named := url.Values{"table": options["table"]}
	if a.sum {
		named["check"] = options["check"]
	}
	if a.key != "" {
		named["key"] = options["key"]
	}
	options.Del("check")
	options.Del("table")
	options.Del("key")
	if err := is.locate(a, where, options, named); err != nil {
		return nil, err
	}
	a.shown = strings.ReplaceAll(a.shown, "%2C", ",") // which ends nothing there
	return a, nil
}

// unescaped reports a password with / or ? in it, whose rest would be taken for the name of a database or an option
// and shown.
func unescaped(where string, options url.Values) error {
	_, authority, server := strings.Cut(where, "://")
	_, path, _ := strings.Cut(authority, "/")
	cut := server && strings.Contains(path, "@")
	for name := range options {
		cut = cut || strings.Contains(name, "@")
	}
	if cut {
		return fmt.Errorf("%w: write %%40 for @, %%2F for / and so on in names and passwords", ErrAddress)
	}
	return nil
}

// isSum reads what an address says of how to tell whether records changed.
func isSum(check string) (bool, error) {
	if check != "" && check != "sum" {
		return false, fmt.Errorf("%w: write &check=sum to have the records added up that may change, or nothing", ErrAddress)
	}
	return check != "", nil
}

// ParseTarget reads the address of a table that protected records are to be in. Errors are those of Parse; several
// tables are one, too.
func ParseTarget(text string) (*Address, error) {
	a, err := Parse(text)
	if err == nil && len(a.others) > 0 {
		err = fmt.Errorf("%w: protected records go into one table, and %s are several; name one", ErrAddress, a.Name())
	}
	return a, err
}

// tableNames splits names of tables at their commas, and each at its point, those in double quotes left alone.
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
			return nil, fmt.Errorf("%w: say the table behind a question mark, as in ?table=person or ?table=census.person, or several "+
				"of one form, as in ?table=north,south; a name with a point or a comma in it stands in double quotes", ErrAddress)
		}
	}
	return tables, namedOnce(tables)
}

// namedOnce reports a table that may be named twice: whose schema is named once only, or the name in capital letters.
func namedOnce(tables [][]string) error {
	for i, x := range tables {
		for _, y := range tables[:i] {
			schema := len(x) != len(y) || strings.EqualFold(x[0], y[0])
			if schema && strings.EqualFold(x[len(x)-1], y[len(y)-1]) {
				return fmt.Errorf("%w: %s and %s may be one table, whose records would count twice; name each table once, and the "+
					"schema of all", ErrAddress, strings.Join(y, "."), strings.Join(x, "."))
			}
		}
	}
	return nil
}

// tables returns an address for each table.
func (a *Address) tables() []*Address {
	out := make([]*Address, 1+len(a.others))
	for i := range out {
		one := *a
		if one.others = nil; i > 0 {
			one.table = a.others[i-1]
		}
		out[i] = &one
	}
	return out
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

// Reach reports whether the database answers. The error wraps ErrPassword where its server wants a password and none
// was given, and is else that of Open.
func (a *Address) Reach(ctx context.Context) error {
	_, end, err := a.dialect.begin(ctx, a, false)
	if err == nil {
		end()
	}
	return a.failed(ctx, err)
}

// String returns the address without a password, as it stands in sessions and messages.
func (a *Address) String() string { return a.shown }

// Name returns the name of the table, or of all.
func (a *Address) Name() string {
	var names []string
	for _, one := range a.tables() {
		names = append(names, strings.Join(one.table, "."))
	}
	return strings.Join(names, ", ")
}

// File returns the path of the file that the database is; "" where a server holds it.
func (a *Address) File() string { return a.dialect.file(a) }

// Caution says what is to be known of a protected table that was made there; "": nothing.
func (a *Address) Caution() string { return a.dialect.caution() }

// quoted returns a name as SQL takes any.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// relation returns the name of the table, of several the first, as SQL takes it.
func (a *Address) relation() string {
	parts := make([]string, len(a.table))
	for i, part := range a.table {
		parts[i] = quoted(part)
	}
	return strings.Join(parts, ".")
}

// failed says what went wrong with the table, without values of it.
func (a *Address) failed(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, own := range []error{ErrAddress, ErrPassword, ErrColumn, ErrKey, ErrExists, ErrTarget, streamed.ErrChanged, streamed.ErrRecount,
		microdata.ErrWeights, microdata.ErrLengths, notation.ErrCondition} {
		if errors.Is(err, own) || errors.As(err, new(*statfile.Failure)) {
			return err
		}
	}
	return fmt.Errorf("%s: %w", a.shown, a.dialect.fault(err))
}
