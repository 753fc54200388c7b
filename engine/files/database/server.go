package database

import (
	"context"
	"io"
	"net/url"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// server is a kind of database.
type server interface {
	// locate completes an address; the options left are those of the connection, named is what its text has behind the
	// question mark.
	locate(a *Address, where string, options, named url.Values) error
	// begin begins a transaction, which can only read unless it is to write.
	begin(ctx context.Context, a *Address, write bool) (transaction, error)
	// cell returns an expression for a cell of a column as it is read; NULL is missing. Texts that differ in a letter's case
	// or an accent alone are different.
	cell(c *Column) string
	// fits reports whether a column of a type holds the values of numeric data.
	fits(declared string, column *microdata.Column) bool
	// types returns the types of new columns of texts, integers and other numbers.
	types() (text, whole, number string)
	// fault returns an error of the client without values and passwords.
	fault(err error) error
}

// transaction is what is done with a database from its beginning to its end, on one state of it.
type transaction interface {
	// tables returns the names of all tables and views that can be read, as addresses have them.
	tables(ctx context.Context) ([]string, error)
	// columns returns the columns of a table; none: there is no such table.
	columns(ctx context.Context, table []string) ([]Column, error)
	// records returns about how many records a table has; 0 if that takes long to find out.
	records(ctx context.Context, table []string) (int64, error)
	// export writes what a SELECT returns as CSV: NULL is an empty cell.
	export(ctx context.Context, statement string, w io.Writer) error
	// create makes a table, and returns the name under which it is filled.
	create(ctx context.Context, table []string, columns []newColumn) (filled []string, err error)
	// fill writes records into a table that was created.
	fill(ctx context.Context, table []string, r *records, meter *progress.Meter) error
	// ask returns the rows of a SELECT as texts; nil is NULL.
	ask(ctx context.Context, statement string) ([][]*string, error)
	// execute carries out a statement.
	execute(ctx context.Context, statement string) error
	// finish makes what was created visible to others.
	finish(ctx context.Context) error
	// close ends the transaction. What was not finished is undone.
	close()
}

// class says how the cells of a column are read.
type class int

// The classes.
const (
	numbers  class = iota // as numbers
	texts                 // as texts, digits too
	whatever              // as the cells are
)

// Column is a column of a table.
type Column struct {
	Name     string
	Label    string // its comment
	Declared string // its type

	class   class
	form    string // of the type, in words of the server
	content microdata.Content
	unread  string // why it cannot be read; "": it can
	key     int    // its place in the primary key, from 1; 0: it is not in it
	unique  bool   // it alone is the primary key, so that every record has another value
}

// newColumn is a column of a table that is to be created.
type newColumn struct {
	name, declared, label string
	missing               bool // some cells are missing
}

// said returns what the table says of the column.
func (c *Column) said() *microdata.Description {
	d := &microdata.Description{Label: c.Label, Primary: c.unique, Content: c.content, Numbers: c.class == numbers}
	if d.Label == "" && !d.Primary && d.Content == "" && !d.Numbers {
		return nil
	}
	return d
}
