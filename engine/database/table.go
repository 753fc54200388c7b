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
	ErrKey    = errors.New("every record draws its number by its key; name a column whose values are unique with key= in the address of the table")
	ErrExists = errors.New("there is such a table already; choose another name, or remove it yourself")
	ErrTarget = errors.New("a protected table is written into the database that has the table")
)

// Column is a column of a table.
type Column struct {
	Name  string
	Label string // what the database says of it: its comment

	form      string // of its cells, in words of the dialect; "": no text stands for them
	declared  string // as the table has it
	collation string // that its texts are ordered by; "": none is told
	filled    bool   // no text of a cell is empty
	primary   bool   // it alone is the primary key of the table
}

// Table is a table as it was when it was opened. No connection stays open between what is asked.
type Table struct {
	Columns []Column
	Records int    // when it was opened
	Sum     string // of hashes of its records then; "": the address does not ask for it

	address *Address
	missing []string // codes that mean a missing cell; the first is that of cells that became missing
	from    string   // the relation of the records, called s
	newest  string   // expression that changes with the records
	dated   bool     // with all of them
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
		if err := t.look(ctx, tx); err != nil {
			return err
		}
		if err := t.keyByDefault(ctx, tx); err != nil {
			return err
		}
		if t.Records, t.state, t.noted, err = t.now(ctx, tx); err != nil {
			return err
		}
		if t.Sum, err = t.summed(ctx, tx); err != nil {
			return err
		}
		return t.checkKey(ctx, tx)
	})
}

// look reads the columns of the tables, and says where their records are.
func (t *Table) look(ctx context.Context, tx *sql.Tx) error {
	tables := t.address.tables()
	parts := make([]string, len(tables))
	for i, one := range tables {
		columns, newest, err := one.dialect.columns(ctx, tx, one)
		if err == nil {
			err = workable(one, columns)
		}
		if err == nil && i > 0 {
			err = t.sameForm(one, columns)
		}
		if err != nil {
			return err
		}
		if i == 0 {
			t.Columns, t.newest, t.from = columns, newest, one.relation()+" s"
		}
		t.dated = (i == 0 || t.dated) && newest != "0"
		parts[i] = "SELECT " + strings.Join(append(quotedAll(t.names()), newest+" AS sdcdesk_newest"), ", ") + " FROM " +
			one.relation()
	}
	if len(parts) > 1 {
		t.newest, t.from = "sdcdesk_newest", "("+strings.Join(parts, " UNION ALL ")+") s"
	}
	return t.hasKey()
}

// ownNames begins the names of columns that statements add.
const ownNames = "sdcdesk_"

// workable reports columns of a table that cannot be worked with.
func workable(a *Address, columns []Column) error {
	if len(columns) == 0 {
		return fmt.Errorf("%w: %s is not there, or has no columns; names are taken as they are written, "+
			"capital letters too", ErrAddress, a.Name())
	}
	var refused []string
	for i := range columns {
		c := &columns[i]
		if c.Name == "" || strings.HasPrefix(strings.ToLower(c.Name), ownNames) {
			return fmt.Errorf("%w: %s has a column %q: one must have a name, and those that begin with %s are of this program; make a "+
				"view with other names, and name that", ErrColumn, a.Name(), c.Name, ownNames)
		}
		if c.form == "" {
			refused = append(refused, fmt.Sprintf("%q (%s)", c.Name, c.declared))
		}
	}
	if len(refused) > 0 {
		return fmt.Errorf("%w: %s: cells of %s are no single texts or numbers; make a view without them, and name "+
			"that", ErrColumn, a.Name(), strings.Join(refused, ", "))
	}
	return nil
}

// sameForm reports the first column of another table that has not the name and the type that it has in the first table.
func (t *Table) sameForm(other *Address, columns []Column) error {
	first := t.address.tables()[0].Name()
	differ := func(what string, parts ...any) error {
		return fmt.Errorf("%w: tables that are taken together have the same columns: "+what+"; make a view that has them, and "+
			"name that", append([]any{ErrColumn}, parts...)...)
	}
	for i := range columns {
		c := &columns[i]
		switch known := t.column(c.Name); {
		case known == nil:
			return differ("%s has %q, %s has not", other.Name(), c.Name, first)
		case known.declared != c.declared:
			return differ("%q is %s in %s and %s in %s", c.Name, known.declared, first, c.declared, other.Name())
		case known.collation != c.collation:
			return differ("%q is ordered by %s in %s and by %s in %s", c.Name, known.collation, first, c.collation, other.Name())
		}
	}
	for _, name := range t.names() {
		if !slices.ContainsFunc(columns, func(c Column) bool { return c.Name == name }) {
			return differ("%s has %q, %s has not", first, name, other.Name())
		}
	}
	return nil
}

// hasKey reports a key that is no column.
func (t *Table) hasKey() error {
	if key := t.address.key; key != "" && t.column(key) == nil {
		return fmt.Errorf("%w: %s has no column %q to tell records apart by; it has %s", ErrColumn, t.address.Name(), key,
			wording.Listed(t.names()))
	}
	return nil
}

// checkKey reports a key that several records share.
func (t *Table) checkKey(ctx context.Context, tx *sql.Tx) error {
	if t.address.key == "" || t.column(t.address.key).primary {
		return nil
	}
	shares := t.keyShared
	if t.here() {
		shares = t.keySharedHere
	}
	shared, err := shares(ctx, tx)
	if err == nil && shared {
		err = fmt.Errorf("%w: several records of %s have the same value in %q, which is to tell them apart; name another "+
			"column as the key, or none", ErrColumn, t.address.Name(), t.address.key)
	}
	return err
}

// keyShared lets the server tell whether several records share a key.
func (t *Table) keyShared(ctx context.Context, tx *sql.Tx) (bool, error) {
	key := t.server().group(t.column(t.address.key))
	for _, where := range t.server().sliced(key, t.Records) {
		shared := 0
		err := tx.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM "+t.from+where+" GROUP BY "+key+
			" HAVING count(*) > 1 LIMIT 1) s").Scan(&shared)
		if err != nil || shared > 0 {
			return true, err
		}
	}
	return false, nil
}

// now returns how many records there are, and what tells whether they are the same later.
func (t *Table) now(ctx context.Context, tx *sql.Tx) (records int, state, noted string, err error) {
	var newest sql.NullString
	err = tx.QueryRowContext(ctx, "SELECT count(*), max("+t.newest+") FROM "+t.from).Scan(&records, &newest)
	if err == nil {
		noted, err = t.notes(ctx, tx)
	}
	return records, newest.String, noted, err
}

// notes returns what the database notes elsewhere that changes with the records.
func (t *Table) notes(ctx context.Context, tx *sql.Tx) (string, error) {
	var notes []string
	for _, one := range t.address.tables() {
		note, err := one.dialect.noted(ctx, tx, one)
		if err != nil {
			return "", err
		}
		notes = append(notes, note)
	}
	return strings.Join(notes, " "), nil
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

// releasable returns streamed.ErrChanged as unchanged does, and where the sum of all records is another, where that is
// asked for.
func (t *Table) releasable(ctx context.Context, tx *sql.Tx) error {
	if err := t.unchanged(ctx, tx); err != nil {
		return err
	}
	sum, err := t.summed(ctx, tx)
	if err == nil && sum != t.Sum {
		err = streamed.ErrChanged
	}
	return err
}

// summed returns the sum of hashes of all records, which stay in the database; "": the address does not ask for it.
func (t *Table) summed(ctx context.Context, tx *sql.Tx) (string, error) {
	if !t.address.sum {
		return "", nil
	}
	if t.here() {
		return t.summedHere(ctx, tx)
	}
	var sum sql.NullString
	d := t.server()
	err := tx.QueryRowContext(ctx, "SELECT sum("+d.hashed(d.record(t.texts(t.names())))+") FROM "+t.from).Scan(&sum)
	return sum.String, err
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
	if c.Label == "" && !c.primary {
		return nil
	}
	return &microdata.Description{Label: c.Label, Primary: c.primary}
}
