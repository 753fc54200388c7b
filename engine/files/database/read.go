package database

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// Table is a table, or several with the same columns, that was read.
type Table struct {
	Columns []Column // columns that were read
	address *Address
	orders  [][]string // by table: columns that order the records
}

// Read reads the records of the tables of an address, ordered by their primary key or by the column key=. Of the
// format, it uses the missing codes, the names of selected columns and the memory limit. Columns of unsupported
// types are left out with a warning, unless they are selected by name. The meter counts records. Errors wrap
// ErrAddress, ErrPassword or ErrColumn, are those of fileio.ReadRecords, or describe an error of the database.
func Read(ctx context.Context, a *Address, f fileio.Format, meter *progress.Meter) (*Table, *microdata.Dataset,
	*fileio.ReadReport, error) {
	tx, err := a.server.begin(ctx, a, false)
	if err != nil {
		return nil, nil, nil, a.failed(ctx, err)
	}
	defer tx.close()
	var table *Table
	var warnings []string
	wanted, err := a.wanted(f.Columns)
	if err == nil {
		table, warnings, err = a.look(ctx, tx, wanted)
	}
	if err != nil {
		return nil, nil, nil, a.failed(ctx, err)
	}
	data, report, err := table.read(ctx, tx, f, meter)
	if err != nil {
		return nil, nil, nil, a.failed(ctx, err)
	}
	report.Warnings = append(warnings, report.Warnings...)
	return table, data, report, nil
}

// look returns the selected columns of the tables, or all supported ones, with warnings about the others.
func (a *Address) look(ctx context.Context, tx transaction, wanted []string) (*Table, []string, error) {
	if len(a.tables) == 0 {
		return nil, nil, a.unnamed(ctx, tx)
	}
	t := &Table{address: a}
	var unread []string
	for i, name := range a.tables {
		all, err := tx.columns(ctx, name)
		if err != nil {
			return nil, nil, err
		}
		if len(all) == 0 {
			return nil, nil, a.absent(ctx, tx, name)
		}
		columns, others, err := chosen(strings.Join(name, "."), all, wanted)
		if err == nil && len(a.keep) > 0 {
			_, _, err = chosen(strings.Join(name, "."), all, a.keep)
		}
		if err == nil && i > 0 {
			err = t.sameColumns(name, columns)
		}
		if err == nil {
			err = a.checkKey(name, all)
		}
		if err != nil {
			return nil, nil, err
		}
		if i == 0 {
			t.Columns, unread = a.arranged(columns), others
		}
		t.orders = append(t.orders, t.order(all))
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		c.unique = len(a.tables) == 1 && (c.unique && a.key == "" || c.Name == a.key)
	}
	if len(unread) == 0 {
		return t, nil, nil
	}
	return t, []string{fmt.Sprintf("%s of %s cannot be read and %s omitted: %s", wording.Counted(len(unread), "column"), a.Name(),
		wording.Verb(len(unread), "are"), strings.Join(wording.FirstFew(unread, 5), ", "))}, nil
}

// mostTables is the maximum number of tables listed in an error.
const mostTables = 30

// unnamed returns the error for an address without a table, which lists the tables.
func (a *Address) unnamed(ctx context.Context, tx transaction) error {
	there, err := tx.tables(ctx)
	if err != nil {
		return err
	}
	if len(there) == 0 {
		return fmt.Errorf("%w: %s has no table that you can read", ErrAddress, a.shown)
	}
	return fmt.Errorf("%w: add ?table=NAME, or &table=NAME after other options; readable tables: %s", ErrAddress,
		strings.Join(wording.FirstFew(there, mostTables), ", "))
}

// absent returns the error for a table that does not exist.
func (a *Address) absent(ctx context.Context, tx transaction, table []string) error {
	name := strings.Join(table, ".")
	there, err := tx.tables(ctx)
	if err != nil || len(there) == 0 {
		return fmt.Errorf("%w: no table %s", ErrAddress, name)
	}
	inOtherCase := func(other string) bool { return strings.EqualFold(strings.ReplaceAll(other, `"`, ""), name) }
	hint := ""
	if slices.ContainsFunc(there, inOtherCase) {
		hint = "; names are case-sensitive"
	}
	return fmt.Errorf("%w: no table %s%s; readable tables: %s", ErrAddress, name, hint,
		strings.Join(wording.FirstFew(there, mostTables), ", "))
}

// chosen returns the selected columns, or all supported ones, and the names of unsupported ones.
func chosen(table string, all []Column, wanted []string) (columns []Column, unread []string, err error) {
	for i := range all {
		c := &all[i]
		if len(wanted) > 0 && !slices.Contains(wanted, c.Name) {
			continue
		}
		if c.unread == "" {
			columns = append(columns, *c)
		} else {
			unread = append(unread, fmt.Sprintf("%q (%s)", c.Name, c.unread))
		}
	}
	for _, name := range wanted {
		if !slices.ContainsFunc(all, func(c Column) bool { return c.Name == name }) {
			return nil, nil, fmt.Errorf("%w: %s has no column %q; its columns are %s", ErrColumn, table, name, namesListed(all))
		}
	}
	if len(unread) > 0 && (len(wanted) > 0 || len(columns) == 0) {
		return nil, nil, fmt.Errorf("%w: %s: %s", ErrColumn, table, strings.Join(wording.FirstFew(unread, 5), ", "))
	}
	return columns, unread, nil
}

// namesListed lists the names of columns in a sentence.
func namesListed(columns []Column) string {
	names := make([]string, len(columns))
	for i := range columns {
		names[i] = columns[i].Name
	}
	return strings.Join(wording.FirstFew(names, mostTables), ", ")
}

// sameColumns sorts the columns of another table in the order of the first; it returns an error if they differ.
func (t *Table) sameColumns(name []string, columns []Column) error {
	other, first := strings.Join(name, "."), strings.Join(t.address.tables[0], ".")
	for i := range t.Columns {
		c := &t.Columns[i]
		at := slices.IndexFunc(columns, func(other Column) bool { return other.Name == c.Name })
		if at < 0 {
			return fmt.Errorf("%w: all tables must have the same columns: %s has %q, but %s does not", ErrColumn, first, c.Name, other)
		}
		if columns[at].Declared != c.Declared {
			return fmt.Errorf("%w: all tables must have the same columns: %q is %s in %s, but %s in %s", ErrColumn, c.Name,
				c.Declared, first, columns[at].Declared, other)
		}
	}
	for i := range columns {
		if t.column(columns[i].Name) == nil {
			return fmt.Errorf("%w: all tables must have the same columns: %s has %q, but %s does not", ErrColumn, other,
				columns[i].Name, first)
		}
	}
	return nil
}

// checkKey returns an error if a table does not have the key column.
func (a *Address) checkKey(table []string, all []Column) error {
	if a.key == "" || slices.ContainsFunc(all, func(c Column) bool { return c.Name == a.key }) {
		return nil
	}
	return fmt.Errorf("%w: %s has no column %q for key=; its columns are %s", ErrColumn, strings.Join(table, "."), a.key,
		namesListed(all))
}

// column returns a column by name, or nil if it was not read.
func (t *Table) column(name string) *Column {
	at := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
	if at < 0 {
		return nil
	}
	return &t.Columns[at]
}

// read reads the records.
func (t *Table) read(ctx context.Context, tx transaction, f fileio.Format, meter *progress.Meter) (*microdata.Dataset,
	*fileio.ReadReport, error) {
	variables := make([]fileio.RecordVariable, len(t.Columns), len(t.Columns)+1)
	for i := range t.Columns {
		c := &t.Columns[i]
		variables[i] = fileio.RecordVariable{Name: c.Name, Text: c.class == texts, Said: c.said()}
	}
	if len(t.address.count) > 0 {
		f.Count = t.address.Count()
		variables = append(variables, fileio.RecordVariable{Name: f.Count})
	}
	if len(variables) == 1 { // with one column, an empty line would not be a record
		variables = append(variables, fileio.RecordVariable{Name: "(none)", Skipped: true})
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	read, written := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := t.export(ctx, tx, countingWriter{written, meter}, meter)
		written.CloseWithError(err)
		done <- err
	}()
	data, report, err := fileio.ReadRecords(ctx, t.address.Name(), read, variables, f)
	read.Close()
	stop(err)
	if exported := <-done; exported != nil && (err == nil || errors.Is(err, exported)) {
		err = exported
	}
	return data, report, err
}

// countingWriter is a writer that reports the approximate number of records to a meter.
type countingWriter struct {
	io.Writer
	meter *progress.Meter
}

// Write counts line ends.
func (c countingWriter) Write(text []byte) (int, error) {
	c.meter.Add(int64(bytes.Count(text, []byte{'\n'})))
	return c.Writer.Write(text)
}

// export writes the records of all tables in turn as CSV.
func (t *Table) export(ctx context.Context, tx transaction, w io.Writer, meter *progress.Meter) error {
	if len(t.address.count) > 0 {
		meter.Start(0)
		return tx.export(ctx, t.grouping(), w)
	}
	all := int64(0)
	for _, table := range t.address.tables {
		records, err := tx.records(ctx, table)
		if err != nil {
			return err
		}
		all += records
	}
	meter.Start(all)
	for i, table := range t.address.tables {
		if err := tx.export(ctx, t.selecting(table, t.orders[i]), w); err != nil {
			return err
		}
	}
	return nil
}

// selecting returns the SELECT for the records of a table, ordered by columns.
func (t *Table) selecting(table, order []string) string {
	cells := make([]string, len(t.Columns), len(t.Columns)+1)
	for i := range t.Columns {
		cells[i] = t.address.server.cell(&t.Columns[i])
	}
	if len(cells) == 1 {
		cells = append(cells, "1")
	}
	statement := "SELECT " + strings.Join(cells, ", ") + " FROM " + relation(table) + " s"
	if len(order) > 0 {
		statement += " ORDER BY s." + strings.Join(quotedAll(order), ", s.")
	}
	return statement
}

// order returns the columns that order the records of a table: the column key=, the primary key, or all columns if
// the database has no order of its own.
func (t *Table) order(all []Column) []string {
	if t.address.key != "" {
		return []string{t.address.key}
	}
	order := keyOf(all)
	if _, unordered := t.address.server.(clickHouse); unordered && len(order) == 0 {
		for i := range t.Columns {
			order = append(order, t.Columns[i].Name)
		}
	}
	return order
}

// keyOf returns the columns of the primary key in order; none if there is no key or one of its columns is not
// supported.
func keyOf(columns []Column) []string {
	var key []Column
	for i := range columns {
		if columns[i].key > 0 {
			key = append(key, columns[i])
		}
	}
	slices.SortFunc(key, func(a, b Column) int { return a.key - b.key })
	names := make([]string, len(key))
	for i := range key {
		if names[i] = key[i].Name; key[i].unread != "" {
			return nil
		}
	}
	return names
}
