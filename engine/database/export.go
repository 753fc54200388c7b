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

// exporting writes protected records as text that ReadPassFrom reads, with the row where each stands behind.
type exporting struct {
	out     *bufio.Writer
	columns []released
	values  map[string]*values                                  // by set of columns, of all rows; nil: cells come as they are released
	alone   map[string]func(cell []byte) (row int64, err error) // by set, of variables whose values steps changed by themselves
	missing string                                              // what cells that became missing have; "": nothing
	rowOf   func(cells [][]byte) (int64, error)
	counted []uint32 // by row: records
}

// export writes the protected records: by the key, which the database sorts by without knowing of the steps, or
// without one by all that is released.
func (t *Table) export(ctx context.Context, w io.Writer, names []string, r *Release) error {
	columns, err := r.columns(t)
	if err != nil {
		return err
	}
	row := "row"
	for slices.Contains(names, row) {
		row += "_"
	}
	e := &exporting{out: bufio.NewWriterSize(w, 1<<18), columns: columns, missing: t.missing[0], counted: make([]uint32, r.Data.Len())}
	e.out.Write(appendCSV(nil, append(texts(names), &row)))
	err = t.within(ctx, false, func(tx *sql.Tx) error {
		if err := t.releasable(ctx, tx); err != nil {
			return err
		}
		q := &query{}
		statement, err := t.exported(ctx, tx, q, r, e)
		if err != nil {
			return err
		}
		return t.address.each(ctx, tx, statement, q, e.take)
	})
	if err == nil && !slices.Equal(e.counted, r.Data.Multiplicity()) {
		err = streamed.ErrChanged
	}
	return cmp.Or(err, e.out.Flush())
}

// exported returns the statement for the records, and says what stands in them.
func (t *Table) exported(ctx context.Context, tx *sql.Tx, q *query, r *Release, e *exporting) (string, error) {
	if t.address.key != "" {
		return t.byKey(ctx, tx, q, r, e)
	}
	e.rowOf = func(cells [][]byte) (int64, error) { return strconv.ParseInt(string(cells[len(e.columns)]), 10, 64) }
	statement, err := t.records(ctx, tx, q, r, true)
	names := make([]string, len(e.columns))
	for i, c := range e.columns {
		names[i] = quoted(c.name)
	}
	by := strings.Join(names, ", ")
	return "SELECT " + by + ", sdcdesk_row FROM (" + statement + ") r ORDER BY " + by, err
}

// byKey returns a statement for the records of the table by its key, with the address of their group and, of those that
// are dealt out, their row after the steps, counted from 1.
func (t *Table) byKey(ctx context.Context, tx *sql.Tx, q *query, r *Release, e *exporting) (string, error) {
	plan, err := streamed.NewPlan(len(r.Groups.records), r.Deals)
	if err != nil {
		return "", err
	}
	e.values = map[string]*values{"": newValues(e.columns, "")}
	for row := range r.Data.Len() {
		e.values[""].add(row)
	}
	if err := t.finding(ctx, tx, e); err != nil {
		return "", err
	}
	var selected []string
	for _, c := range e.columns {
		if c.known {
			selected = append(selected, t.sent(t.column(c.name)))
		}
	}
	at, find := len(selected), r.Groups.finder(plan.Rows)
	e.rowOf = func(cells [][]byte) (int64, error) {
		if after, err := strconv.ParseInt(string(cells[at]), 10, 64); err != nil || after != 0 {
			return after - 1, err
		}
		return find(cells[at+1])
	}
	own := append(quotedAll(t.names()), t.addressOf(r.Groups)+" AS sdcdesk_address")
	after, join := "0", ""
	if slices.Contains(plan.Rows, -1) {
		id, d := t.address.dialect.record(t.texts([]string{t.address.key}))+" AS sdcdesk_id", t.address.dialect
		dealt, row, _, err := t.dealt(ctx, tx, q, r.Groups, plan, r.Secret, []string{id}, []string{"sdcdesk_id"})
		if err != nil {
			return "", err
		}
		own, after = append(own, id), "coalesce(sdcdesk_after, 0)"
		join = d.join("LEFT") + "(SELECT sdcdesk_id, " + row + " + 1 AS sdcdesk_after FROM (" + dealt + ") t) d USING (sdcdesk_id)"
	}
	return "SELECT " + strings.Join(append(selected, after, "sdcdesk_address"), ", ") + " FROM (SELECT " + strings.Join(own, ", ") +
		" FROM " + t.from + ") s" + join + " ORDER BY " + t.sorted(), nil
}

// finder returns what finds the row of a group by its address as text, by group; the error is streamed.ErrChanged for
// an address that none has.
func (g *Groups) finder(rows []int32) func(address []byte) (row int64, err error) {
	if g.hashes == nil {
		return func(address []byte) (int64, error) {
			if group, found := slices.BinarySearch(g.records, string(address)); found {
				return int64(rows[group]), nil
			}
			return 0, streamed.ErrChanged
		}
	}
	byHash := make(map[int64]int32, len(rows))
	for group, hash := range g.hashes {
		byHash[hash] = rows[group]
	}
	return func(address []byte) (int64, error) {
		hash, err := strconv.ParseInt(string(address), 10, 64)
		if row, found := byHash[hash]; found && err == nil {
			return int64(row), nil
		}
		return 0, streamed.ErrChanged
	}
}

// take writes a record, and counts its row. A record that is dealt out to none is missing from the counts.
func (e *exporting) take(cells [][]byte) error {
	row, err := e.rowOf(cells)
	if row == -1 && err == nil {
		return nil
	}
	if err != nil || row < 0 || row >= int64(len(e.counted)) {
		return streamed.ErrChanged
	}
	e.counted[row]++
	line, next := e.out.AvailableBuffer(), 0
	for _, c := range e.columns {
		var cell []byte
		if c.known || e.values == nil {
			cell = cells[next]
			next++
		}
		switch {
		case e.values == nil || !c.changed:
			line = appendText(line, cell)
		default:
			of := row
			if c.uncounted != nil {
				if of, err = e.alone[c.set](cell); err != nil {
					return err
				}
			}
			line = e.appendChanged(line, cell, &c, of)
		}
		line = append(line, ',')
	}
	_, err = e.out.Write(append(strconv.AppendInt(line, row, 10), '\n'))
	return err
}

// appendChanged appends what a cell becomes of a column, by the row of its values.
func (e *exporting) appendChanged(line, cell []byte, c *released, row int64) []byte {
	values := e.values[c.set]
	if blank := values.blank[c.place/blanksTogether][row]; blank>>(c.place%blanksTogether)&1 == 1 {
		if e.missing == "" {
			return line
		}
		return appendCell(line, e.missing)
	}
	if text := values.texts[c.place][row]; text != nil {
		return appendCell(line, *text)
	}
	return appendText(line, cell)
}

// appendText appends a cell as it comes; nil is NULL.
func appendText(line, cell []byte) []byte {
	if cell == nil {
		return line
	}
	return appendCell(line, cell)
}

// handing is a dialect that hands over cells faster than database/sql, which makes a value of each.
type handing interface {
	// sent returns a cell of a column that is handed over as its text.
	sent(c *Column) string
	each(ctx context.Context, tx *sql.Tx, statement string, q *query, take func(cells [][]byte) error) error
}

// sent returns a cell of a column that each takes as its text.
func (t *Table) sent(c *Column) string {
	if d, ok := t.address.dialect.(handing); ok {
		return d.sent(c)
	}
	return t.text(c.Name)
}

// each takes the cells of each record of a statement, texts and numbers, as texts that are good until the next
// record; nil is NULL.
func (a *Address) each(ctx context.Context, tx *sql.Tx, statement string, q *query, take func(cells [][]byte) error) error {
	if d, ok := a.dialect.(handing); ok {
		return d.each(ctx, tx, statement, q, take)
	}
	rows, err := tx.QueryContext(ctx, statement, q.values...)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	record, kept, into := make([][]byte, len(names)), make([]cell, len(names)), make([]any, len(names))
	for i := range kept {
		into[i] = &kept[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i := range kept {
			record[i] = kept[i].text
		}
		if err := take(record); err != nil {
			return err
		}
	}
	return rows.Err()
}

// cell is a text or a number of a record.
type cell struct{ text, buffer []byte }

// Scan takes a value of the driver.
func (c *cell) Scan(value any) error {
	if c.text = nil; c.buffer == nil {
		c.buffer = []byte{}
	}
	switch v := value.(type) {
	case nil:
		return nil
	case string:
		c.buffer = append(c.buffer[:0], v...)
	case int64:
		c.buffer = strconv.AppendInt(c.buffer[:0], v, 10)
	default:
		return fmt.Errorf("%w: a cell came as no text", ErrColumn)
	}
	c.text = c.buffer
	return nil
}
