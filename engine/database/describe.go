package database

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// Regular expressions of texts that are numbers: all, and such short ones that they stay the same as a float64.
const (
	numbers = `^-?((0|[1-9][0-9]*)([.][0-9]+)?|[.][0-9]+)([eE][-+]?[0-9]{1,3})?$`
	short   = `^-?((0|[1-9][0-9]{0,8})([.][0-9]{1,6})?|[.][0-9]{1,15})$`
)

// mostValues is the number of values up to which they are kept of a column that no group goes by, where nobody asks
// for them.
const mostValues = 10_000

// Pass counts the groups of some columns, with the sums of another, "": of none, and describes all columns, those of
// values with all of their values up to fileio.MostValues; said is what an earlier pass found of them, nil: there was
// none. The error wraps microdata.ErrWeights where the sum is of cells that are no positive numbers, and
// streamed.ErrChanged where records are others than when the table was opened. The meter counts questions: the
// groups, and each column that is described.
func (t *Table) Pass(ctx context.Context, by []string, weight string, values []string, said []fileio.Described, meter *progress.Meter) (
	*Groups, *fileio.Passed, error) {
	all, first := 1, said == nil
	if first {
		all += len(t.Columns)
	}
	ctx, asked := t.questions(ctx, meter, all)
	groups := &Groups{By: by, Weight: weight, records: []string{recordText(nil)}}
	passed := &fileio.Passed{ReadReport: &fileio.ReadReport{Format: t.Format()}, Records: t.Records}
	return groups, passed, t.within(ctx, false, func(tx *sql.Tx) error {
		if len(by) == 0 && weight == "" {
			if err := t.unchanged(ctx, tx); err != nil {
				return err
			}
		} else if err := t.count(ctx, tx, groups); err != nil {
			return err
		}
		passed.Groups = groups.Data
		asked.answered()
		if t.here() {
			var err error
			if said, err = t.describeHere(ctx, tx, by, values, said); err != nil {
				return err
			}
		}
		for i := range t.Columns {
			described, err := t.described(ctx, tx, i, groups, values, said)
			if err != nil {
				return err
			}
			passed.Variables = append(passed.Variables, *described)
			if first {
				asked.answered()
			}
		}
		return nil
	})
}

// described says what there is in a column: as the groups have it, as it was said, or as it is found.
func (t *Table) described(ctx context.Context, tx *sql.Tx, i int, groups *Groups, values []string, said []fileio.Described) (
	*fileio.Described, error) {
	c := &t.Columns[i]
	switch {
	case slices.Contains(groups.By, c.Name):
		column, _ := groups.Data.Column(c.Name)
		return &fileio.Described{Name: c.Name, Said: c.said(), Kind: column.Kind(), Blank: column.MissingCount(),
			Column: column}, nil
	case !t.here() && slices.Contains(values, c.Name) && (said == nil || said[i].Column == nil):
		return t.describe(ctx, tx, c, fileio.MostValues)
	case said != nil:
		return &said[i], nil
	}
	return t.describe(ctx, tx, c, mostValues)
}

// blank reports whether a cell of a column, with its text, is missing.
func (t *Table) blank(q *query, c *Column, cell, text string) string {
	is := cell + " IS NULL"
	if !c.filled {
		is += " OR " + text + " = ''"
	}
	for _, code := range t.missing {
		if code != "" {
			is += " OR " + text + " = " + q.value(code)
		}
	}
	return "(" + is + ")"
}

// describe says what there is in a column, as a pass over a text file does, with its values where they are not more
// than most.
func (t *Table) describe(ctx context.Context, tx *sql.Tx, c *Column, most int) (*fileio.Described, error) {
	out := &fileio.Described{Name: c.Name, Said: c.said()}
	if many, err := t.surelyMany(ctx, tx, c, most); err != nil {
		return nil, err
	} else if many {
		return out, t.describeMany(ctx, tx, c, out)
	}
	values, err := t.valuesIn(ctx, tx, &query{}, c, t.from, " LIMIT "+strconv.Itoa(most+2))
	if err != nil {
		return nil, err
	}
	if len(values.records) > most {
		return out, t.describeMany(ctx, tx, c, out)
	}
	if err := values.finish(ctx, t.only(c)); err != nil {
		return nil, err
	}
	out.Column = values.groups.Data.Columns()[0]
	out.Kind, out.Blank = out.Column.Kind(), out.Column.MissingCount()
	return out, nil
}

// valuesIn counts the values of a column in a relation; ending ends the statement.
func (t *Table) valuesIn(ctx context.Context, tx *sql.Tx, q *query, c *Column, from, ending string) (*counting, error) {
	rows, err := tx.QueryContext(ctx, "SELECT "+t.text(c.Name)+", count(*) FROM "+from+" GROUP BY "+
		t.server().group(c)+ending, q.values...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	values := &counting{groups: &Groups{By: []string{c.Name}}}
	return values, values.read(rows)
}

// only returns the table with one of its columns alone.
func (t *Table) only(c *Column) *Table {
	out := *t
	out.Columns = []Column{*c}
	return &out
}

// surelyMany reports whether some records show that a column has more values than are kept.
func (t *Table) surelyMany(ctx context.Context, tx *sql.Tx, c *Column, most int) (bool, error) {
	found := 0
	err := tx.QueryRowContext(ctx, fmt.Sprintf("SELECT count(DISTINCT x) FROM (SELECT %s AS x FROM %s LIMIT %d) s",
		t.text(c.Name), t.from, 3*most)).Scan(&found)
	return found > most, err
}

// describeMany says of a column with many values what it has without keeping them: its kind is that of a text file
// with them. Only numbers that are long or spelled in odd ways are looked at here.
func (t *Table) describeMany(ctx context.Context, tx *sql.Tx, c *Column, out *fileio.Described) error {
	q, d := &query{}, t.server()
	filled := "NOT " + t.blank(q, c, "x", "x")
	from := " FROM (SELECT " + t.text(c.Name) + " AS x FROM " + t.from + ") s"
	odd := filled + " AND NOT " + d.matches("x", short)
	var all, others, fractional int
	err := tx.QueryRowContext(ctx, "SELECT count(CASE WHEN "+filled+" THEN 1 END), count(CASE WHEN "+odd+" THEN 1 END), "+
		"count(CASE WHEN "+filled+" AND "+d.matches("x", "[.]")+" THEN 1 END)"+from, q.values...).
		Scan(&all, &others, &fractional)
	if err != nil {
		return err
	}
	if out.Blank, out.Kind = t.Records-all, microdata.Whole; fractional > 0 {
		out.Kind = microdata.Number
	}
	if others == 0 {
		return nil
	}
	rows, err := tx.QueryContext(ctx, fmt.Sprintf("SELECT x, count(*)%s WHERE %s GROUP BY x ORDER BY x LIMIT %d", from,
		odd, mostValues), q.values...)
	if err != nil {
		return err
	}
	defer rows.Close()
	values := counting{groups: &Groups{By: []string{c.Name}}}
	if err := values.read(rows); err != nil {
		return err
	}
	data, err := t.dataOf(ctx, values.text)
	if err != nil {
		return err
	}
	if kind := data.Columns()[0].Kind(); kind != microdata.Whole {
		out.Kind = kind
	}
	return nil
}

// dataOf makes data of cells as text.
func (t *Table) dataOf(ctx context.Context, text []byte) (*microdata.Dataset, error) {
	data, _, err := fileio.ReadBytes(ctx, t.address.Name(), text, t.Format(), nil)
	return data, err
}

// First returns some records of a table, by its key where it has one.
func (t *Table) First(ctx context.Context, records int) (data *microdata.Dataset, err error) {
	names := t.names()
	text := appendCSV(nil, heading(names))
	return data, t.within(ctx, false, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s ORDER BY %s LIMIT %d",
			strings.Join(t.texts(names), ", "), t.from, t.sorted(), records))
		if err != nil {
			return err
		}
		defer rows.Close()
		cells, into := make([]*string, len(names)+1), make([]any, len(names))
		cells[len(names)] = &anything
		for i := range into {
			into[i] = &cells[i]
		}
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				return err
			}
			text = appendCSV(text, cells)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		read, err := t.dataOf(ctx, text)
		if err == nil {
			data = t.withPrimary(read.Without([]string{read.Columns()[len(names)].Name()}))
		}
		return err
	})
}

// sorted returns what records of the table, called s, are ordered by: the key, or the texts of all columns.
func (t *Table) sorted() string {
	if t.address.key != "" {
		return "s." + quoted(t.address.key) // alone it would be the text that is selected
	}
	return strings.Join(t.texts(t.names()), ", ")
}
