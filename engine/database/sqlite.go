package database

import (
	"bytes"
	"context"
	"crypto/md5"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	driven "modernc.org/sqlite"
)

// sqlite is the dialect of files of SQLite.
type sqlite struct{ standard }

// init adds to SQL what SQLite lacks.
func init() {
	for name, function := range map[string]func(arguments []driver.Value) (driver.Value, error){
		"sdcdesk_number": func(arguments []driver.Value) (driver.Value, error) {
			value, isNumber := arguments[0].(float64)
			if !isNumber {
				return arguments[0], nil
			}
			return string(appendReal(nil, value)), nil
		},
		"sdcdesk_record": func(arguments []driver.Value) (driver.Value, error) {
			cells := make([]*string, len(arguments))
			for i := range arguments {
				if text, isText := arguments[i].(string); isText {
					cells[i] = &text
				}
			}
			return recordText(cells), nil
		},
	} {
		driven.MustRegisterDeterministicScalarFunction(name, -1,
			func(_ *driven.FunctionContext, arguments []driver.Value) (driver.Value, error) {
				return function(arguments)
			})
	}
}

// appendReal appends the text of a floating number, which is never that of a whole one.
func appendReal(out []byte, value float64) []byte {
	start := len(out)
	if out = strconv.AppendFloat(out, value, 'g', -1, 64); !bytes.ContainsAny(out[start:], ".eIN") {
		out = append(out, ".0"...)
	}
	return out
}

// sent leaves it to the driver which value a cell has: behind a sign it does not look at the type of the column.
func (sqlite) sent(c *Column) string { return "+" + quoted(c.Name) }

// Order returns what records are ordered by that lose cells: md5 of the secret and the text of their key.
func Order(secret, key string) string {
	sum := md5.Sum([]byte(secret + key))
	return hex.EncodeToString(sum[:])
}

func (sqlite) locate(a *Address, where string, options, named url.Values) error {
	path := strings.TrimPrefix(where, "sqlite:")
	if path == "" || len(options) > 0 {
		return fmt.Errorf("%w: write sqlite:FILE?table=TABLE, and perhaps &key=COLUMN", ErrAddress)
	}
	path, err := url.PathUnescape(path)
	if err != nil {
		return fmt.Errorf("%w: write %%25 for %% in the path", ErrAddress)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("%w: %s: the folder is not there", ErrAddress, path)
	}
	a.connect, a.place = absolute, absolute
	a.shown = "sqlite:" + escaping.Replace(absolute) + "?" + named.Encode()
	return nil
}

// escaping writes what ends a path in addresses so that it does not.
var escaping = strings.NewReplacer("%", "%25", "?", "%3F")

func (sqlite) file(a *Address) string { return a.connect }

// unfinished is the code of an error of a file that has changes of a program that was killed before they were whole.
const unfinished = 3<<8 | 8

// begin takes back what a program that was killed left unfinished, as each does that opens a file: it is then what it
// was.
func (d sqlite) begin(ctx context.Context, a *Address, write bool) (*sql.Tx, func(), error) {
	tx, end, err := d.look(ctx, a, write)
	if said := new(driven.Error); !write && errors.As(err, &said) && said.Code() == unfinished {
		if _, end, err = d.look(ctx, a, true); err != nil {
			return nil, nil, err
		}
		end()
		tx, end, err = d.look(ctx, a, false)
	}
	return tx, end, err
}

// look begins a transaction with a first look at the file.
func (sqlite) look(ctx context.Context, a *Address, write bool) (*sql.Tx, func(), error) {
	mode := "ro"
	if write {
		mode = "rw"
	}
	path := url.URL{Path: filepath.ToSlash(a.connect)}
	name := url.URL{Scheme: "file", Opaque: path.EscapedPath(), RawQuery: "mode=" + mode}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxOpenConns(1)
	tx, err := withinLength(ctx, db)
	if err != nil {
		db.Close()
		return nil, nil, err
	}
	end := func() { tx.Rollback(); db.Close() }
	if _, err = tx.ExecContext(ctx, "PRAGMA temp_store = memory"); err == nil {
		err = tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(new(int))
	}
	if err != nil {
		end()
		return nil, nil, err
	}
	return tx, end, nil
}

// mostLength is the number of bytes up to which the database makes a cell or a row: a view may ask for one that fills memory.
const mostLength = 64 << 20

// withinLength begins a transaction in which no cell or row has more than mostLength bytes.
func withinLength(ctx context.Context, db *sql.DB) (*sql.Tx, error) {
	connection, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	const limitLength = 0 // SQLITE_LIMIT_LENGTH
	_, err = driven.Limit(connection, limitLength, mostLength)
	if closed := connection.Close(); err == nil { // back to the pool, which has this one alone
		err = closed
	}
	if err != nil {
		return nil, err
	}
	return db.BeginTx(ctx, nil)
}

func (sqlite) columns(ctx context.Context, tx *sql.Tx, a *Address) (columns []Column, newest string, err error) {
	schema, table := "main", a.table[len(a.table)-1]
	if len(a.table) > 1 {
		schema = a.table[0]
	}
	rows, err := tx.QueryContext(ctx, "SELECT name, type FROM pragma_table_xinfo($1, $2) WHERE hidden <> 1 ORDER BY cid",
		table, schema)
	if err != nil {
		return nil, "", err
	}
	defer rows.Close()
	for rows.Next() {
		c := Column{form: "text"}
		if err := rows.Scan(&c.Name, &c.declared); err != nil {
			return nil, "", err
		}
		columns = append(columns, c)
	}
	if err := rows.Err(); err != nil {
		return nil, "", err
	}
	binary, into := make([]bool, len(columns)), make([]any, len(columns))
	kinds := make([]string, len(columns))
	for i := range columns {
		into[i], kinds[i] = &binary[i], "typeof("+quoted(columns[i].Name)+") = 'blob'"
	}
	some, from := false, " FROM "+a.relation()
	if len(columns) > 0 { // of which columns takes twice as long
		err = tx.QueryRowContext(ctx, "SELECT EXISTS(SELECT 1"+from+" WHERE "+strings.Join(kinds, " OR ")+")").Scan(&some)
	}
	if some {
		err = tx.QueryRowContext(ctx, "SELECT max("+strings.Join(kinds, "), max(")+")"+from).Scan(into...)
	}
	for i := range columns {
		if binary[i] {
			columns[i].form, columns[i].declared = "", "with binary values"
		}
	}
	return columns, "0", err
}

// noted returns when the database was written last, with what waits to be brought into it, in nanoseconds.
func (sqlite) noted(_ context.Context, _ *sql.Tx, a *Address) (string, error) {
	last := int64(0)
	for _, ending := range []string{"", "-wal"} {
		if info, err := os.Stat(a.connect + ending); err == nil && info.Size() > 0 {
			last = max(last, info.ModTime().UnixNano())
		}
	}
	return strconv.FormatInt(last, 10), nil
}

func (sqlite) text(_ *Column, expression string) string {
	return "(CASE typeof(" + expression + ") WHEN 'real' THEN sdcdesk_number(" + expression +
		") ELSE CAST(" + expression + " AS TEXT) END)"
}

func (sqlite) types() (text, whole, number string) { return "TEXT", "INTEGER", "NUMERIC" }

func (sqlite) record(texts []string) string {
	return "sdcdesk_record(" + strings.Join(texts, ", ") + ")"
}

func (sqlite) real(c *Column) string { return "CAST(" + quoted(c.Name) + " AS REAL)" }

// located compares cells of a column without a type as texts: values that are given are.
func (d sqlite) located(ctx context.Context, tx *sql.Tx, a *Address, c *Column) (located, error) {
	plain := func(text string) string { return text }
	if c != nil {
		out := located{called: c.Name, expression: quoted(c.Name) + " COLLATE BINARY", text: d.text(c, quoted(c.Name)), given: plain}
		if c.declared == "" {
			out.expression = out.text
		}
		return out, nil
	}
	numbered := false
	err := tx.QueryRowContext(ctx, "SELECT EXISTS(SELECT 1 FROM pragma_table_list WHERE name = $1 COLLATE NOCASE AND "+
		"type = 'table' AND wr = 0) AND NOT EXISTS(SELECT 1 FROM pragma_table_xinfo($1) WHERE name = 'rowid' COLLATE NOCASE)",
		a.table[len(a.table)-1]).Scan(&numbered)
	if err != nil || !numbered {
		return located{}, err
	}
	return located{called: "rowid", expression: "rowid", text: "CAST(rowid AS TEXT)", given: plain, always: true}, nil
}

// upload makes a temporary table, which is beside the file and goes with the connection. It stands by its first column,
// in whose order rows mostly come, so that what is looked up there is found in one place.
func (sqlite) upload(ctx context.Context, tx *sql.Tx, _ *query, name string, columns []uploaded) (string, error) {
	names, values, rows := make([]string, len(columns)), make([]string, len(columns)), 0
	for i, c := range columns {
		names[i], values[i], rows = c.name, placeholder(i+1), max(rows, len(c.texts), len(c.numbers))
	}
	if _, err := tx.ExecContext(ctx, "CREATE TEMP TABLE "+name+" ("+strings.Join(names, ", ")+", sdcdesk_at, PRIMARY KEY ("+names[0]+
		", sdcdesk_at)) WITHOUT ROWID"); err != nil {
		return "", err
	}
	insert, err := tx.PrepareContext(ctx, "INSERT INTO temp."+name+" VALUES ("+strings.Join(values, ", ")+", "+placeholder(len(columns)+1)+")")
	if err != nil {
		return "", err
	}
	defer insert.Close()
	cells := make([]any, len(columns)+1)
	for row := range rows {
		cells[len(columns)] = int64(row)
		for i, c := range columns {
			if cells[i] = nil; c.numbers != nil {
				cells[i] = c.numbers[row]
			} else if c.texts[row] != nil {
				cells[i] = *c.texts[row]
			}
		}
		if _, err := insert.ExecContext(ctx, cells...); err != nil {
			return "", err
		}
	}
	return "temp." + name, nil
}

// makeTable makes a table without records in a file.
func makeTable(ctx context.Context, tx *sql.Tx, a *Address, columns []string) error {
	there := 0
	err := tx.QueryRowContext(ctx, "SELECT count(*) FROM pragma_table_info($1)", a.table[len(a.table)-1]).Scan(&there)
	if err == nil && there > 0 {
		err = fmt.Errorf("%s: %w", a.shown, ErrExists)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, "CREATE TABLE "+a.relation()+" ("+strings.Join(columns, ", ")+")")
	}
	return err
}

func (sqlite) fault(err error) error {
	said := new(driven.Error)
	if !errors.As(err, &said) {
		return errors.New("the file cannot be worked with as a database of SQLite")
	}
	if said.Code() == unfinished {
		return errors.New("a program that was killed left changes unfinished in the file, which cannot be taken back where it may not " +
			"be written: allow that, or open a copy of it and of the file beside it that ends in -journal")
	}
	text := driven.ErrorCodeString[said.Code()&0xff]
	if said.Code() == 1 { // what it says is of the statement, which has names alone
		text = said.Error()
	}
	return fmt.Errorf("SQLite says: %s", text)
}
