package database

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// becoming counts the values once more of a column whose values steps changed by themselves, so that all of them are
// known, and returns what each becomes, and their groups: but for those that only records have which samples left out.
func (t *Table) becoming(ctx context.Context, tx *sql.Tx, columns []released, c *released) (*Groups, []int, *values, error) {
	g := &Groups{By: []string{c.name}}
	if err := t.count(ctx, tx, g); err != nil {
		return nil, nil, nil, err
	}
	rows, _ := c.uncounted.RowsAlone(g.Data.Columns()[0])
	groups, values := []int{}, newValues(columns, c.set)
	for group, row := range rows {
		if row != streamed.Left {
			groups = append(groups, group)
			values.add(int(row))
		}
	}
	return g, groups, values, nil
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
		g, groups, values, err := t.becoming(ctx, tx, columns, &c)
		if err != nil {
			return nil, nil, err
		}
		becomes := values.uploaded()
		relation, err := d.upload(ctx, tx, q, "sdcdesk_"+strings.TrimSuffix(c.set, "_"), append([]uploaded{g.addresses(groups)}, becomes...))
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
