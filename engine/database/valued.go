package database

import (
	"context"
	"database/sql"
	"slices"
	"strings"
)

// becoming counts the values once more of a column whose values steps changed by themselves, so that all of them are
// known, and returns the rows of what each becomes. Those that only records have which samples left out, of the row -1,
// become missing: these records are there until all others have had their turn.
func (t *Table) becoming(ctx context.Context, tx *sql.Tx, c *released) (*Groups, []int32, error) {
	g := &Groups{By: []string{c.name}}
	if err := t.count(ctx, tx, g); err != nil {
		return nil, nil, err
	}
	found, _ := c.uncounted.RowsAlone(g.Data.Columns()[0])
	rows := make([]int32, len(found))
	for i, row := range found {
		rows[i] = int32(row) // of streamed.Left it is that
	}
	return g, rows, nil
}

// valued returns the table with what becomes of the variables whose values steps changed by themselves, and the names
// of the columns that have it, behind those of others that the table has.
func (t *Table) valued(ctx context.Context, tx *sql.Tx, q *query, columns []released, names []string) (*Table, []string,
	error) {
	out, own, d := *t, quotedAll(t.names()), t.server()
	for _, c := range columns {
		if c.uncounted == nil {
			continue
		}
		g, rows, err := t.becoming(ctx, tx, &c)
		if err != nil {
			return nil, nil, err
		}
		values, all := newValues(columns, c.set), make([]int, len(g.records))
		for i, row := range rows {
			values.add(int(row))
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
