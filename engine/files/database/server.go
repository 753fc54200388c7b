package database

import (
	"context"
	"io"
	"net/url"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// server is implemented by each kind of database.
type server interface {
	// locate completes an address; options are the remaining options of the connection, named is the query of the
	// address.
	locate(a *Address, where string, options, named url.Values) error
	// begin starts a transaction, read-only unless write is set.
	begin(ctx context.Context, a *Address, write bool) (transaction, error)
	// cell returns an expression for a cell of a column when it is read; NULL is missing. It distinguishes texts
	// that differ only in case or accents.
	cell(c *Column) string
	// fits reports whether a declared type can hold the values of a numeric column.
	fits(declared string, column *microdata.Column) bool
	// types returns the types of new columns for texts, integers and other numbers.
	types() (text, whole, number string)
	// fault returns an error of the client without values and passwords.
	fault(err error) error
}

// transaction is a transaction on a consistent state of a database.
type transaction interface {
	// tables returns the names of all readable tables and views, as written in addresses.
	tables(ctx context.Context) ([]string, error)
	// columns returns the columns of a table, or none if it does not exist.
	columns(ctx context.Context, table []string) ([]Column, error)
	// records returns the approximate number of records of a table, or 0 if it is expensive to obtain.
	records(ctx context.Context, table []string) (int64, error)
	// export writes the result of a SELECT as CSV, with an empty cell for NULL.
	export(ctx context.Context, statement string, w io.Writer) error
	// create creates a table, and returns the name under which it is filled.
	create(ctx context.Context, table []string, columns []newColumn) (filled []string, err error)
	// fill writes records into a table that was created.
	fill(ctx context.Context, table []string, r *records, meter *progress.Meter) error
	// ask returns the rows of a SELECT as texts, with nil for NULL.
	ask(ctx context.Context, statement string) ([][]*string, error)
	// execute executes a statement.
	execute(ctx context.Context, statement string) error
	// finish makes created tables visible to others.
	finish(ctx context.Context) error
	// close ends the transaction and undoes what was not finished.
	close()
}

// class is the way in which the cells of a column are read.
type class int

// The classes.
const (
	numbers  class = iota // as numbers
	texts                 // as texts, even if they are digits
	whatever              // depending on the cells
)

// Column is a column of a table.
type Column struct {
	Name     string
	Label    string // comment of the column
	Declared string // declared type

	class   class
	form    string // the type as handled by the server implementation
	content microdata.Content
	unread  string // reason why it cannot be read, or ""
	key     int    // position in the primary key, from 1; 0 if not in it
	unique  bool   // is the only column of the primary key, so that values are unique
}

// newColumn is a column of a table to be created.
type newColumn struct {
	name, declared, label string
	missing               bool // some cells are missing
}

// said returns the description of the column.
func (c *Column) said() *microdata.Description {
	d := &microdata.Description{Label: c.Label, Primary: c.unique, Content: c.content, Numbers: c.class == numbers}
	if d.Label == "" && !d.Primary && d.Content == "" && !d.Numbers {
		return nil
	}
	return d
}
