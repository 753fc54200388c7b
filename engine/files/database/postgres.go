package database

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// postgres implements server for PostgreSQL 15 and later.
type postgres struct{}

func (postgres) locate(a *Address, where string, options, named url.Values) error {
	parsed, err := url.Parse(where)
	if err != nil {
		return errEscape
	}
	a.connect = withOptions(parsed, options)
	if _, err := pgconn.ParseConfig(a.connect); err != nil {
		return fmt.Errorf("%w: a connection option has an invalid value: check the options after the question mark, the environment "+
			"variables and the service file", ErrAddress)
	}
	if parsed.User != nil {
		parsed.User = url.User(parsed.User.Username())
	}
	for name, values := range options {
		if name != "password" && name != "sslpassword" {
			named[name] = values
		}
	}
	a.shown = withOptions(parsed, named)
	return nil
}

// withOptions returns an address with options after a question mark.
func withOptions(to *url.URL, options url.Values) string {
	out := *to
	if out.Host == "" && out.Path == "" {
		out.Path = "/" // keeps the slashes of the address
	}
	out.RawQuery = options.Encode()
	return out.String()
}

// wrongPassword is the error code for a wrong or absent password.
const wrongPassword = "28P01"

// connectWait is the connection timeout unless connect_timeout is set, for servers other than PostgreSQL, which
// may never answer.
const connectWait = 20 * time.Second

// cancelWait is the time to wait for a cancelled statement before the connection is closed.
const cancelWait = 3 * time.Second

// Settings for every transaction, overriding those of the role: rows hidden by a policy are an error, text formats
// are fixed, the order of records is reproducible, and the server notices if the program has ended, if it can.
const (
	alwaysSet = `SELECT set_config(name, value, true) FROM (VALUES ('row_security', 'off'), ('timezone', 'UTC'),
  ('datestyle', 'ISO'), ('intervalstyle', 'postgres'), ('extra_float_digits', '1'), ('client_encoding', 'UTF8'),
  ('work_mem', '128MB'), ('jit', 'off'), ('client_connection_check_interval', '1s')) AS s(name, value)
WHERE name <> 'client_connection_check_interval' OR version() !~* 'windows|mingw|visual c'`
	setToRead = `SELECT set_config('synchronize_seqscans', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`
)

// postgresTransaction is a transaction on its own connection.
type postgresTransaction struct {
	connection *pgconn.PgConn
}

// begin does not use prepared statements, which a connection pooler would send to another connection.
func (postgres) begin(ctx context.Context, a *Address, write bool) (transaction, error) {
	config, err := pgconn.ParseConfig(a.connect)
	if err != nil {
		return nil, err
	}
	config.BuildContextWatcherHandler = func(c *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: c, DeadlineDelay: cancelWait}
	}
	config.ConnectTimeout = cmp.Or(config.ConnectTimeout, connectWait)
	config.RuntimeParams["application_name"], config.RuntimeParams["client_encoding"] = "sdcdesk", "UTF8"
	connection, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		if said := new(pgconn.PgError); errors.As(err, &said) && said.Code == wrongPassword && config.Password == "" {
			err = fmt.Errorf("%s: %w", a.shown, ErrPassword)
		}
		return nil, err
	}
	tx, start := &postgresTransaction{connection}, "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
	statements := []string{start, alwaysSet, setToRead}
	if write {
		statements = []string{strings.TrimSuffix(start, "ONLY") + "WRITE", alwaysSet}
	}
	for _, statement := range statements {
		if err := tx.execute(ctx, statement); err != nil {
			tx.close()
			return nil, err
		}
	}
	return tx, nil
}

// close closes the connection, so that the server rolls back what was not committed.
func (t *postgresTransaction) close() {
	ctx, stop := context.WithTimeout(context.Background(), cancelWait)
	defer stop()
	_ = t.connection.Close(ctx)
}

func (t *postgresTransaction) finish(ctx context.Context) error { return t.execute(ctx, "COMMIT") }

func (t *postgresTransaction) execute(ctx context.Context, statement string) error {
	_, err := t.rows(ctx, statement)
	return err
}

// rows returns the rows of a statement with the parameters $1, $2 and so on.
func (t *postgresTransaction) rows(ctx context.Context, statement string, values ...string) (rows [][]*string, err error) {
	parameters := make([][]byte, len(values))
	for i, value := range values {
		parameters[i] = []byte(value)
	}
	reader := t.connection.ExecParams(ctx, statement, parameters, nil, nil, nil)
	for reader.NextRow() {
		row := make([]*string, len(reader.Values()))
		for i, value := range reader.Values() {
			if value != nil {
				text := string(value)
				row[i] = &text
			}
		}
		rows = append(rows, row)
	}
	_, err = reader.Close()
	return rows, err
}

func (t *postgresTransaction) ask(ctx context.Context, statement string) ([][]*string, error) {
	return t.rows(ctx, statement)
}

// tablesOfPostgres lists tables and views, with their schema unless they are on the search path.
const tablesOfPostgres = `SELECT CASE WHEN pg_table_is_visible(c.oid) THEN quote_ident(relname) ELSE
  quote_ident(nspname) || '.' || quote_ident(relname) END
FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT relispartition AND nspname NOT IN ('pg_catalog', 'information_schema')
  AND nspname !~ '^pg_toast' AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
ORDER BY nspname, relname`

func (t *postgresTransaction) tables(ctx context.Context) ([]string, error) {
	rows, err := t.rows(ctx, tablesOfPostgres)
	return firstCells(rows), err
}

// firstCells returns the first cell of each row.
func firstCells(rows [][]*string) (out []string) {
	for _, row := range rows {
		out = append(out, *row[0])
	}
	return out
}

// columnsOfPostgres finds a table by its SQL name. Domains have their base types. A primary key is unique unless
// other tables inherit from the table, because they do not share the key.
const columnsOfPostgres = `SELECT a.attname, coalesce(col_description(c.oid, a.attnum), ''), b.typname, b.typtype = 'e',
  b.typcategory = 'S', format_type(a.atttypid, a.atttypmod), has_column_privilege(c.oid, a.attnum, 'SELECT'),
  coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0), coalesce(i.indnkeyatts = 1 AND (c.relkind = 'p' OR NOT EXISTS (
    SELECT 1 FROM pg_inherits h WHERE h.inhparent = c.oid)), false)
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary AND i.indisvalid,
LATERAL (WITH RECURSIVE rest AS (
  SELECT t.typname, t.typtype, t.typcategory, t.typbasetype FROM pg_type t WHERE t.oid = a.atttypid
  UNION ALL SELECT t.typname, t.typtype, t.typcategory, t.typbasetype
  FROM rest r JOIN pg_type t ON t.oid = r.typbasetype
  WHERE r.typtype = 'd') SELECT * FROM rest WHERE typtype <> 'd') b
WHERE c.oid = to_regclass($1) ORDER BY a.attnum`

func (t *postgresTransaction) columns(ctx context.Context, table []string) ([]Column, error) {
	rows, err := t.rows(ctx, columnsOfPostgres, relation(table))
	columns := make([]Column, len(rows))
	for i, row := range rows {
		c := &columns[i]
		*c = Column{Name: *row[0], Label: *row[1], form: *row[2], Declared: *row[5], class: texts}
		kind, known := formsOfPostgres[c.form]
		switch enum, text := *row[3] == "t", *row[4] == "t"; {
		case *row[6] != "t":
			c.unread = "no permission"
		case known:
			c.class, c.content = kind.class, kind.content
		case !enum && !text:
			c.unread = c.Declared
		}
		c.key, _ = strconv.Atoi(*row[7])
		c.unique = c.key > 0 && *row[8] == "t"
	}
	return columns, err
}

// formsOfPostgres maps the supported types, except texts and enums.
var formsOfPostgres = map[string]struct {
	class   class
	content microdata.Content
}{"int2": {}, "int4": {}, "int8": {}, "numeric": {}, "float4": {}, "float8": {}, "bool": {texts, microdata.Truths},
	"date": {texts, microdata.Dates}, "timestamp": {texts, microdata.DateTimes}, "time": {texts, microdata.Times},
	"timetz": {texts, ""}, "timestamptz": {texts, ""}, "interval": {texts, ""}, "uuid": {texts, ""}, "inet": {texts, ""},
	"cidr": {texts, ""}, "macaddr": {texts, ""}}

// cell returns an expression in which infinite numbers and NaN are missing.
func (postgres) cell(c *Column) string {
	name := "s." + quoted(c.Name)
	switch c.form {
	case "float4", "float8", "numeric":
		return "nullif(nullif(nullif(" + name + ", 'NaN'), 'Infinity'), '-Infinity')"
	case "timestamp":
		return "regexp_replace(" + name + "::text, ' ', 'T')" + byBytes
	case "int2", "int4", "int8", "date", "uuid":
		return name
	}
	return name + "::text" + byBytes
}

// byBytes compares texts by bytes, whatever the collation of a column.
const byBytes = ` COLLATE "C"`

// records returns the estimate in the statistics of the server.
func (t *postgresTransaction) records(ctx context.Context, table []string) (int64, error) {
	rows, err := t.rows(ctx, "SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = to_regclass($1)", relation(table))
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	return strconv.ParseInt(*rows[0][0], 10, 64)
}

func (t *postgresTransaction) export(ctx context.Context, statement string, w io.Writer) error {
	_, err := t.connection.CopyTo(ctx, w, "COPY ("+statement+") TO STDOUT (FORMAT csv)")
	return err
}

func (t *postgresTransaction) create(ctx context.Context, table []string, columns []newColumn) ([]string, error) {
	types := make([]string, len(columns))
	for i, c := range columns {
		types[i] = quoted(c.name) + " " + c.declared
	}
	err := t.execute(ctx, "CREATE TABLE "+relation(table)+" ("+strings.Join(types, ", ")+")")
	for _, c := range columns {
		if c.label != "" && err == nil {
			err = t.execute(ctx, "COMMENT ON COLUMN "+relation(table)+"."+quoted(c.name)+" IS "+literal(c.label))
		}
	}
	return table, err
}

// literal returns a text as a literal, whatever the value of standard_conforming_strings.
func literal(text string) string {
	return " E'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\x00", "").Replace(text) + "'"
}

func (t *postgresTransaction) fill(ctx context.Context, table []string, r *records, meter *progress.Meter) error {
	return r.sent(ctx, meter, func(from io.Reader) error {
		_, err := t.connection.CopyFrom(ctx, from, "COPY "+relation(table)+" ("+strings.Join(quotedAll(r.names()), ", ")+") FROM STDIN")
		return err
	})
}

func (postgres) types() (text, whole, number string) { return "text", "bigint", "numeric" }

func (postgres) fits(declared string, column *microdata.Column) bool {
	switch declared {
	case "numeric", "double precision":
		return true
	case "smallint":
		return within(column, 16)
	case "integer":
		return within(column, 32)
	case "bigint":
		return within(column, 54)
	}
	return false
}

// classes describes errors, by code or class, whose messages would contain values or be unclear.
var classes = map[string]string{
	"22":    "a value does not fit the type of its column",
	"22P05": "the encoding of the database lacks a character of the records; write to a UTF-8 database, or to a file",
	"23":    "a record violates a constraint of the table",
	"3D000": "no such database; check the name after the host",
	"38":    inFunction,
	"39":    inFunction,
	"P0":    inFunction,
	"40":    "the transaction conflicts with another one; try again",
	"53100": "the disk of the server is full and nothing was changed; ask the administrator",
	"57":    "the server shut down and nothing was changed; try again when it is available",
	"57014": "a time limit or the administrator cancelled the statement; ask the administrator",
}

// inFunction describes errors with custom messages, raised by functions in a view or table.
const inFunction = "a function of the view or table failed; ask its owner"

// fault removes values from the messages of the server: details, and messages of the classes above.
func (postgres) fault(err error) error {
	var said *pgconn.PgError
	if !errors.As(err, &said) {
		return faultOfConnection(err)
	}
	if text := cmp.Or(classes[said.Code], classes[said.Code[:min(2, len(said.Code))]]); text != "" {
		return fmt.Errorf("%s (SQLSTATE %s)", text, said.Code)
	}
	return fmt.Errorf("server error: %s (SQLSTATE %s)", said.Message, said.Code)
}

// faultOfConnection describes why a connection failed or was lost.
func faultOfConnection(err error) error {
	connecting := new(pgconn.ConnectError)
	text := err.Error()
	switch {
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return errors.New("cannot verify the certificate of the server: set sslrootcert to the certificate of its issuer, and check " +
			"that it is valid for this host")
	case !errors.As(err, &connecting):
		return errors.New("the connection to the server was lost and nothing was changed; try again when it is available")
	case strings.Contains(text, "server refused TLS connection"):
		return errors.New("the server does not accept encrypted connections, but sslmode requires one")
	case errors.Is(err, context.DeadlineExceeded) || strings.Contains(text, "timeout"):
		return errors.New("no PostgreSQL server answers: check host and port, usually 5432")
	case strings.Contains(text, "dial error") || strings.Contains(text, "hostname resolving error"):
		return errors.New("cannot reach the server: check host and port, and that it is running")
	}
	return errors.New("the answer does not come from PostgreSQL: check the port, usually 5432")
}
