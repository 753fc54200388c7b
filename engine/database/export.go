package database

import (
	"bufio"
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"hash/maphash"
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
	cells int // of a record that are written
	rowOf func(cells [][]byte) (int64, error)
}

// newExporting begins with the names of the cells, and of the column of rows.
func newExporting(w io.Writer, names []string, row string) *exporting {
	e := &exporting{out: bufio.NewWriterSize(w, 1<<18), cells: len(names)}
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
		return t.address.dialect.each(ctx, tx, statement, q, e.take)
	})
	return cmp.Or(err, e.out.Flush())
}

// byAll returns a statement for the records after the steps, with their row there.
func (t *Table) byAll(ctx context.Context, tx *sql.Tx, q *query, names []string, _ string, r *Release, e *exporting) (string,
	error) {
	e.rowOf = func(cells [][]byte) (int64, error) { return strconv.ParseInt(string(cells[e.cells]), 10, 64) }
	statement, err := t.records(ctx, tx, q, r, nil, true)
	by := strings.Join(quotedAll(names), ", ")
	return "SELECT " + by + ", sdcdesk_row FROM (" + statement + ") r ORDER BY " +
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
	after, find := len(selected), r.Groups.finder(plan.Rows, by)
	e.rowOf = func(cells [][]byte) (int64, error) {
		if after < len(cells) {
			if row, err := strconv.ParseInt(string(cells[after]), 10, 64); err != nil || row != 0 {
				return row - 1, err
			}
		}
		return find(cells)
	}
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

// finder returns what finds the row of the records of a group by some of their cells, whose places are those of By; the
// error is streamed.ErrChanged for those of no group. No two groups have the same hash.
func (g *Groups) finder(rows []int32, by []int) func(cells [][]byte) (row int64, err error) {
	seed, byHash := maphash.MakeSeed(), make(map[uint64]int32, len(rows))
	for group, record := range g.records {
		byHash[maphash.String(seed, record)] = rows[group]
	}
	if len(byHash) < len(rows) {
		return g.finder(rows, by)
	}
	var record []byte
	cellsOf := make([][]byte, len(by))
	return func(cells [][]byte) (int64, error) {
		for i, at := range by {
			cellsOf[i] = cells[at]
		}
		record = appendRecord(record[:0], cellsOf)
		if row, found := byHash[maphash.Bytes(seed, record)]; found {
			return int64(row), nil
		}
		return 0, streamed.ErrChanged
	}
}

// take writes a record. One that is dealt out to none is left out.
func (e *exporting) take(cells [][]byte) error {
	row, err := e.rowOf(cells)
	if row == -1 && err == nil {
		return nil
	}
	if err != nil || row < 0 {
		return streamed.ErrChanged
	}
	return e.write(cells[:e.cells], row)
}

// write writes cells, and the row.
func (e *exporting) write(cells [][]byte, row int64) error {
	line := e.out.AvailableBuffer()
	for _, cell := range cells {
		if cell != nil {
			line = appendCell(line, cell)
		}
		line = append(line, ',')
	}
	_, err := e.out.Write(append(strconv.AppendInt(line, row+1, 10), '\n'))
	return err
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
