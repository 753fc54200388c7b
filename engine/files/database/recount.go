package database

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// mostCounted is the number of values of a column up to which the records of each are counted again.
const mostCounted = 5000

// recount has the database count a table that was written, and compares that with the dataset: the records; of every
// column the missing cells and the distinct values, and the records of each value, or the least and the greatest of many
// numbers; the patterns of the key variables, and how many records have one of fewer than k. The error wraps ErrRecount
// and names no value.
func recount(ctx context.Context, tx transaction, table []string, data *microdata.Dataset, scenario *microdata.Scenario) error {
	there, err := tx.columns(ctx, table)
	if err != nil {
		return err
	}
	r := &counts{tx: tx, from: " FROM " + relation(table) + " s"}
	if err := r.are(ctx, "the number of records is another", "count(*)"+r.from, float64(data.Len())); err != nil {
		return err
	}
	columns := data.Columns()
	if !slices.EqualFunc(there, columns, func(c Column, of *microdata.Column) bool { return c.Name == of.Name() }) {
		return fmt.Errorf("%w: it has other columns", ErrRecount)
	}
	for i, column := range columns {
		if err := r.column(ctx, column, &there[i]); err != nil {
			return err
		}
	}
	if scenario == nil {
		return nil
	}
	return r.patterns(ctx, data, scenario)
}

// counts asks for counts of a table.
type counts struct {
	tx   transaction
	from string
}

// are compares the numbers that a SELECT returns in one row with those that there should be; NULL is 0.
func (r *counts) are(ctx context.Context, fault, selected string, should ...float64) error {
	rows, err := r.tx.ask(ctx, "SELECT "+selected)
	if err != nil {
		return err
	}
	same := len(rows) == 1 && len(rows[0]) == len(should)
	for i := 0; same && i < len(should); i++ {
		is := 0.0
		if cell := rows[0][i]; cell != nil {
			is, err = strconv.ParseFloat(*cell, 64)
		}
		same = err == nil && is == should[i]
	}
	if !same {
		return fmt.Errorf("%w: %s", ErrRecount, fault)
	}
	return nil
}

// column compares a column.
func (r *counts) column(ctx context.Context, column *microdata.Column, c *Column) error {
	name, fault := "s."+quoted(c.Name), fmt.Sprintf("the values of %q are others", c.Name)
	filled := float64(column.Len() - column.MissingCount())
	if column.StoredAsNumbers() != nil {
		values := slices.DeleteFunc(slices.Clone(column.StoredAsNumbers().Values), math.IsNaN)
		least, greatest := 0.0, 0.0
		if slices.Sort(values); len(values) > 0 {
			least, greatest = values[0], values[len(values)-1]
		}
		return r.are(ctx, fault, fmt.Sprintf("count(%[1]s), count(DISTINCT %[1]s), min(%[1]s), max(%[1]s)", name)+r.from,
			filled, float64(len(slices.Compact(values))), least, greatest)
	}
	levels := map[string]int{}
	for i, level := range column.Categories().Levels {
		if n := column.Categories().Counts()[i+1]; n > 0 {
			levels[spelled(column, level.Label)] += n
		}
	}
	if len(levels) > mostCounted {
		return r.are(ctx, fault, fmt.Sprintf("count(%[1]s), count(DISTINCT %[1]s)", name)+r.from, filled, float64(len(levels)))
	}
	rows, err := r.tx.ask(ctx, "SELECT "+r.tx.cell(c)+", count(*)"+r.from+" WHERE "+name+" IS NOT NULL GROUP BY "+name)
	if err != nil {
		return err
	}
	for _, row := range rows {
		n, err := strconv.Atoi(*row[1])
		if row[0] == nil || err != nil {
			return fmt.Errorf("%w: %s", ErrRecount, fault)
		}
		levels[spelled(column, *row[0])] -= n
	}
	for _, n := range levels {
		if n != 0 {
			return fmt.Errorf("%w: %s", ErrRecount, fault)
		}
	}
	return nil
}

// spelled returns a number as every database spells it, and a text as it is.
func spelled(column *microdata.Column, text string) string {
	if value, err := strconv.ParseFloat(text, 64); err == nil && column.Numeric() {
		return strconv.FormatFloat(value, 'g', -1, 64)
	}
	return text
}

// patterns compares how often the patterns of the key variables occur, in which a missing cell is a value of its own.
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
	return r.are(ctx, "the patterns of the key variables are others", strings.Join(selected, ", ")+" FROM (SELECT count(*) AS n"+
		r.from+" GROUP BY "+strings.Join(names, ", ")+") p", should...)
}
