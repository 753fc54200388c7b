package database

import (
	"context"
	"database/sql"
	"net/url"

	"github.com/sdcdesk/sdcdesk/engine/data/draws"
)

// dialect is what differs between kinds of databases; see standard.
type dialect interface {
	// locate completes an address of the kind.
	locate(a *Address, where string, options, named url.Values) error
	// file returns the path of the file that the database is; "": it is none.
	file(a *Address) string
	// begin begins a transaction that sees the data as they are now, which nothing is written in
	// unless it is to write. end ends it, and is called once more at no harm.
	begin(ctx context.Context, a *Address, write bool) (tx *sql.Tx, end func(), err error)
	// columns returns the columns of a table, and an expression whose highest value changes with its records; "0":
	// there is none.
	columns(ctx context.Context, tx *sql.Tx, a *Address) (columns []Column, newest string, err error)
	// primary returns the column that is the primary key of a table, so that no two records have the same value in it;
	// "": there is none, or it has several columns.
	primary(ctx context.Context, tx *sql.Tx, a *Address) (string, error)
	// noted returns what the database notes elsewhere that changes with the records of the table; "": nothing.
	noted(ctx context.Context, tx *sql.Tx, a *Address) (string, error)
	// watched returns a context under which questions tell how many records were looked at, and of how many, where that is
	// known.
	watched(ctx context.Context, tell func(done, all int64)) context.Context
	// each takes the cells of each record of a statement, texts and numbers, as texts that are good until the next record;
	// nil is NULL.
	each(ctx context.Context, tx *sql.Tx, statement string, q *query, take func(cells [][]byte) error) error
	// sent returns a cell of a column that each takes as its text.
	sent(c *Column) string
	// hash returns a whole number of 64 bits of the cells of some columns, which is found in less time than their text;
	// "": there is none.
	hash(by []*Column) string
	// text returns a cell of a column, whose expression is given, as text.
	text(c *Column, expression string) string
	// types returns the types of texts and numbers.
	types() (text, whole, number string)
	// record returns cells, as texts, as the one text that recordText makes of them.
	record(texts []string) string
	// real returns a cell as a floating number of 64 bits; anything where it is none.
	real(c *Column) string
	// located returns what the records are told apart by: a column, or nil for what the database has itself.
	located(ctx context.Context, tx *sql.Tx, a *Address, c *Column) (located, error)
	// gathered returns a relation of columns of the table where conditions may have values also in what it is ordered by.
	gathered(relation string, names []string) string
	// upload brings a relation to where queries can name it, and returns how they do. Its first column is
	// looked up.
	upload(ctx context.Context, tx *sql.Tx, q *query, name string, columns []uploaded) (string, error)
	// caution says what is to be known of protected tables that were made; "": nothing.
	caution() string
	// emptied returns the type that a column has whose cells may be missing, of the type that it had.
	emptied(declared string) string
	// fault returns an error of the driver without values and passwords.
	fault(err error) error
}

// server is the dialect of a database that groups, deals out and protects records itself, for those that are no files.
type server interface {
	dialect
	// cell returns a cell of a column, whose expression is given, of a type that can be put together with others.
	cell(c *Column, expression string) string
	// group returns what records of a table are grouped by that have equal texts.
	group(c *Column) string
	// sliced returns conditions that part so many records by a key into as many as are grouped by it at a time; "": all.
	sliced(key string, records int) []string
	// weight returns a cell as a number whose sums are exact; NULL where it is none.
	weight(c *Column) string
	// positive reports whether a number is positive and finite.
	positive(expression string) string
	// matches reports whether a text matches a regular expression, which has no quotes.
	matches(expression, pattern string) string
	// hashed returns a number that a text has, of which some billion can be added up.
	hashed(text string) string
	// order returns what records are ordered by that lose cells, of the secret and a text.
	order(secret, text string) string
	// draw returns the whole number of 63 bits that a record draws, see draws.ByKey, of a secret, the text of its key, and
	// where that is not its alone a number beside it; "": it is.
	draw(secret, text, number string) string
	// once ends a statement whose columns are made once of each record, and not wherever what is joined names them.
	once() string
	// numbered returns the records of a statement, whose columns have names, and behind them the place of each among
	// those with the same value of one column by the order of others, as sdcdesk_number.
	numbered(statement string, names []string, by string, order ...string) string
	// together returns the records of a statement, whose columns have names, and behind them what members of households
	// have their turn by: the sum of sdcdesk_key over the household, as sdcdesk_kind; the place of the household among
	// those of one sum by the lowest sdcdesk_order of its members, as sdcdesk_place; and the place of the record among
	// those of the household with its sdcdesk_key by that order and sdcdesk_twin, as sdcdesk_number. Records with one
	// value of the column home are a household, those without any one each, which sdcdesk_order and sdcdesk_twin tell
	// apart.
	together(statement string, names []string, home string) string
	// listed returns the whole numbers of all records of a group, from the lowest on, as one text with commas.
	listed(number string) string
	// join joins two relations by a column of both, INNER or LEFT; the second holds a value once or some times.
	join(kind string) string
	// among ends a statement for records of the table whose address, an expression, an uploaded relation has, with which
	// they are joined: it may leave out others. Without a relation it is for all records.
	among(address, relation string) string
	// numeral returns the text of a floating number, where it is whole that of a whole number.
	numeral(expression string) string
	// times returns a cell of a weight that samples multiply, as a number: what floating numbers of 64 bits give.
	times(c *Column, samples []*draws.Sample) string
	// create makes a table like the source of the records of a statement, whose columns have names and, where the
	// statement does not tell them, types.
	create(ctx context.Context, tx *sql.Tx, source, a *Address, names, types []string, statement string, q *query) (
		*created, error)
}

// server returns the dialect of a table that is not here.
func (t *Table) server() server { return t.address.dialect.(server) }

// created is a protected table that is not there for others yet.
type created struct {
	address *Address // where it is until it is
	records int64
	finish  func() error // makes it there
	abandon func()       // removes it, and does nothing once it is there
}

// located is what single records are told apart and ordered by.
type located struct {
	called     string // "": nothing tells them apart
	expression string
	text       string                   // of the expression
	given      func(text string) string // what stands for the value with a text
	valid      func(text string) bool   // whether it is the text of one, as somebody types it; nil: any is
	always     bool                     // every record has one
	// spans returns conditions, ANDs before them, for parts of the records from a text on, or back from it; "": from the
	// first, or the last. They follow each other. nil: the database finds the first of them in no time.
	spans func(from string, back bool) []string
}

// uploaded is a column of a relation: texts, NULL where nil, or numbers.
type uploaded struct {
	name    string
	texts   []*string
	numbers []int64
}

// query is a statement in the making, with the values that travel beside it.
type query struct{ values []any }

// value returns what stands for a value in the statement.
func (q *query) value(value any) string {
	q.values = append(q.values, value)
	return placeholder(len(q.values))
}
