package database

import (
	"context"
	"database/sql"
	"errors"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// keyByDefault takes the primary key of the table as the key if the address names none. Several tables that are taken
// together have none. A primary key is unique; whether a key that somebody names is, checkKey finds out.
func (t *Table) keyByDefault(ctx context.Context, tx *sql.Tx) error {
	if len(t.address.others) > 0 {
		return nil
	}
	name, err := t.address.dialect.primary(ctx, tx, t.address)
	if c := t.column(name); c == nil || err != nil {
		return err
	} else if c.primary = true; t.address.key == "" {
		keyed := *t.address
		keyed.key = name
		t.address = &keyed
	}
	return nil
}

// withPrimary returns records of the table whose primary key is described as such.
func (t *Table) withPrimary(data *microdata.Dataset) *microdata.Dataset {
	for i := range t.Columns {
		if column, ok := data.Column(t.Columns[i].Name); ok && t.Columns[i].primary {
			data = data.With(column.WithDescription(t.Columns[i].said()))
		}
	}
	return data
}

// primary asks for the key in the order of its columns. Tables that inherit from another do not share its key.
func (postgresql) primary(ctx context.Context, tx *sql.Tx, a *Address) (name string, err error) {
	err = tx.QueryRowContext(ctx, `SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND
		a.attnum = i.indkey[0] JOIN pg_class c ON c.oid = i.indrelid WHERE i.indrelid = $1::regclass AND i.indisprimary AND
		i.indisvalid AND i.indnkeyatts = 1 AND (c.relkind = 'p' OR NOT EXISTS (SELECT 1 FROM pg_inherits h WHERE
		h.inhparent = c.oid))`, a.relation()).Scan(&name)
	return name, unlessNone(err)
}

// primary leaves out keys that may be missing: SQLite lets several records have none.
func (sqlite) primary(ctx context.Context, tx *sql.Tx, a *Address) (name string, err error) {
	schema, table := "main", a.table[len(a.table)-1]
	if len(a.table) > 1 {
		schema = a.table[0]
	}
	err = tx.QueryRowContext(ctx, `SELECT max(name) FROM pragma_table_xinfo($1, $2) WHERE pk > 0 GROUP BY true HAVING
		count(*) = 1 AND (max("notnull") = 1 OR max(upper(type)) = 'INTEGER')`, table, schema).Scan(&name)
	return name, unlessNone(err)
}

// unlessNone returns an error other than that there is no row.
func unlessNone(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}
