package database

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// mostCounted is the maximum number of values of a column, or of combinations of several columns, for which the
// records of each are counted.
const mostCounted = 5000

// recount verifies a written table with counts by the database. It compares with the dataset: the number of
// records; for every column the missing cells, the distinct values, and the records of each value or, for many
// numbers, the minimum and maximum; and the key patterns, with the number of records in patterns of fewer than k.
// The error wraps ErrRecount and contains no value.
func recount(ctx context.Context, tx transaction, a *Address, table []string, data *microdata.Dataset, scenario *microdata.Scenario) error {
	there, err := tx.columns(ctx, table)
	if err != nil {
		return err
	}
	r := &counts{tx: tx, server: a.server, from: " FROM " + relation(table) + " s"}
	if same, err := r.are(ctx, "count(*)"+r.from, float64(data.Records())); err != nil || !same {
		return cmp.Or(err, fmt.Errorf("%w: number of records", ErrRecount))
	}
	columns := data.Columns()
	if data.Grouped() { // the table has more columns than were counted
		there = slices.DeleteFunc(there, func(c Column) bool {
			_, counted := data.Column(c.Name)
			return !counted
		})
	}
	if !slices.EqualFunc(there, columns, func(c Column, of *microdata.Column) bool { return c.Name == of.Name() }) {
		return fmt.Errorf("%w: columns", ErrRecount)
	}
	should := make([]expectedCounts, len(columns))
	if err := parallel.Each(ctx, len(columns), func(i int) error {
		should[i] = expect(columns[i])
		return nil
	}); err != nil {
		return err
	}
	for i := range columns {
		should[i].Column = there[i]
	}
	if err := r.columns(ctx, should); err != nil {
		return err
	}
	if scenario == nil {
		return nil
	}
	return r.patterns(ctx, data, scenario)
}

// counts compares counts of a table with expected values.
type counts struct {
	tx     transaction
	server server
	from   string
}

// are reports whether a SELECT returns a single row with the given numbers; NULL counts as 0.
func (r *counts) are(ctx context.Context, selected string, should ...float64) (same bool, err error) {
	rows, err := r.tx.ask(ctx, "SELECT "+selected)
	if err != nil {
		return false, err
	}
	same = len(rows) == 1 && len(rows[0]) == len(should)
	for i := 0; same && i < len(should); i++ {
		is := 0.0
		if cell := rows[0][i]; cell != nil {
			if is, err = strconv.ParseFloat(*cell, 64); err != nil {
				return false, err
			}
		}
		same = is == should[i]
	}
	return same, nil
}

// expectedCounts holds the expected counts of a column.
type expectedCounts struct {
	Column
	of              *microdata.Column
	distinct        int            // number of distinct values
	least, greatest float64        // for many numbers
	levels          map[string]int // number of records by value, "" for missing; nil for many values
}

func expect(column *microdata.Column) expectedCounts {
	e := expectedCounts{of: column}
	if numbers := column.StoredAsNumbers(); numbers != nil {
		values := slices.DeleteFunc(slices.Clone(numbers.Values), math.IsNaN)
		if slices.Sort(values); len(values) > 0 {
			e.least, e.greatest = values[0], values[len(values)-1]
		}
		e.distinct = len(slices.Compact(values))
		return e
	}
	e.levels = map[string]int{"": column.MissingCount()}
	for i, level := range column.Categories().Levels {
		if n := column.Categories().Counts()[i+1]; n > 0 {
			e.levels[spelled(column, level.Label)] += n
		}
	}
	if e.distinct = len(e.levels) - 1; e.distinct >= mostCounted {
		e.levels = nil
	}
	return e
}

// differs returns the error for a column with other counts.
func (e *expectedCounts) differs() error {
	return fmt.Errorf("%w: values of %q", ErrRecount, e.Name)
}

// columns compares all columns; those with few values are grouped as long as there are few combinations.
func (r *counts) columns(ctx context.Context, all []expectedCounts) error {
	var together []*expectedCounts
	combinations := 1
	for i := range all {
		e := &all[i]
		if e.levels == nil {
			if err := r.many(ctx, e); err != nil {
				return err
			}
			continue
		}
		if combinations *= len(e.levels); combinations > mostCounted {
			if err := r.few(ctx, together); err != nil {
				return err
			}
			together, combinations = nil, len(e.levels)
		}
		together = append(together, e)
	}
	return r.few(ctx, together)
}

// few compares a group of columns with few values.
func (r *counts) few(ctx context.Context, columns []*expectedCounts) error {
	if len(columns) == 0 {
		return nil
	}
	cells, by := make([]string, len(columns)), make([]string, len(columns))
	for i, e := range columns {
		cells[i], by[i] = r.server.cell(&e.Column), "s."+quoted(e.Name)
	}
	rows, err := r.tx.ask(ctx, "SELECT "+strings.Join(cells, ", ")+", count(*)"+r.from+" GROUP BY "+strings.Join(by, ", "))
	if err != nil {
		return err
	}
	for _, row := range rows {
		n, err := strconv.Atoi(*row[len(columns)])
		if err != nil {
			return err
		}
		for i, e := range columns {
			value := ""
			if row[i] != nil {
				if value = spelled(e.of, *row[i]); value == "" {
					return e.differs() // expected to be NULL
				}
			}
			e.levels[value] -= n
		}
	}
	for _, e := range columns {
		for _, n := range e.levels {
			if n != 0 {
				return e.differs()
			}
		}
	}
	return nil
}

// fewRepeated is the mean number of records per value from which counting by groups is faster than sorting.
const fewRepeated = 8

// many compares a column with many values.
func (r *counts) many(ctx context.Context, e *expectedCounts) error {
	name, filled := "s."+quoted(e.Name), e.of.Records()-e.of.MissingCount()
	selected, from := "count("+name+"), count(DISTINCT "+name+")", r.from
	if e.distinct < filled/fewRepeated {
		selected, from = "sum(n), count(x)", " FROM (SELECT "+name+" AS x, count(*) AS n"+r.from+" WHERE "+name+" IS NOT NULL GROUP BY "+name+") g"
		name = "x"
	}
	should := []float64{float64(filled), float64(e.distinct)}
	if e.of.StoredAsNumbers() != nil {
		selected, should = selected+", min("+name+"), max("+name+")", append(should, e.least, e.greatest)
	}
	same, err := r.are(ctx, selected+from, should...)
	if err == nil && !same {
		err = e.differs()
	}
	return err
}

// spelled returns a number in the spelling common to all databases, and a text unchanged.
func spelled(column *microdata.Column, text string) string {
	if value, err := strconv.ParseFloat(text, 64); err == nil && column.Numeric() {
		return strconv.FormatFloat(value, 'g', -1, 64)
	}
	return text
}

// patterns compares the frequencies of the key patterns, with missing as a value of its own.
func (r *counts) patterns(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario) error {
	var columns []*microdata.Column
	var names []string
	for _, name := range scenario.Keys {
		if column, ok := data.Column(name); ok {
			columns, names = append(columns, column), append(names, "s."+quoted(name))
		}
	}
	if len(columns) == 0 {
		return nil
	}
	table, err := keys.New(ctx, columns, nil)
	if err != nil {
		return err
	}
	should, selected := []float64{float64(table.Keys())}, []string{"count(*)"}
	for _, k := range scenario.K {
		rare := 0
		for _, n := range table.Counts() {
			if n < k {
				rare += n
			}
		}
		should = append(should, float64(rare))
		selected = append(selected, fmt.Sprintf("sum(CASE WHEN n < %d THEN n ELSE 0 END)", k))
	}
	same, err := r.are(ctx, strings.Join(selected, ", ")+" FROM (SELECT count(*) AS n"+r.from+" GROUP BY "+strings.Join(names, ", ")+") p", should...)
	if err == nil && !same {
		err = fmt.Errorf("%w: key patterns", ErrRecount)
	}
	return err
}
