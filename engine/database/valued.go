package database

import (
	"context"
	"database/sql"
	"slices"
	"strings"
)

// becoming counts the values once more of a column whose values steps changed by themselves, so that all of them are
// known, and returns what each becomes. Those that only records have which samples left out become missing: these
// records are there until all others have had their turn.
func (t *Table) becoming(ctx context.Context, tx *sql.Tx, columns []released, c *released) (*Groups, *values, error) {
	g := &Groups{By: []string{c.name}}
	if err := t.count(ctx, tx, g); err != nil {
		return nil, nil, err
	}
	rows, _ := c.uncounted.RowsAlone(g.Data.Columns()[0])
	values := newValues(columns, c.set)
	for _, row := range rows {
		values.add(int(row))
	}
	return g, values, nil
}

// valued returns the table with what becomes of the variables whose values steps changed by themselves, and the names
// of the columns that have it, behind those of others that the table has.
func (t *Table) valued(ctx context.Context, tx *sql.Tx, q *query, columns []released, names []string) (*Table, []string,
	error) {
	out, own, d := *t, quotedAll(t.names()), t.address.dialect
	for _, c := range columns {
		if c.uncounted == nil {
			continue
		}
		g, values, err := t.becoming(ctx, tx, columns, &c)
		if err != nil {
			return nil, nil, err
		}
		all := make([]int, len(g.records))
		for i := range all {
			all[i] = i
		}
		becomes := values.uploaded()
		relation, err := d.upload(ctx, tx, q, "sdcdesk_"+strings.TrimSuffix(c.set, "_"), append([]uploaded{g.addresses(all)}, becomes...))
		if err != nil {
			return nil, nil, err
		}
		before := append(slices.Clone(own), names...)
		for i := range becomes {
			names = append(names, becomes[i].name)
		}
		out.from = "(SELECT " + strings.Join(append(slices.Clone(own), names...), ", ") + " FROM " +
			out.addressed(g, before, "") + d.join("INNER") + relation + " USING (sdcdesk_address)) s"
	}
	return &out, names, nil
}
