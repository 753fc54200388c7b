package database

import (
	"cmp"
	"context"
	"crypto/tls"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/sdcdesk/sdcdesk/engine/data/draws"
)

// postgresql is the dialect of PostgreSQL 15 and later.
type postgresql struct{ standard }

// placeholder stands for a value in a statement, counted from 1.
func placeholder(n int) string { return "$" + strconv.Itoa(n) }

func (postgresql) locate(a *Address, where string, options, named url.Values) error {
	parsed, err := url.Parse(where)
	if err != nil {
		return fmt.Errorf("%w: write %%40 for @, %%2F for / and so on in names and passwords", ErrAddress)
	}
	a.connect = withOptions(parsed, options)
	config, err := pgx.ParseConfig(a.connect)
	if err != nil {
		return fmt.Errorf("%w: an option behind its question mark, of the environment or of a service file has no "+
			"value that connections have", ErrAddress)
	}
	a.place = fmt.Sprintf("%s:%d/%s", config.Host, config.Port, config.Database)
	if parsed.User != nil {
		parsed.User = url.User(parsed.User.Username())
	}
	for _, secret := range []string{"password", "sslpassword"} {
		options.Del(secret)
	}
	for name, values := range options {
		named[name] = values
	}
	a.shown = withOptions(parsed, named)
	return nil
}

func withOptions(to *url.URL, options url.Values) string {
	out := *to
	if out.Host == "" && out.Path == "" {
		out.Path = "/" // or it loses the slashes that make it an address
	}
	out.RawQuery = options.Encode()
	return out.String()
}

// wrongPassword is the code of an error that a password that is not given gives, too.
const wrongPassword = "28P01"

// cancelWait is how long a server has to end what was cancelled before the connection is given up.
const cancelWait = 3 * time.Second

// settings hold in every transaction: rows that a policy hides are an error, texts are alike whatever the user's
// settings are, and groups are joined by hashing, which with memory for some hundred thousand of them takes a quarter
// of the time; and a server that can tell notices by itself that the program is no more.
const settings = `SELECT set_config(name, value, true) FROM (VALUES ('row_security', 'off'), ('timezone', 'UTC'),
  ('datestyle', 'ISO'), ('intervalstyle', 'postgres'), ('extra_float_digits', '1'), ('work_mem', '128MB'),
  ('jit', 'off'), ('enable_mergejoin', 'off'), ('client_connection_check_interval', '1s')) AS s(name, value)
WHERE name <> 'client_connection_check_interval' OR version() !~* 'windows|mingw|visual c'`

func (postgresql) begin(ctx context.Context, a *Address, write bool) (*sql.Tx, func(), error) {
	config, err := pgx.ParseConfig(a.connect)
	if err != nil {
		return nil, nil, err
	}
	config.BuildContextWatcherHandler = func(c *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: c, DeadlineDelay: cancelWait}
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeDescribeExec
	config.RuntimeParams["application_name"] = "sdcdesk"
	db := stdlib.OpenDB(*config)
	tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: !write})
	if err != nil {
		db.Close()
		if said := new(pgconn.PgError); errors.As(err, &said) && said.Code == wrongPassword && config.Password == "" {
			err = fmt.Errorf("%s: %w", a.shown, ErrPassword)
		}
		return nil, nil, err
	}
	end := func() { tx.Rollback(); db.Close() }
	if _, err := tx.ExecContext(ctx, settings); err != nil {
		end()
		return nil, nil, err
	}
	return tx, end, nil
}

// columnsOfTable finds a table by its name as SQL takes it. Types of domains are those that they rest on.
const columnsOfTable = `SELECT a.attname, coalesce(col_description(c.oid, a.attnum), ''), b.typname, b.typtype = 'e',
  b.typcategory = 'S', format_type(a.atttypid, a.atttypmod), coalesce(nullif(a.attcollation, 0)::regcollation::text, ''),
  c.relkind IN ('r', 'p', 'm')
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped,
LATERAL (WITH RECURSIVE rest AS (
  SELECT t.typname, t.typtype, t.typcategory, t.typbasetype FROM pg_type t WHERE t.oid = a.atttypid
  UNION ALL SELECT t.typname, t.typtype, t.typcategory, t.typbasetype
  FROM rest r JOIN pg_type t ON t.oid = r.typbasetype
  WHERE r.typtype = 'd') SELECT * FROM rest WHERE typtype <> 'd') b
WHERE c.oid = to_regclass($1) ORDER BY a.attnum`

func (postgresql) columns(ctx context.Context, tx *sql.Tx, a *Address) (columns []Column, newest string, err error) {
	rows, err := tx.QueryContext(ctx, columnsOfTable, a.relation())
	if err != nil {
		return nil, "", err
	}
	defer rows.Close()
	stored := false
	newest = "0"
	for rows.Next() {
		var c Column
		var enum, text bool
		if err := rows.Scan(&c.Name, &c.Label, &c.form, &enum, &text, &c.declared, &c.collation, &stored); err != nil {
			return nil, "", err
		}
		switch {
		case enum:
			c.form = "enum"
		case text:
			c.form = "text"
		case !readable[c.form]:
			c.form = ""
		}
		c.filled = !text && !enum
		columns = append(columns, c)
	}
	if stored {
		newest = "xmin::text::bigint"
	}
	return columns, newest, rows.Err()
}

// The types that are read, and those of them whose equal values have equal texts, and of which sums are exact.
var (
	readable = map[string]bool{"int2": true, "int4": true, "int8": true, "numeric": true, "float4": true, "float8": true,
		"text": true, "enum": true, "bool": true, "date": true, "time": true, "timetz": true, "timestamp": true,
		"timestamptz": true, "interval": true, "uuid": true, "inet": true, "cidr": true, "macaddr": true}
	plain = map[string]bool{"int2": true, "int4": true, "int8": true, "enum": true, "bool": true, "date": true,
		"uuid": true}
	exact = map[string]bool{"int2": true, "int4": true, "int8": true, "numeric": true}
)

func (postgresql) text(c *Column, expression string) string {
	if c.form == "bool" { // as exports have it
		expression = "(CASE " + expression + " WHEN true THEN 't' WHEN false THEN 'f' END)"
	}
	return "(" + expression + `::text COLLATE "C")`
}

func (postgresql) sliced(string, int) []string { return []string{""} }

func (postgresql) cell(_ *Column, expression string) string { return expression }

func (d postgresql) group(c *Column) string {
	if plain[c.form] {
		return quoted(c.Name)
	}
	return d.text(c, quoted(c.Name))
}

func (d postgresql) weight(c *Column) string {
	if exact[c.form] {
		return quoted(c.Name) + "::numeric"
	}
	text := d.text(c, quoted(c.Name))
	return "CASE WHEN " + d.matches(text, numbers) + " THEN " + text + "::numeric END"
}

func (postgresql) positive(expression string) string {
	return "(" + expression + " > 0 AND " + expression + " < 'Infinity')"
}

func (postgresql) matches(expression, pattern string) string {
	return expression + " ~ '" + pattern + "'"
}

func (postgresql) types() (text, whole, number string) { return "text", "bigint", "numeric" }

func (postgresql) record(texts []string) string {
	return "ROW(" + strings.Join(texts, ", ") + ")::text"
}

// hash is of each cell by itself with a seed of its own: the hash of a whole record takes three times as long.
func (d postgresql) hash(by []*Column) string {
	hashes := make([]string, len(by))
	for i, c := range by {
		function, cell, seed := "hashtextextended", d.group(c), strconv.Itoa(i+1)
		switch {
		case strings.HasPrefix(c.form, "int") && plain[c.form]:
			function = "hash" + c.form + "extended"
		case plain[c.form]:
			cell = d.text(c, cell)
		}
		hashes[i] = "coalesce(" + function + "(" + cell + ", " + seed + "), " + seed + ")"
	}
	return "(" + strings.Join(hashes, " # ") + ")"
}

func (postgresql) hashed(text string) string { return "hashtextextended(" + text + ", 0)::numeric" }

func (postgresql) order(secret, text string) string {
	return "md5(" + secret + "::text || " + text + ")::uuid"
}

func (postgresql) draw(secret, text, number string) string {
	if number != "" {
		text += " || ' ' || " + number
	}
	return "(('x' || left(md5(" + secret + "::text || " + text + "), 16))::bit(64)::bigint & 9223372036854775807)"
}

func (d postgresql) times(c *Column, samples []*draws.Sample) string {
	return "(" + product(d.real(c), samples, "%d::float8") + ")::text::numeric" // as it is, and not with 15 digits
}

func (postgresql) numeral(expression string) string { return expression + "::text" }

func (postgresql) once() string { return apart }

// apart keeps a relation from being made into a part of another one; written as a plain 0 the offset would keep it from
// parallel plans.
const apart = " OFFSET '0'"

func (postgresql) numbered(statement string, _ []string, by string, order ...string) string {
	return "SELECT *, row_number() OVER (PARTITION BY " + by + " ORDER BY " + strings.Join(order, ", ") + ") AS sdcdesk_number FROM (" +
		statement + ") t"
}

func (postgresql) together(statement string, _ []string, home string) string {
	household := home + ", sdcdesk_alone, sdcdesk_twins"
	return "SELECT *, dense_rank() OVER (PARTITION BY sdcdesk_kind ORDER BY sdcdesk_least, sdcdesk_twins) AS sdcdesk_place FROM (" +
		"SELECT *, CAST(sum(sdcdesk_key) OVER h AS bigint) AS sdcdesk_kind, " +
		"first_value(sdcdesk_order) OVER (PARTITION BY " + household + " ORDER BY sdcdesk_order) AS sdcdesk_least, " +
		"row_number() OVER (PARTITION BY " + household + ", sdcdesk_key ORDER BY sdcdesk_order, sdcdesk_twin) AS sdcdesk_number FROM (" +
		"SELECT *, CASE WHEN " + home + " IS NULL THEN sdcdesk_order END AS sdcdesk_alone, " +
		"CASE WHEN " + home + " IS NULL THEN sdcdesk_twin ELSE 0 END AS sdcdesk_twins FROM (" + statement + ") t) t " +
		"WINDOW h AS (PARTITION BY " + household + ")) t"
}

func (postgresql) listed(number string) string {
	return "array_to_string(array_agg(" + number + " ORDER BY " + number + "), ',')"
}

func (postgresql) join(kind string) string { return " " + kind + " JOIN " }

// among keeps the address apart, which the planner else makes twice of each record.
func (postgresql) among(_, _ string) string { return apart }

// inExact is a regular expression of all texts that are numbers.
const inExact = `^-?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,4})?$`

func (d postgresql) real(c *Column) string {
	if exact[c.form] {
		return quoted(c.Name) + "::float8"
	}
	text := d.text(c, quoted(c.Name))
	return "(CASE WHEN " + d.matches(text, inExact) + " THEN " + text + "::float8 END)"
}

// upload hands the columns over as arrays: the planner knows how long they are, a session that may write nothing
// can do it, and no server logs them as it comes. What is joined with them is made of each record by itself: it is
// worth several processes, whatever they cost to hand it on, beside the one that has enough to do with taking it.
func (postgresql) upload(ctx context.Context, tx *sql.Tx, q *query, name string, columns []uploaded) (string, error) {
	arrays, names := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		if names[i] = c.name; c.texts != nil {
			arrays[i] = q.value(c.texts) + "::text[]"
		} else {
			arrays[i] = q.value(c.numbers) + "::bigint[]"
		}
	}
	_, err := tx.ExecContext(ctx, "SET LOCAL parallel_tuple_cost = 0; SET LOCAL parallel_leader_participation = off")
	return "unnest(" + strings.Join(arrays, ", ") + ") AS " + name + "(" + strings.Join(names, ", ") + ")", err
}

func (postgresql) create(ctx context.Context, tx *sql.Tx, _, a *Address, _, _ []string, statement string, q *query) (
	*created, error) {
	there := false
	if err := tx.QueryRowContext(ctx, "SELECT to_regclass($1) IS NOT NULL", a.relation()).Scan(&there); err != nil {
		return nil, err
	}
	if there {
		return nil, fmt.Errorf("%s: %w", a.shown, ErrExists)
	}
	done, err := tx.ExecContext(ctx, "CREATE TABLE "+a.relation()+" AS "+statement, q.values...)
	return createdWithin(tx, a, done, err)
}

// createdWithin returns a table that was filled in a transaction, with which it comes or goes.
func createdWithin(tx *sql.Tx, a *Address, done sql.Result, err error) (*created, error) {
	if err != nil {
		return nil, err
	}
	records, err := done.RowsAffected()
	return &created{address: a, records: records, finish: tx.Commit, abandon: func() {}}, err
}

// classes say of errors, and of classes of them, what messages of the server would tell with values, or not plainly.
var classes = map[string]string{
	"22":    "a value is of a kind that cannot be worked with",
	"23":    "the server refused records that break a rule of the table",
	"38":    inFunction,
	"39":    inFunction,
	"P0":    inFunction,
	"40":    "the server broke off because of what others did at the same time; do it once more",
	"53100": "the disk of the server is full, and nothing was changed; ask who runs it",
	"57":    "the server broke off, and nothing was changed; do it once more when it is there again",
	"57014": "the server ended the question, as who runs it or a time-out wants it; ask who runs it",
}

// inFunction is what is said of errors that functions in a view or a table raise, in their own words.
const inFunction = "a function that the view or table calls in the server ended with an error; ask who made it"

// refusedTLS is what the driver alone says of a server without encryption.
const refusedTLS = "server refused TLS connection"

// fault leaves out what servers say of values: their details, and the messages of the classes above.
func (postgresql) fault(err error) error {
	var said *pgconn.PgError
	if !errors.As(err, &said) {
		if certificate := new(tls.CertificateVerificationError); errors.As(err, &certificate) {
			return errors.New("the certificate of the server is not accepted: sslrootcert has to name the file with that of who signed " +
				"it, and it has to be for this host, and in force")
		}
		if connecting := new(pgconn.ConnectError); errors.As(err, &connecting) {
			if strings.Contains(err.Error(), refusedTLS) {
				return errors.New("the server does not take encrypted connections, which sslmode asks for")
			}
			return errors.New("the server cannot be reached: check host and port, and whether it runs; then do it once more")
		}
		return errors.New("the connection to the server was lost, and nothing was changed; do it once more when it is there again")
	}
	if text := cmp.Or(classes[said.Code], classes[said.Code[:min(2, len(said.Code))]]); text != "" {
		return fmt.Errorf("%s (SQLSTATE %s)", text, said.Code)
	}
	return fmt.Errorf("the server says: %s (SQLSTATE %s)", said.Message, said.Code)
}
