package database

import (
	"context"
	"fmt"
	"reflect"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Create writes a dataset to a new table and verifies it with counts by the database; see recount. The table
// becomes visible only after everything was written and counted. Columns whose values come from a table of the
// same kind of database keep their type; from is that table, or nil. Labels of variables become comments in
// PostgreSQL and ClickHouse. The meter counts records. Errors are those of Read, ErrExists and ErrRecount.
func Create(ctx context.Context, target *Address, data *microdata.Dataset, from *Table, scenario *microdata.Scenario,
	meter *progress.Meter) error {
	return create(ctx, target, data, scenario, func(tx transaction, table []string) ([]string, error) {
		filled, err := tx.create(ctx, table, target.columnsFor(data, from))
		if err == nil {
			err = tx.fill(ctx, filled, newRecords(data), meter)
		}
		return filled, err
	})
}

// create creates a table that must not exist, fills it and verifies it with counts.
func create(ctx context.Context, target *Address, data *microdata.Dataset, scenario *microdata.Scenario,
	fill func(tx transaction, table []string) (filled []string, err error)) error {
	tx, err := target.server.begin(ctx, target, true)
	if err != nil {
		return target.failed(ctx, err)
	}
	defer tx.close()
	table := target.tables[0]
	there, err := tx.columns(ctx, table)
	if err == nil && len(there) > 0 {
		err = fmt.Errorf("%s: %w", target.Name(), ErrExists)
	}
	if err != nil {
		return target.failed(ctx, err)
	}
	if table, err = fill(tx, table); err == nil {
		err = recount(ctx, tx, target, table, data, scenario)
	}
	if err == nil {
		err = tx.finish(ctx)
	}
	return target.failed(ctx, err)
}

// columnsFor returns the columns of a new table for a dataset.
func (a *Address) columnsFor(data *microdata.Dataset, from *Table) []newColumn {
	text, whole, number := a.server.types()
	columns := make([]newColumn, len(data.Columns()))
	for i, column := range data.Columns() {
		c := newColumn{name: column.Name(), declared: text, label: column.Described().Label, missing: column.MissingCount() > 0}
		switch column.Kind() {
		case microdata.Whole:
			c.declared = whole
		case microdata.Number:
			c.declared = number
		}
		if from != nil && reflect.TypeOf(from.address.server) == reflect.TypeOf(a.server) {
			if was := from.column(c.name); was != nil && (sameValues(column) || column.Numeric() && a.server.fits(was.Declared, column)) {
				c.declared = was.Declared
			}
		}
		columns[i] = c
	}
	return columns
}

// sameValues reports whether all values of a column are values that it had when it was read.
func sameValues(column *microdata.Column) bool {
	if column == column.Source() || column.OnlySuppressed() {
		return true
	}
	if column.StoredAsNumbers() != nil || column.Source().StoredAsNumbers() != nil {
		return false
	}
	was := map[string]bool{}
	for _, level := range column.Source().Categories().Levels {
		was[level.Label] = true
	}
	for _, level := range column.Categories().Levels {
		if !was[level.Label] {
			return false
		}
	}
	return true
}
