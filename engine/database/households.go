package database

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// Households returns the households that records with equal values of a column form, by the rows where they stand
// after the steps; those without a value are one each. numeric says that values are compared as numbers. What leaves
// the database are numbers of rows, and how many households have them: no value of the column does. The error wraps
// streamed.ErrChanged where the records are others than when the table was opened.
func (t *Table) Households(ctx context.Context, r *Release, column string, numeric bool) (households *microdata.Households,
	err error) {
	err = t.within(ctx, false, func(tx *sql.Tx) error {
		if err := t.unchanged(ctx, tx); err != nil {
			return err
		}
		gather := t.householdsThere
		if t.here() {
			gather = t.householdsHere
		}
		households, err = gather(ctx, tx, r, column, numeric)
		return err
	})
	return households, err
}

// householdsThere lets the server gather them.
func (t *Table) householdsThere(ctx context.Context, tx *sql.Tx, r *Release, column string, numeric bool) (*microdata.Households,
	error) {
	q, d, all := &query{}, t.server(), &microdata.Compositions{}
	cells := t.household(column, numeric)
	members, err := t.members(ctx, tx, q, r, cells)
	if err != nil {
		return nil, err
	}
	key, blank := cells[len(cells)-1].name, t.blank(q, t.column(column), cells[0].name, cells[0].name)
	for _, where := range d.sliced(key, t.Records) {
		err := addCompositions(ctx, tx, all, "SELECT sdcdesk_rows, count(*) FROM (SELECT "+d.listed("sdcdesk_row")+
			" AS sdcdesk_rows FROM (SELECT "+key+", sdcdesk_row FROM ("+members+") m WHERE NOT "+blank+") m"+where+
			" GROUP BY "+key+") h GROUP BY sdcdesk_rows", q)
		if err != nil {
			return nil, err
		}
	}
	households, err := all.Households(r.Data.Multiplicity())
	if errors.Is(err, microdata.ErrMultiplicity) {
		err = streamed.ErrChanged
	}
	return households, err
}

// named is an expression of a record, and the name that it has.
type named struct{ expression, name string }

// household returns the text of a cell, and as the last what is the same for the records of a household.
func (t *Table) household(column string, numeric bool) []named {
	cells := []named{{t.text(column), "sdcdesk_cell"}}
	if numeric {
		cells = append(cells, named{t.address.dialect.real(t.column(column)) + " + 0", "sdcdesk_household"}) // of two zeros one
	}
	return cells
}

// members returns a statement for cells of the records, and the row where each stands after the steps, as sdcdesk_row.
func (t *Table) members(ctx context.Context, tx *sql.Tx, q *query, r *Release, cells []named) (string, error) {
	var own, names []string
	for _, cell := range cells {
		own, names = append(own, cell.expression+" AS "+cell.name), append(names, cell.name)
	}
	if len(r.Groups.By) == 0 && len(r.Deals) == 0 {
		return "SELECT " + strings.Join(own, ", ") + ", 0 AS sdcdesk_row FROM " + t.from, nil
	}
	plan, err := streamed.NewPlan(len(r.Groups.records), r.Deals)
	if err != nil {
		return "", err
	}
	whole, all, err := t.byGroup(ctx, tx, q, r, plan, newValues(nil, ""), own, true)
	if err != nil {
		return "", err
	}
	selected := "SELECT " + strings.Join(names, ", ") + ", "
	statement := selected + "sdcdesk_row FROM " + whole
	if all {
		return statement, nil
	}
	dealt, row, _, err := t.dealt(ctx, tx, q, r.Groups, plan, r.Secret, own, names)
	return statement + " UNION ALL " + selected + row + " AS sdcdesk_row FROM (" + dealt + ") d", err
}

// addCompositions adds what a statement finds: the numbers of the rows of households, as one text, and how many have
// them.
func addCompositions(ctx context.Context, tx *sql.Tx, all *microdata.Compositions, statement string, q *query) error {
	found, err := tx.QueryContext(ctx, statement, q.values...)
	if err != nil {
		return err
	}
	defer found.Close()
	var text sql.RawBytes
	var households int64
	var rows []uint32
	for found.Next() {
		if err := found.Scan(&text, &households); err != nil {
			return err
		}
		rows = rows[:0]
		for number := range strings.SplitSeq(string(text), ",") {
			row, err := strconv.ParseUint(number, 10, 32)
			if err != nil || households > math.MaxUint32 {
				return streamed.ErrChanged
			}
			rows = append(rows, uint32(row))
		}
		all.Add(rows, uint32(households))
	}
	return found.Err()
}
