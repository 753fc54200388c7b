package database

import (
	"context"
	"errors"
	"fmt"
	"net/url"
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
	place   string   // of the database: tables with the same one are in one
	table   []string // schema, where one is named, and table
	key     string   // column that tells records apart; "": none is named
}

// starts are the beginnings of addresses, and the kinds of databases that they are of.
var starts = []struct {
	start   string
	dialect dialect
}{{"postgres://", postgresql{}}, {"postgresql://", postgresql{}}, {"sqlite:", sqlite{}}, {"clickhouse://", clickhouse{}}}

// Is reports whether a text is meant as the address of a table, and not as the path of a file.
func Is(text string) bool {
	for _, s := range starts {
		if strings.HasPrefix(text, s.start) {
			return true
		}
	}
	return false
}

// Parse reads an address: that of a database, with table= and perhaps key= behind a question mark.
// Errors wrap ErrAddress and have nothing of what was typed, which may hold a password.
func Parse(text string) (*Address, error) {
	for _, s := range starts {
		if !strings.HasPrefix(text, s.start) {
			continue
		}
		where, behind, _ := strings.Cut(text, "?")
		options, err := url.ParseQuery(behind)
		if err != nil {
			return nil, fmt.Errorf("%w: what stands behind its question mark cannot be read: write %%25 for %%", ErrAddress)
		}
		a := &Address{dialect: s.dialect, key: options.Get("key")}
		if a.table, err = nameParts(options.Get("table")); err != nil {
			return nil, err
		}
		named := url.Values{"table": options["table"]}
		if a.key != "" {
			named["key"] = options["key"]
		}
		options.Del("table")
		options.Del("key")
		return a, s.dialect.locate(a, where, options, named)
	}
	return nil, fmt.Errorf("%w: it does not begin with postgres://, clickhouse:// or sqlite: as such addresses do", ErrAddress)
}

// nameParts splits the name of a table at its points, those in double quotes left alone.
func nameParts(name string) (parts []string, err error) {
	var part strings.Builder
	quoted := false
	for i := 0; i < len(name); i++ {
		switch b := name[i]; {
		case b == '"' && quoted && strings.HasPrefix(name[i:], `""`):
			part.WriteByte(b)
			i++
		case b == '"':
			quoted = !quoted
		case b == '.' && !quoted:
			parts = append(parts, part.String())
			part.Reset()
		default:
			part.WriteByte(b)
		}
	}
	parts = append(parts, part.String())
	for _, p := range parts {
		if quoted || p == "" || len(parts) > 2 {
			return nil, fmt.Errorf("%w: say the table behind a question mark, as in ?table=person or ?table=census.person; "+
				`a name with a point in it stands in double quotes`, ErrAddress)
		}
	}
	return parts, nil
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

// Reach reports whether the database answers. The error wraps ErrPassword where its server wants a password and none was
// given, and is else that of Open.
func (a *Address) Reach(ctx context.Context) error {
	_, end, err := a.dialect.begin(ctx, a, false)
	if err == nil {
		end()
	}
	return a.failed(ctx, err)
}

// String returns the address without a password, as it stands in sessions and messages.
func (a *Address) String() string { return a.shown }

// Name returns the name of the table.
func (a *Address) Name() string { return strings.Join(a.table, ".") }

// File returns the path of the file that the database is; "" where a server holds it.
func (a *Address) File() string { return a.dialect.file(a) }

// Caution says what is to be known of a protected table that was made there; "": nothing.
func (a *Address) Caution() string { return a.dialect.caution() }

// quoted returns a name as SQL takes any.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// relation returns the name of the table as SQL takes it.
func (a *Address) relation() string {
	parts := make([]string, len(a.table))
	for i, part := range a.table {
		parts[i] = quoted(part)
	}
	return strings.Join(parts, ".")
}

// failed says what went wrong with the table, without values of it.
func (a *Address) failed(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	for _, own := range []error{ErrAddress, ErrPassword, ErrColumn, ErrExists, ErrTarget, streamed.ErrChanged, streamed.ErrRecount,
		microdata.ErrWeights, microdata.ErrLengths, notation.ErrCondition} {
		if errors.Is(err, own) || errors.As(err, new(*statfile.Failure)) {
			return err
		}
	}
	return fmt.Errorf("%s: %w", a.shown, a.dialect.fault(err))
}
