package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// Errors of tables.
var (
	ErrColumn = errors.New("a column cannot be worked with")
	ErrExists = errors.New("there is such a table already; choose another name, or remove it yourself")
	ErrTarget = errors.New("a protected table is written into the database that has the table")
)

// Column is a column of a table.
type Column struct {
	Name  string
	Label string // what the database says of it: its comment

	form     string // of its cells, in words of the dialect; "": no text stands for them
	declared string // as the table has it
}

// Table is a table as it was when it was opened. No connection stays open between what is asked.
type Table struct {
	Columns []Column
	Records int // when it was opened

	address *Address
	missing []string // codes that mean a missing cell; the first is that of cells that became missing
	newest  string   // expression that changes with the records
	state   string   // its highest value when it was opened
	noted   string   // what the database noted of its records then
}

// Open looks at a table: its columns and their types, the number of its records, and what tells later
// that they are others. Texts among the codes are missing. Errors wrap ErrAddress where
// there is no such table, ErrColumn where a column has a type that no text stands for, and say what the database says.
func Open(ctx context.Context, a *Address, missing []string) (*Table, error) {
	t := &Table{address: a, missing: missing}
	if len(missing) == 0 {
		t.missing = []string{""}
	}
	return t, t.within(ctx, false, func(tx *sql.Tx) (err error) {
		if t.Columns, t.newest, err = a.dialect.columns(ctx, tx, a); err != nil {
			return err
		}
		if err := t.check(); err != nil {
			return err
		}
		if t.Records, t.state, t.noted, err = t.now(ctx, tx); err != nil {
			return err
		}
		return t.checkKey(ctx, tx)
	})
}

// check reports what cannot be worked with.
func (t *Table) check() error {
	if len(t.Columns) == 0 {
		return fmt.Errorf("%w: %s is not there, or has no columns; names are taken as they are written, "+
			"capital letters too", ErrAddress, t.address.Name())
	}
	var refused []string
	for i := range t.Columns {
		if c := &t.Columns[i]; c.form == "" {
			refused = append(refused, fmt.Sprintf("%q (%s)", c.Name, c.declared))
		}
	}
	if len(refused) > 0 {
		return fmt.Errorf("%w: %s: cells of %s are no single texts or numbers; make a view without them, and name "+
			"that", ErrColumn, t.address.Name(), strings.Join(refused, ", "))
	}
	if key := t.address.key; key != "" && t.column(key) == nil {
		return fmt.Errorf("%w: %s has no column %q to tell records apart by; it has %s", ErrColumn, t.address.Name(), key,
			wording.Listed(t.names()))
	}
	return nil
}

// checkKey reports a key that several records share.
func (t *Table) checkKey(ctx context.Context, tx *sql.Tx) error {
	if t.address.key == "" {
		return nil
	}
	key := t.address.dialect.group(t.column(t.address.key))
	for _, where := range t.address.dialect.sliced(key, t.Records) {
		shared := 0
		err := tx.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM "+t.address.relation()+where+" GROUP BY "+key+
			" HAVING count(*) > 1 LIMIT 1) s").Scan(&shared)
		if err != nil {
			return err
		}
		if shared == 0 {
			continue
		}
		return fmt.Errorf("%w: several records of %s have the same value in %q, which is to tell them apart; name another "+
			"column as the key, or none", ErrColumn, t.address.Name(), t.address.key)
	}
	return nil
}

// now returns how many records there are, and what tells whether they are the same later.
func (t *Table) now(ctx context.Context, tx *sql.Tx) (records int, state, noted string, err error) {
	var newest sql.NullString
	err = tx.QueryRowContext(ctx, "SELECT count(*), max("+t.newest+") FROM "+t.address.relation()).Scan(&records, &newest)
	if err == nil {
		noted, err = t.address.dialect.noted(ctx, tx, t.address)
	}
	return records, newest.String, noted, err
}

// unchanged returns streamed.ErrChanged for a table whose records are others than when it was opened, as far as
// their number and what the database notes of them tell.
func (t *Table) unchanged(ctx context.Context, tx *sql.Tx) error {
	records, state, noted, err := t.now(ctx, tx)
	if err == nil && (records != t.Records || state != t.state || noted != t.noted) {
		err = streamed.ErrChanged
	}
	return err
}

// within does something in a transaction of its own, which sees one state of the table and is undone.
func (t *Table) within(ctx context.Context, write bool, do func(*sql.Tx) error) error {
	tx, end, err := t.address.dialect.begin(ctx, t.address, write)
	if err == nil {
		defer end()
		err = do(tx)
	}
	return t.address.failed(ctx, err)
}

// column returns a column by its name; nil where there is none.
func (t *Table) column(name string) *Column {
	at := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
	if at < 0 {
		return nil
	}
	return &t.Columns[at]
}

func (t *Table) names() (names []string) {
	for i := range t.Columns {
		names = append(names, t.Columns[i].Name)
	}
	return names
}

// text returns the cell of a column of the table as text.
func (t *Table) text(name string) string {
	return t.address.dialect.text(t.column(name), quoted(name))
}

// texts returns cells as texts.
func (t *Table) texts(names []string) []string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = t.text(name)
	}
	return texts
}

// Format returns how the cells are spelled as text.
func (t *Table) Format() fileio.Format {
	format := fileio.NewFormat()
	format.Missing = t.missing
	return format
}

// said returns what the database says of a column; nil: nothing.
func (c *Column) said() *microdata.Description {
	if c.Label == "" {
		return nil
	}
	return &microdata.Description{Label: c.Label}
}
