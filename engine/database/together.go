package database

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// home is what the column is called that tells the household of records for a deal.
func home(deal int) string { return "sdcdesk_home" + strconv.Itoa(deal) }

// withHomes returns columns of records, which have names, with the cells that tell households for deals in which these
// have their turn, or draw.
func (t *Table) withHomes(plan *streamed.Plan, columns, names []string) (with, called []string) {
	with, called = slices.Clone(columns), slices.Clone(names)
	for deal, together := range plan.Together {
		if together == nil {
			continue
		}
		for i, cell := range t.household(together.Variable, together.Numeric) {
			with, called = append(with, cell.expression+" AS "+homeCell(deal, i)), append(called, homeCell(deal, i))
		}
	}
	return with, called
}

// homeCell is what a column of such a cell is called.
func homeCell(deal, cell int) string { return home(deal) + "_" + strconv.Itoa(cell) }

// homes adds the columns that tell households, or what they draw, in the place of these cells: NULL where a record has
// none, or what it draws itself. Values that travel beside the statement stand outside of what shards are asked for.
func (t *Table) homes(q *query, plan *streamed.Plan, names []string, own func(secret string) string,
	add func(expression, name string)) (others []string) {
	others = slices.Clone(names)
	for deal, together := range plan.Together {
		if together == nil {
			continue
		}
		cells, text := t.household(together.Variable, together.Numeric), homeCell(deal, 0)
		alone, cell := t.blank(q, t.column(together.Variable), text, text), homeCell(deal, len(cells)-1)
		if secret := plan.Draws[deal]; secret == "" {
			add("CASE WHEN "+alone+" THEN NULL ELSE "+cell+" END", home(deal))
		} else {
			if together.Numeric {
				cell = t.server().numeral(cell)
			}
			add("CASE WHEN "+alone+" THEN "+own(secret)+" ELSE "+
				t.server().draw(q.value(secret+"household "), "coalesce("+cell+", '')", "")+" END", drawn(deal))
		}
		others = slices.DeleteFunc(others, func(name string) bool { return strings.HasPrefix(name, home(deal)+"_") })
	}
	return others
}

// inHouseholds returns the records of a statement, whose columns have names, with the number of what they lose by a
// deal in which households have their turn, as sdcdesk_loses.
func (t *Table) inHouseholds(ctx context.Context, tx *sql.Tx, q *query, deal int, together *streamed.Together,
	statement string, names []string) (string, error) {
	columns := []uploaded{{name: "sdcdesk_kind"}, {name: "sdcdesk_key"}, {name: "sdcdesk_number"}, {name: "sdcdesk_first"},
		{name: "sdcdesk_last"}, {name: "sdcdesk_set"}}
	for i := range columns {
		columns[i].numbers = make([]int64, 0, len(together.Shares))
	}
	for _, share := range together.Shares {
		for i, number := range []int64{share.Kind, share.Key, share.Member, share.First, share.Last, share.Loses} {
			columns[i].numbers = append(columns[i].numbers, number)
		}
	}
	d := t.server()
	relation, err := d.upload(ctx, tx, q, "sdcdesk_shares"+strconv.Itoa(deal), columns)
	return "SELECT " + strings.Join(names, ", ") + ", coalesce(sdcdesk_set, 0) AS sdcdesk_loses FROM (" +
		d.together(statement, names, home(deal)) + ") t" + d.join("LEFT") + relation +
		" USING (sdcdesk_kind, sdcdesk_key, sdcdesk_number) WHERE coalesce(sdcdesk_first, 0) = 0 OR " +
		"sdcdesk_place BETWEEN sdcdesk_first AND sdcdesk_last", err
}
