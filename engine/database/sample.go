package database

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/draws"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// sample finds which number the last record, or household, draws that a sample keeps: of those that earlier samples
// keep those are kept that draw the lowest. It counts the values that they have.
func (t *Table) sample(ctx context.Context, tx *sql.Tx, before []*streamed.Deal, deal *streamed.Deal, values *streamed.Values) error {
	if deal.Sample() == nil {
		return nil
	}
	q, deals := &query{}, append(slices.Clone(before), deal)
	statement, where := t.drawn(q, deals, nil)
	number := drawn(len(where))
	statement = "SELECT " + number + " FROM (" + statement + ") t" + whereAll(where)
	if deal.Together() { // its members draw one number
		statement += " GROUP BY " + number
	}
	statement += " ORDER BY " + number + " LIMIT 1 OFFSET " + strconv.Itoa(deal.Sample().Sample.Kept-1)
	var highest int64
	if err := tx.QueryRowContext(ctx, statement, q.values...).Scan(&highest); err != nil {
		return err
	}
	deal.Until(uint64(highest))
	return t.countValues(ctx, tx, deals, values)
}

// drawn returns a statement for columns of the records with what they draw in the samples among some deals, and which
// records those of the samples keep whose highest number is known.
func (t *Table) drawn(q *query, deals []*streamed.Deal, names []string) (statement string, where []string) {
	plan := &streamed.Plan{}
	for _, d := range deals {
		of := d.Sample()
		if of == nil {
			continue
		}
		if highest := of.Highest(); highest > 0 {
			where = append(where, drawn(len(plan.Draws))+" <= "+strconv.FormatUint(highest, 10))
		}
		plan.Draws, plan.Together = append(plan.Draws, of.Secret()), append(plan.Together, d.Numbering())
	}
	columns, names := t.withHomes(plan, quotedAll(names), quotedAll(names))
	statement = "SELECT " + strings.Join(append(slices.Clone(columns), t.identifying()+" AS sdcdesk_text", "0 AS sdcdesk_key",
		"0 AS sdcdesk_row"), ", ") + " FROM " + t.from
	statement, _ = t.drawing(q, plan, statement, names, "sdcdesk_row", "")
	return statement, where
}

func whereAll(conditions []string) string {
	if len(conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(conditions, " AND ")
}

// countValues counts the values of columns that groups do not go by among the records that samples keep; of columns with
// many values those that are missing.
func (t *Table) countValues(ctx context.Context, tx *sql.Tx, deals []*streamed.Deal, values *streamed.Values) error {
	for _, of := range values.Columns() {
		q, c := &query{}, t.column(of.Name())
		statement, where := t.drawn(q, deals, []string{c.Name})
		if of.ManyValued() {
			where = append(where, t.blank(q, c, quoted(c.Name), t.text(c.Name)))
		}
		counted, err := t.valuesIn(ctx, tx, q, c, "("+statement+") t"+whereAll(where), "")
		if err == nil && len(counted.records) > 0 {
			err = counted.finish(ctx, t.only(c))
		}
		if err == nil && len(counted.records) > 0 {
			err = values.Add(counted.groups.Data.Columns()[0])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// product returns a number times the factors of samples; real is a format that makes a whole number a floating one.
func product(number string, samples []*draws.Sample, real string) string {
	for _, s := range samples {
		number = fmt.Sprintf("(%s) * ("+real+" / "+real+")", number, s.Of, s.Kept)
	}
	return number
}
