package database

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	driver "modernc.org/sqlite"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// sqlite implements server for SQLite files.
type sqlite struct{}

func (sqlite) locate(a *Address, where string, options, named url.Values) error {
	path := strings.TrimPrefix(where, "sqlite:")
	if path == "" || len(options) > 0 {
		return fmt.Errorf("%w: write sqlite:FILE?table=TABLE, optionally with &key=COLUMN", ErrAddress)
	}
	path, err := url.PathUnescape(path)
	if err != nil {
		return fmt.Errorf("%w: write %%25 for %% in the path", ErrAddress)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("%w: the folder of the file does not exist", ErrAddress)
	}
	a.connect, a.file = absolute, absolute
	a.shown = "sqlite:" + escaping.Replace(absolute)
	if options := named.Encode(); options != "" {
		a.shown += "?" + options
	}
	return nil
}

// escaping escapes characters that would end a path in an address.
var escaping = strings.NewReplacer("%", "%25", "?", "%3F")

// unfinished is the error code for a file with incomplete changes of a killed program.
const unfinished = 3<<8 | 8

// begin rolls back incomplete changes of a killed program, as opening the file in any program does. To write, it
// creates the file if it does not exist.
func (s sqlite) begin(ctx context.Context, a *Address, write bool) (transaction, error) {
	made := false
	if _, err := os.Stat(a.file); !write && errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if write {
		file, err := os.OpenFile(a.file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			made = true
			err = file.Close()
		}
		if err != nil && !errors.Is(err, os.ErrExist) {
			return nil, err
		}
	}
	tx, err := s.open(ctx, a, write)
	if said := new(driver.Error); !write && errors.As(err, &said) && said.Code() == unfinished {
		var writing *sqliteTransaction
		if writing, err = s.open(ctx, a, true); err != nil {
			return nil, err
		}
		writing.close()
		tx, err = s.open(ctx, a, false)
	}
	if err == nil {
		if made {
			tx.made = a.file
		}
		return tx, nil
	}
	if made {
		os.Remove(a.file)
	}
	return nil, err
}

// sqliteTransaction is a transaction on a file.
type sqliteTransaction struct {
	*sql.Tx
	database *sql.DB
	made     string // path of a new, unfinished file; "" if the file existed before
}

// open begins a transaction and reads from the file.
func (sqlite) open(ctx context.Context, a *Address, write bool) (*sqliteTransaction, error) {
	mode := "ro"
	if write {
		mode = "rw"
	}
	path := url.URL{Path: filepath.ToSlash(a.connect)}
	name := url.URL{Scheme: "file", Opaque: path.EscapedPath(), RawQuery: "mode=" + mode}
	database, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, err
	}
	database.SetMaxOpenConns(1)
	tx, err := beginWithin(ctx, database)
	if err != nil {
		database.Close()
		return nil, err
	}
	t := &sqliteTransaction{Tx: tx, database: database}
	if _, err = tx.ExecContext(ctx, "PRAGMA temp_store = memory"); err == nil {
		err = tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(new(int))
	}
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// mostLength is the maximum number of bytes of a cell or row, because a view could request one that fills the
// memory.
const mostLength = 64 << 20

// beginWithin begins a transaction in which cells and rows are limited to mostLength bytes.
func beginWithin(ctx context.Context, database *sql.DB) (*sql.Tx, error) {
	connection, err := database.Conn(ctx)
	if err != nil {
		return nil, err
	}
	const limitLength = 0 // SQLITE_LIMIT_LENGTH
	_, err = driver.Limit(connection, limitLength, mostLength)
	if err = errors.Join(err, connection.Close()); err != nil { // return it to the pool, which has only this connection
		return nil, err
	}
	return database.BeginTx(ctx, nil)
}

func (t *sqliteTransaction) close() {
	_ = t.Rollback()
	t.database.Close()
	if t.made != "" {
		os.Remove(t.made)
	}
}

func (t *sqliteTransaction) execute(ctx context.Context, statement string) error {
	_, err := t.ExecContext(ctx, statement)
	return err
}

func (t *sqliteTransaction) finish(context.Context) error {
	err := t.Commit()
	if err == nil {
		t.made = ""
	}
	return err
}

func (t *sqliteTransaction) ask(ctx context.Context, statement string) (out [][]*string, err error) {
	err = t.each(ctx, statement, func(cells []any) error {
		row := make([]*string, len(cells))
		for i, cell := range cells {
			if text, err := appendCell(nil, cell); err != nil {
				return err
			} else if text != nil {
				is := string(text)
				row[i] = &is
			}
		}
		out = append(out, row)
		return nil
	})
	return out, err
}

// each calls take for each row of a SELECT; cells are valid until the next call.
func (t *sqliteTransaction) each(ctx context.Context, statement string, take func(cells []any) error, values ...any) error {
	rows, err := t.QueryContext(ctx, statement, values...)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	cells, into := make([]any, len(names)), make([]any, len(names))
	for i := range cells {
		into[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if err := take(cells); err != nil {
			return err
		}
	}
	return rows.Err()
}

// errBinary is the error for a cell that is neither a number nor a text.
var errBinary = errors.New("binary values")

// appendCell appends the text of a cell; it returns nil for a missing cell, which includes infinite numbers.
func appendCell(out []byte, cell any) ([]byte, error) {
	switch v := cell.(type) {
	case nil:
		return nil, nil
	case string:
		return append(out, v...), nil
	case int64:
		return strconv.AppendInt(out, v, 10), nil
	case float64:
		if math.IsInf(v, 0) {
			return nil, nil
		}
		return strconv.AppendFloat(out, v, 'g', -1, 64), nil
	}
	return nil, errBinary
}

func (t *sqliteTransaction) tables(ctx context.Context) (names []string, err error) {
	rows, err := t.ask(ctx, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name")
	return firstCells(rows), err
}

// columns returns the columns of a table. A single-column primary key that may be missing does not count as
// unique, because SQLite allows several NULLs.
func (t *sqliteTransaction) columns(ctx context.Context, table []string) (columns []Column, err error) {
	schema := "main"
	if len(table) > 1 {
		schema = table[0]
	}
	filled, inKey := false, 0
	err = t.each(ctx, "SELECT name, type, pk, \"notnull\" FROM pragma_table_xinfo($1, $2) WHERE hidden <> 1 ORDER BY cid",
		func(cells []any) error {
			name, _ := cells[0].(string)
			declared, _ := cells[1].(string)
			key, _ := cells[2].(int64)
			notNull, _ := cells[3].(int64)
			c := Column{Name: name, Declared: declared, class: affinity(declared), key: int(key)}
			if strings.Contains(strings.ToUpper(declared), "BLOB") {
				c.unread = declared
			}
			if key > 0 {
				inKey++
				filled = notNull == 1 || strings.EqualFold(declared, "INTEGER")
			}
			columns = append(columns, c)
			return nil
		}, table[len(table)-1], schema)
	for i := range columns {
		columns[i].unique = columns[i].key > 0 && inKey == 1 && filled
	}
	return columns, err
}

// affinity returns how cells of a declared type are read: any cell can have any type, but a text column converts
// numbers to text.
func affinity(declared string) class {
	is := func(parts ...string) bool {
		for _, part := range parts {
			if strings.Contains(strings.ToUpper(declared), part) {
				return true
			}
		}
		return false
	}
	switch {
	case is("INT"):
		return numbers
	case is("CHAR", "CLOB", "TEXT"):
		return texts
	case is("REAL", "FLOA", "DOUB", "NUMERIC", "DECIMAL"):
		return numbers
	}
	return whatever
}

// cell leaves the type of a value to the driver, which ignores the type of the column for an expression with a
// sign.
func (sqlite) cell(c *Column) string { return "+s." + quoted(c.Name) + " COLLATE BINARY" }

func (t *sqliteTransaction) records(ctx context.Context, table []string) (n int64, err error) {
	err = t.QueryRowContext(ctx, "SELECT count(*) FROM "+relation(table)).Scan(&n)
	return n, err
}

func (t *sqliteTransaction) export(ctx context.Context, statement string, w io.Writer) error {
	var text, cellText []byte
	out := bufio.NewWriterSize(w, 1<<16)
	err := t.each(ctx, statement, func(cells []any) (err error) {
		for i, cell := range cells {
			if cellText, err = appendCell(cellText[:0], cell); err != nil {
				return fmt.Errorf("%w: column %d of the selected ones contains binary values; select the others with --columns", ErrColumn, i+1)
			}
			if cellText != nil {
				text = appendCSV(text, cellText)
			}
			text = append(text, ',')
		}
		text[len(text)-1] = '\n'
		_, err = out.Write(text)
		text = text[:0]
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// appendCSV appends a nonmissing cell.
func appendCSV(out, cell []byte) []byte {
	plain := len(cell) > 0
	for _, b := range cell {
		plain = plain && b != '"' && b != ',' && b != '\n' && b != '\r'
	}
	if plain {
		return append(out, cell...)
	}
	out = append(out, '"')
	for _, b := range cell {
		if b == '"' {
			out = append(out, b)
		}
		out = append(out, b)
	}
	return append(out, '"')
}

func (t *sqliteTransaction) create(ctx context.Context, table []string, columns []newColumn) ([]string, error) {
	types := make([]string, len(columns))
	for i, c := range columns {
		types[i] = quoted(c.name) + " " + c.declared
	}
	_, err := t.ExecContext(ctx, "CREATE TABLE "+relation(table)+" ("+strings.Join(types, ", ")+")")
	return table, err
}

// fill passes all cells as texts, which columns convert to numbers according to their types.
func (t *sqliteTransaction) fill(ctx context.Context, table []string, r *records, meter *progress.Meter) error {
	meter.Start(int64(r.data.Len()))
	insert, err := t.PrepareContext(ctx, "INSERT INTO "+relation(table)+" VALUES (?"+strings.Repeat(", ?", len(r.columns)-1)+")")
	if err != nil {
		return err
	}
	defer insert.Close()
	cells := make([]any, len(r.columns))
	for record := range r.data.Len() {
		if parallel.Stopped(ctx, record) {
			return ctx.Err()
		}
		for i := range r.columns {
			cells[i] = r.columns[i].text(record)
		}
		if _, err := insert.ExecContext(ctx, cells...); err != nil {
			return err
		}
		meter.Add(1)
	}
	return nil
}

func (sqlite) types() (text, whole, number string) { return "TEXT", "INTEGER", "NUMERIC" }

func (sqlite) fits(declared string, _ *microdata.Column) bool { return affinity(declared) == numbers }

func (sqlite) fault(err error) error {
	said := new(driver.Error)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return errors.New("the file does not exist: check the path")
	case !errors.As(err, &said):
		return errors.New("cannot open the file as an SQLite database: check the path and the permissions")
	case said.Code() == unfinished:
		return errors.New("a killed program left unfinished changes, and the file is read-only, so they cannot be undone: make it " +
			"writable, or open a copy of it together with its -journal file")
	}
	text := driver.ErrorCodeString[said.Code()&0xff]
	if said.Code() == 1 { // errors in the statement, which contains names only
		text = said.Error()
	}
	return fmt.Errorf("SQLite error: %s", text)
}
