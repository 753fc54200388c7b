package database

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// Regular expressions of texts that are numbers: all, and such short ones that they stay the same as a float64.
const (
	numbers = `^-?((0|[1-9][0-9]*)([.][0-9]+)?|[.][0-9]+)([eE][-+]?[0-9]{1,3})?$`
	short   = `^-?((0|[1-9][0-9]{0,8})([.][0-9]{1,6})?|[.][0-9]{1,15})$`
)

// mostValues is the number of values up to which they are kept of a column that no group goes by.
const mostValues = 10_000

// Groups are the groups of the records of a table.
type Groups struct {
	By       []string // columns whose combinations they are
	Weight   string   // column that is added up; "": none
	Data     *microdata.Dataset
	Decimals int // that sums of the weight have, at most

	records []string // by group: its cells as Record has them
}

// Pass counts the groups of some columns, with the sums of another, "": of none, and describes all columns where that is
// asked for. The error wraps microdata.ErrWeights where the sum is of cells that are no positive numbers,
// and streamed.ErrChanged where records came or went since the table was opened.
func (t *Table) Pass(ctx context.Context, by []string, weight string, describe bool) (*Groups, *fileio.Passed, error) {
	groups := &Groups{By: by, Weight: weight}
	passed := &fileio.Passed{ReadReport: &fileio.ReadReport{Format: t.Format()}, Records: t.Records}
	return groups, passed, t.within(ctx, false, func(tx *sql.Tx) error {
		if len(by) > 0 || weight != "" {
			if err := t.count(ctx, tx, groups, t.address.relation()); err != nil {
				return err
			}
			passed.Groups = groups.Data
		} else if err := t.unchanged(ctx, tx); err != nil {
			return err
		} else {
			groups.records = []string{Record(nil)}
		}
		if !describe {
			return nil
		}
		for i := range t.Columns {
			described, err := t.describe(ctx, tx, &t.Columns[i], passed.Groups, weight)
			if err != nil {
				return err
			}
			passed.Variables = append(passed.Variables, *described)
		}
		return nil
	})
}

// count counts groups of a relation that has the columns of the table, in the order of their texts.
func (t *Table) count(ctx context.Context, tx *sql.Tx, g *Groups, relation string) error {
	d := t.address.dialect
	places, by := make([]string, len(g.By)), make([]string, len(g.By))
	for i, name := range g.By {
		places[i], by[i] = strconv.Itoa(i+1), d.group(t.column(name))
	}
	selected := append(t.texts(g.By), "count(*)", "max("+t.newest+")")
	if g.Weight != "" {
		w := d.weight(t.column(g.Weight))
		selected = append(selected, "count("+w+")", "min("+w+")", "sum("+w+")")
	}
	statement := "SELECT " + strings.Join(selected, ", ") + " FROM " + relation
	if len(by) > 0 {
		statement += " GROUP BY " + strings.Join(by, ", ") + " ORDER BY " + strings.Join(places, ", ")
	}
	rows, err := tx.QueryContext(ctx, statement)
	if err != nil {
		return err
	}
	defer rows.Close()
	counted := counting{groups: g, dated: true, text: appendCSV(nil, heading(g.By))}
	if err := counted.read(rows); err != nil {
		return err
	}
	rows.Close()
	if t.state != "" && (counted.total != t.Records || counted.state != t.state) {
		return streamed.ErrChanged
	}
	if err := t.checkWeights(ctx, tx, &counted); err != nil {
		return err
	}
	return counted.finish(ctx, t)
}

// counting takes groups as they come from the server.
type counting struct {
	groups     *Groups
	text       []byte // as a text file
	records    []uint32
	sums       []float64
	total      int    // records
	dated      bool   // groups come with what tells whether the table changed
	state      string // the highest of that
	newest     int64  // likewise
	bad        bool   // some weights are no positive numbers
	fractional bool   // some weights are not whole
}

func (c *counting) read(rows *sql.Rows) error {
	cells := make([]*string, len(c.groups.By)+1)
	var records, newest, good int64
	var least, sum sql.NullString
	into := make([]any, 0, len(cells)+4)
	for i := range c.groups.By {
		into = append(into, &cells[i])
	}
	if into = append(into, &records); c.dated {
		into = append(into, &newest)
	}
	if c.groups.Weight != "" {
		into = append(into, &good, &least, &sum)
	}
	cells[len(c.groups.By)] = &anything
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if records > math.MaxUint32 {
			return fmt.Errorf("%w: a group has more records than can be counted", ErrColumn)
		}
		c.total, c.newest = c.total+int(records), max(c.newest, newest)
		c.records, c.text = append(c.records, uint32(records)), appendCSV(c.text, cells)
		c.groups.records = append(c.groups.records, Record(cells[:len(c.groups.By)]))
		if c.groups.Weight != "" {
			lowest, _ := strconv.ParseFloat(least.String, 64)
			value, _ := strconv.ParseFloat(sum.String, 64)
			c.bad = c.bad || good < records || !(lowest > 0) || !(value < math.Inf(1))
			c.sums = append(c.sums, value)
		}
	}
	c.state = strconv.FormatInt(c.newest, 10)
	return rows.Err()
}

// checkWeights looks for weights that are no positive numbers, or not whole.
func (t *Table) checkWeights(ctx context.Context, tx *sql.Tx, c *counting) error {
	if c.groups.Weight == "" {
		return nil
	}
	d, from := t.address.dialect, " FROM "+t.address.relation()+" WHERE "
	w := d.weight(t.column(c.groups.Weight))
	if c.bad {
		bad := 0
		if err := tx.QueryRowContext(ctx, "SELECT count(*)"+from+d.positive(w)+" IS NOT TRUE").Scan(&bad); err != nil {
			return err
		}
		return fmt.Errorf("%w: %q has %d of %d records without a positive number", microdata.ErrWeights, c.groups.Weight, bad, c.total)
	}
	return tx.QueryRowContext(ctx, "SELECT EXISTS(SELECT 1"+from+w+" <> round("+w+"))").Scan(&c.fractional)
}

// finish makes the columns of the groups.
func (c *counting) finish(ctx context.Context, t *Table) error {
	g := c.groups
	data, _, err := fileio.ReadBytes(ctx, t.address.Name(), c.text, t.Format(), nil)
	if err != nil {
		return err
	}
	var columns []*microdata.Column
	spellings := map[string]*microdata.Spelling{}
	for i := range t.Columns {
		switch name := t.Columns[i].Name; {
		case name == g.Weight:
			sums, err := c.sumColumn(&t.Columns[i])
			if err != nil {
				return err
			}
			if columns = append(columns, sums); sums.Kind() == microdata.Number {
				g.Decimals = mostDecimals
			}
		default:
			column, counted := data.Column(name)
			if counted && column != data.Columns()[len(g.By)] {
				columns = append(columns, column.WithDescription(t.Columns[i].said()))
				spellings[name] = data.Spelling(name)
			}
		}
	}
	if data, err = microdata.NewGrouped(columns, c.records); err == nil {
		g.Data = data.WithSpellings(spellings)
	}
	return err
}

// mostDecimals is the number of decimals that sums of weights are kept with.
const mostDecimals = 9

func (c *counting) sumColumn(of *Column) (*microdata.Column, error) {
	numbers, kind := &microdata.Numbers{Values: c.sums}, microdata.Whole
	if c.fractional {
		numbers.Uniform, kind = microdata.OddSpelling, microdata.Number
	}
	column, err := microdata.NewNumeric(of.Name, kind, numbers)
	if err != nil {
		return nil, err
	}
	return column.WithDescription(of.said()), nil
}

// anything stands behind the cells of a record, so that no record looks like a line without any.
var anything = "1"

// heading returns the names of columns as cells, and one behind them.
func heading(names []string) []*string { return texts(append(slices.Clone(names), "count")) }

// texts returns cells of texts.
func texts(of []string) []*string {
	cells := make([]*string, len(of))
	for i := range of {
		cells[i] = &of[i]
	}
	return cells
}

// blank reports whether a text stands for a missing cell.
func (t *Table) blank(q *query, text string) string {
	codes := []string{"''"}
	for _, code := range t.missing {
		if code != "" {
			codes = append(codes, q.value(code))
		}
	}
	return "(" + text + " IS NULL OR " + text + " IN (" + strings.Join(codes, ", ") + "))"
}

// describe says what there is in a column, as a pass over a text file does.
func (t *Table) describe(ctx context.Context, tx *sql.Tx, c *Column, groups *microdata.Dataset, weight string) (*fileio.Described,
	error) {
	out := &fileio.Described{Name: c.Name, Said: c.said()}
	if groups != nil && c.Name != weight {
		if column, ok := groups.Column(c.Name); ok {
			out.Kind, out.Blank, out.Column = column.Kind(), column.MissingCount(), column
			return out, nil
		}
	}
	if many, err := t.surelyMany(ctx, tx, c); err != nil || many {
		return out, errorOr(err, func() error { return t.describeMany(ctx, tx, c, out) })
	}
	rows, err := tx.QueryContext(ctx, fmt.Sprintf("SELECT %s, count(*) FROM %s GROUP BY %s ORDER BY 1 LIMIT %d", t.text(c.Name),
		t.address.relation(), t.address.dialect.group(c), mostValues+2))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	values := counting{groups: &Groups{By: []string{c.Name}}, text: appendCSV(nil, heading([]string{c.Name}))}
	if err := values.read(rows); err != nil {
		return nil, err
	}
	if len(values.records) > mostValues {
		rows.Close()
		return out, t.describeMany(ctx, tx, c, out)
	}
	counted := *t
	counted.Columns = []Column{*c}
	if err := values.finish(ctx, &counted); err != nil {
		return nil, err
	}
	out.Column = values.groups.Data.Columns()[0]
	out.Kind, out.Blank = out.Column.Kind(), out.Column.MissingCount()
	return out, nil
}

// errorOr returns an error, or what else there is to do.
func errorOr(err error, do func() error) error {
	if err != nil {
		return err
	}
	return do()
}

// surelyMany reports whether some records show that a column has more values than are kept.
func (t *Table) surelyMany(ctx context.Context, tx *sql.Tx, c *Column) (bool, error) {
	found := 0
	err := tx.QueryRowContext(ctx, fmt.Sprintf("SELECT count(DISTINCT x) FROM (SELECT %s AS x FROM %s LIMIT %d) s",
		t.text(c.Name), t.address.relation(), 3*mostValues)).Scan(&found)
	return found > mostValues, err
}

// describeMany says of a column with many values what it has without keeping them: its kind is that of a text file
// with them. Only numbers that are long or spelled in odd ways are looked at here.
func (t *Table) describeMany(ctx context.Context, tx *sql.Tx, c *Column, out *fileio.Described) error {
	q, d := &query{}, t.address.dialect
	filled := "NOT " + t.blank(q, "x")
	from := " FROM (SELECT " + t.text(c.Name) + " AS x FROM " + t.address.relation() + ") s"
	odd := filled + " AND NOT " + d.matches("x", short)
	var all, others, fractional int
	err := tx.QueryRowContext(ctx, "SELECT count(CASE WHEN "+filled+" THEN 1 END), count(CASE WHEN "+odd+" THEN 1 END), "+
		"count(CASE WHEN "+filled+" AND "+d.matches("x", "[.]")+" THEN 1 END)"+from, q.values...).Scan(&all, &others, &fractional)
	if err != nil {
		return err
	}
	if out.Blank, out.Kind = t.Records-all, microdata.Whole; fractional > 0 {
		out.Kind = microdata.Number
	}
	if others == 0 {
		return nil
	}
	rows, err := tx.QueryContext(ctx, fmt.Sprintf("SELECT x, count(*)%s WHERE %s GROUP BY x ORDER BY x LIMIT %d", from, odd, mostValues),
		q.values...)
	if err != nil {
		return err
	}
	defer rows.Close()
	values := counting{groups: &Groups{By: []string{c.Name}}, text: appendCSV(nil, heading([]string{c.Name}))}
	if err := values.read(rows); err != nil {
		return err
	}
	data, _, err := fileio.ReadBytes(ctx, t.address.Name(), values.text, t.Format(), nil)
	if err != nil {
		return err
	}
	if kind := data.Columns()[0].Kind(); kind != microdata.Whole {
		out.Kind = kind
	}
	return nil
}

// First returns some records of a table, by its key where it has one.
func (t *Table) First(ctx context.Context, records int) (data *microdata.Dataset, err error) {
	names := t.names()
	text := appendCSV(nil, heading(names))
	return data, t.within(ctx, false, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s ORDER BY %s LIMIT %d", strings.Join(t.texts(names), ", "),
			t.address.relation(), t.sorted(""), records))
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
		read, _, err := fileio.ReadBytes(ctx, t.address.Name(), text, t.Format(), nil)
		if err == nil {
			data = read.Without([]string{read.Columns()[len(names)].Name()})
		}
		return err
	})
}

// sorted returns what records are ordered by: the key, or all columns.
func (t *Table) sorted(of string) string {
	if t.address.key != "" {
		return of + quoted(t.address.key)
	}
	places := make([]string, len(t.Columns))
	for i := range places {
		places[i] = strconv.Itoa(i + 1)
	}
	return strings.Join(places, ", ")
}
