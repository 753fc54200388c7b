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
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// Groups are the groups of the records of a table.
type Groups struct {
	By       []string // columns whose combinations they are
	Weight   string   // column that is added up; "": none
	Data     *microdata.Dataset
	Decimals int // that sums of the weight have, at most

	records []string // by group: its cells as recordText has them
	hashes  []int64  // by group, where the database has a hash of its records that is none of another group; else nil
}

// hash returns the hash of the records of the groups; "": there is none.
func (t *Table) hash(g *Groups) string {
	if len(g.By) == 0 {
		return ""
	}
	by := make([]*Column, len(g.By))
	for i, name := range g.By {
		by[i] = t.column(name)
	}
	return t.address.dialect.hash(by)
}

// addressOf returns what the records of a group have in common and others have not.
func (t *Table) addressOf(g *Groups) string {
	if g.hashes != nil {
		return t.hash(g)
	}
	return t.address.dialect.record(t.texts(g.By))
}

// addresses returns it for some groups, as the column sdcdesk_address.
func (g *Groups) addresses(groups []int) uploaded {
	out := uploaded{name: "sdcdesk_address"}
	if g.hashes == nil {
		out.texts = make([]*string, len(groups))
		for i, group := range groups {
			out.texts[i] = &g.records[group]
		}
		return out
	}
	out.numbers = make([]int64, len(groups))
	for i, group := range groups {
		out.numbers[i] = g.hashes[group]
	}
	return out
}

// count counts groups of the records, in the order of their texts.
func (t *Table) count(ctx context.Context, tx *sql.Tx, g *Groups) error {
	g.records, g.hashes = nil, nil
	counted, count := counting{groups: g, dated: true}, t.countThere
	if t.here() {
		count = t.countHere
	}
	if err := count(ctx, tx, &counted); err != nil {
		return err
	}
	if err := t.sameAs(ctx, tx, &counted); err != nil {
		return err
	}
	if counted.bad > 0 {
		return fmt.Errorf("%w: %q has %d of %d records without a positive number", microdata.ErrWeights, g.Weight, counted.bad,
			counted.total)
	}
	return counted.finish(ctx, t)
}

// countThere lets the server group the records.
func (t *Table) countThere(ctx context.Context, tx *sql.Tx, c *counting) error {
	g, d := c.groups, t.server()
	by := make([]string, len(g.By))
	for i, name := range g.By {
		by[i] = d.group(t.column(name))
	}
	selected := append(t.texts(g.By), "count(*)", "max("+t.newest+")")
	hash := t.hash(g)
	if hash != "" {
		selected = append(selected, hash)
	}
	if g.Weight != "" {
		w := d.weight(t.column(g.Weight))
		selected = append(selected, "count("+w+")", "min("+w+")", "sum("+w+")")
	}
	statement := "SELECT " + strings.Join(selected, ", ") + " FROM " + t.from
	if len(by) > 0 {
		statement += " GROUP BY " + strings.Join(by, ", ")
	}
	rows, err := tx.QueryContext(ctx, statement)
	if err != nil {
		return err
	}
	defer rows.Close()
	c.hashed = hash != ""
	if err := c.read(rows); err != nil || g.Weight == "" {
		return err
	}
	return t.checkWeights(ctx, tx, c)
}

// sameAs returns streamed.ErrChanged for groups of other records than those that the table had when it was opened.
func (t *Table) sameAs(ctx context.Context, tx *sql.Tx, c *counting) error {
	if t.state == "" {
		return nil
	}
	noted, err := t.notes(ctx, tx)
	if err == nil && (c.total != t.Records || c.state != t.state || noted != t.noted) {
		err = streamed.ErrChanged
	}
	return err
}

// counting takes groups as they come from the server.
type counting struct {
	groups     *Groups
	text       []byte // as text, a line for each
	ends       []int  // of its lines
	records    []int
	sums       []float64
	total      int    // records
	dated      bool   // groups come with what tells whether the table changed
	hashed     bool   // groups come with their hash
	state      string // the highest of that
	newest     int64  // likewise
	bad        int    // weights that are no positive numbers
	fractional bool   // some weights are not whole
}

func (c *counting) read(rows *sql.Rows) error {
	cells := make([]*string, len(c.groups.By)+1)
	var records, newest, hash, good int64
	var least, sum sql.NullString
	into := make([]any, 0, len(cells)+4)
	for i := range c.groups.By {
		into = append(into, &cells[i])
	}
	if into = append(into, &records); c.dated {
		into = append(into, &newest)
	}
	if c.hashed {
		into = append(into, &hash)
	}
	if c.groups.Weight != "" {
		into = append(into, &good, &least, &sum)
	}
	cells[len(c.groups.By)] = &anything
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		c.total, c.newest = c.total+int(records), max(c.newest, newest)
		c.records, c.text = append(c.records, int(records)), appendCSV(c.text, cells)
		c.ends = append(c.ends, len(c.text))
		c.groups.records = append(c.groups.records, recordText(cells[:len(c.groups.By)]))
		if c.hashed {
			c.groups.hashes = append(c.groups.hashes, hash)
		}
		if c.groups.Weight != "" {
			lowest, _ := strconv.ParseFloat(least.String, 64)
			value, _ := strconv.ParseFloat(sum.String, 64)
			if good < records || !(lowest > 0) || !(value < math.Inf(1)) {
				c.bad++
			}
			c.sums = append(c.sums, value)
		}
	}
	c.state = strconv.FormatInt(c.newest, 10)
	c.sort()
	return rows.Err()
}

// sort puts the groups into the order of their cells, so that it never depends on the server, with their names before.
func (c *counting) sort() {
	order := make([]int, len(c.records))
	for group := range order {
		order[group] = group
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(c.groups.records[a], c.groups.records[b]) })
	text := append(make([]byte, 0, len(c.text)+256), appendCSV(nil, heading(c.groups.By))...)
	for _, group := range order {
		start := 0
		if group > 0 {
			start = c.ends[group-1]
		}
		text = append(text, c.text[start:c.ends[group]]...)
	}
	c.text, c.records, c.groups.records = text, inOrder(c.records, order), inOrder(c.groups.records, order)
	if c.sums != nil {
		c.sums = inOrder(c.sums, order)
	}
	if c.hashed {
		c.groups.hashes = alone(inOrder(c.groups.hashes, order))
	}
}

// alone returns hashes of which no two are the same; nil for others.
func alone(hashes []int64) []int64 {
	sorted := slices.Clone(hashes)
	slices.Sort(sorted)
	if len(slices.Compact(sorted)) < len(hashes) {
		return nil
	}
	return hashes
}

// inOrder returns values in an order.
func inOrder[T any](values []T, order []int) []T {
	out := make([]T, len(order))
	for i, from := range order {
		out[i] = values[from]
	}
	return out
}

// checkWeights looks for weights that are no positive numbers, where some may be, or not whole.
func (t *Table) checkWeights(ctx context.Context, tx *sql.Tx, c *counting) error {
	d, from := t.server(), " FROM "+t.from
	w := d.weight(t.column(c.groups.Weight))
	if c.bad > 0 {
		err := tx.QueryRowContext(ctx, "SELECT count(*) - count(CASE WHEN "+d.positive(w)+" THEN 1 END)"+from).Scan(&c.bad)
		c.bad = max(c.bad, 1) // too much, where all are added up
		return err
	}
	fractional := 0
	err := tx.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1"+from+" WHERE "+w+" <> round("+w+") LIMIT 1) s").
		Scan(&fractional)
	c.fractional = fractional > 0
	return err
}

// finish makes the columns of the groups.
func (c *counting) finish(ctx context.Context, t *Table) error {
	g := c.groups
	data, err := t.dataOf(ctx, c.text)
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
				columns = append(columns, column.CalledByText().WithDescription(t.Columns[i].said()))
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
