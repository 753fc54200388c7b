package database

import (
	"bufio"
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// exporting writes records as text that ReadPassFrom reads, with the row behind each where it stands after the steps,
// counted from 1.
type exporting struct {
	out   *bufio.Writer
	cells int     // of a record that are written
	after int     // place among its cells of the row that it brings, 0: that of its group; behind them: it brings none
	find  *finder // of the rows of groups; nil: 0 is none

	// records that wait: many are looked up in turn, which hides how long memory takes
	text   []byte
	ends   []int
	rows   []int64
	hashes []uint64
}

// together is how many records wait for each other.
const together = 512

// newExporting begins with the names of the cells, and of the column of rows.
func newExporting(w io.Writer, names []string, row string) *exporting {
	e := &exporting{out: bufio.NewWriterSize(w, 1<<18), cells: len(names), after: len(names)}
	e.out.Write(appendCSV(nil, append(texts(names), &row)))
	return e
}

// export writes the records that are released: by the key as they stand in the table, or without one by all of their
// cells, as they are after the steps. row is the name of the column with that, key that of the key as a record of its
// own.
func (t *Table) export(ctx context.Context, w io.Writer, names []string, row, key string, r *Release) error {
	e := newExporting(w, names, row)
	err := t.within(ctx, false, func(tx *sql.Tx) error {
		if err := t.releasable(ctx, tx); err != nil {
			return err
		}
		if t.here() {
			return t.exportHere(ctx, tx, e, names, r)
		}
		q, ask := &query{}, t.byAll
		if t.address.key != "" {
			ask = t.byKey
		}
		statement, err := ask(ctx, tx, q, names, key, r, e)
		if err != nil {
			return err
		}
		if err := t.address.dialect.each(ctx, tx, statement, q, e.take); err != nil {
			return err
		}
		return e.send()
	})
	return cmp.Or(err, e.out.Flush())
}

// byAll returns a statement for the records after the steps, with their row there, counted from 1.
func (t *Table) byAll(ctx context.Context, tx *sql.Tx, q *query, names []string, _ string, r *Release, e *exporting) (string,
	error) {
	statement, err := t.records(ctx, tx, q, r, nil, true)
	by := strings.Join(quotedAll(names), ", ")
	return "SELECT " + by + ", sdcdesk_row + 1 FROM (" + statement + ") r ORDER BY " +
		strings.Join(quotedAll(names), " NULLS FIRST, ") + " NULLS FIRST", err
}

// byKey returns a statement for the records of the table by its key, which the database sorts by without knowing of
// the steps: with what their group is found by, and of those that are dealt out their row after the steps, counted
// from 1.
func (t *Table) byKey(ctx context.Context, tx *sql.Tx, q *query, names []string, key string, r *Release, e *exporting) (string,
	error) {
	plan, err := streamed.NewPlan(len(r.Groups.records), r.Deals)
	if err != nil {
		return "", err
	}
	selected, by := slices.Clone(names), make([]int, len(r.Groups.By))
	for i, name := range r.Groups.By {
		if by[i] = slices.Index(names, name); by[i] < 0 {
			by[i], selected = len(selected), append(selected, name)
		}
	}
	for i, name := range selected {
		if name == key { // as a record it is never missing
			selected[i] = t.address.dialect.record(t.texts([]string{t.address.key}))
			continue
		}
		selected[i] = t.address.dialect.sent(t.column(name))
	}
	e.after, e.find = len(selected), r.Groups.finder(plan.Rows, by)
	own, join := quotedAll(t.names()), ""
	if !slices.ContainsFunc(plan.Rows, func(row int32) bool { return row >= 0 }) { // as after a sample
		dealt, row, _, err := t.dealt(ctx, tx, q, r.Groups, plan, r.Secret, own, own)
		return "SELECT " + strings.Join(append(selected, row+" + 1"), ", ") + " FROM (" + dealt + ") s ORDER BY " + t.sorted(), err
	}
	if slices.Contains(plan.Rows, -1) {
		id, d := t.address.dialect.record(t.texts([]string{t.address.key}))+" AS sdcdesk_id", t.server()
		dealt, row, _, err := t.dealt(ctx, tx, q, r.Groups, plan, r.Secret, []string{id}, []string{"sdcdesk_id"})
		if err != nil {
			return "", err
		}
		own, selected = append(own, id), append(selected, "coalesce(sdcdesk_after, 0)")
		join = d.join("LEFT") + "(SELECT sdcdesk_id, " + row + " + 1 AS sdcdesk_after FROM (" + dealt + ") t) d USING (sdcdesk_id)"
	}
	return "SELECT " + strings.Join(selected, ", ") + " FROM (SELECT " + strings.Join(own, ", ") + " FROM " + t.from + ") s" +
		join + " ORDER BY " + t.sorted(), nil
}

// take writes a record, by and by. One that is dealt out to none is left out.
func (e *exporting) take(cells [][]byte) (err error) {
	row, hash := int64(0), uint64(0)
	if e.after < len(cells) {
		if row, err = strconv.ParseInt(string(cells[e.after]), 10, 64); err != nil {
			return streamed.ErrChanged
		}
	}
	if row == 0 && e.find != nil {
		hash = e.find.hash(cells)
	}
	e.text = appendCells(e.text, cells[:e.cells])
	e.ends, e.rows, e.hashes = append(e.ends, len(e.text)), append(e.rows, row), append(e.hashes, hash)
	if len(e.rows) < together {
		return nil
	}
	return e.send()
}

// send writes the records that wait.
func (e *exporting) send() error {
	if e.find != nil {
		for i, hash := range e.hashes {
			if e.rows[i] != 0 {
				continue
			}
			row, err := e.find.row(hash)
			if err != nil {
				return err
			}
			e.rows[i] = row + 1
		}
	}
	from := 0
	for i, row := range e.rows {
		line := e.text[from:e.ends[i]]
		if from = e.ends[i]; row == 0 {
			continue
		}
		if row < 0 {
			return streamed.ErrChanged
		}
		if err := e.end(append(e.out.AvailableBuffer(), line...), row); err != nil {
			return err
		}
	}
	e.text, e.ends, e.rows, e.hashes = e.text[:0], e.ends[:0], e.rows[:0], e.hashes[:0]
	return nil
}

// write writes cells, and the row, counted from 0.
func (e *exporting) write(cells [][]byte, row int64) error {
	return e.end(appendCells(e.out.AvailableBuffer(), cells), row+1)
}

// end writes a line of cells with the row behind them.
func (e *exporting) end(line []byte, row int64) error {
	_, err := e.out.Write(append(strconv.AppendInt(line, row, 10), '\n'))
	return err
}

// appendCells appends cells of a text file, each with a comma behind it.
func appendCells(line []byte, cells [][]byte) []byte {
	for _, cell := range cells {
		if cell != nil {
			line = appendCell(line, cell)
		}
		line = append(line, ',')
	}
	return line
}

// selecting returns a statement for the cells of some columns, for each.
func (t *Table) selecting(names []string) string {
	cells := make([]string, len(names))
	for i, name := range names {
		cells[i] = t.address.dialect.sent(t.column(name))
	}
	return "SELECT " + strings.Join(cells, ", ") + " FROM " + t.from
}

// scan takes the cells of each record of a statement as the driver has them, which are good until the next record.
func scan(ctx context.Context, tx *sql.Tx, statement string, q *query, take func(cells []cell) error) error {
	rows, err := tx.QueryContext(ctx, statement, q.values...)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	kept, into := make([]cell, len(names)), make([]any, len(names))
	for i := range kept {
		into[i] = &kept[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if err := take(kept); err != nil {
			return err
		}
	}
	return rows.Err()
}

// cell is a text or a number of a record.
type cell struct {
	value        any // as the driver has it; nil: NULL
	text, buffer []byte
}

// Scan takes a value of the driver.
func (c *cell) Scan(value any) error {
	if c.value, c.text = value, nil; c.buffer == nil {
		c.buffer = []byte{}
	}
	switch v := value.(type) {
	case nil:
		return nil
	case string:
		c.buffer = append(c.buffer[:0], v...)
	case int64:
		c.buffer = strconv.AppendInt(c.buffer[:0], v, 10)
	case float64:
		c.buffer = appendReal(c.buffer[:0], v)
	default:
		return fmt.Errorf("%w: a cell came as no text", ErrColumn)
	}
	c.text = c.buffer
	return nil
}
