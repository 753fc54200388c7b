package database

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// Looks says why Look cannot be asked for, by ErrKey: none is named. nil: it can.
func (t *Table) Looks() error {
	if t.address.key == "" {
		return ErrKey
	}
	return nil
}

// Look calls look for the records of the table after steps, with some of their variables and the numbers that they draw
// by their keys, by secrets: for several pieces at a time, and what it returns by the order of the keys. Errors are
// those of Open and Looks, and streamed.ErrChanged. The meter counts records.
func (t *Table) Look(ctx context.Context, r *Release, variables, secrets []string,
	look func(data *microdata.Dataset, drawn [][]uint64) (inOrder func()), meter *progress.Meter) error {
	if err := t.Looks(); err != nil {
		return err
	}
	release, _ := t.released(r.only(variables), true)
	return release.Look(ctx, variables, secrets, meter, look)
}

// only returns the release of some variables.
func (r *Release) only(variables []string) *Release {
	out := *r
	out.Drop = nil
	for _, column := range r.Data.Columns() {
		if !slices.Contains(variables, column.Name()) {
			out.Drop = append(out.Drop, column.Name())
		}
	}
	return &out
}

// maskedColumns returns the variables of data of which every record draws a number.
func maskedColumns(data *microdata.Dataset) (columns []*microdata.Column) {
	for _, column := range data.Columns() {
		if _, by := column.Unmasked(); by != nil {
			columns = append(columns, column)
		}
	}
	return columns
}

// mostMasked is up to how many records a protected table has such variables: what becomes of them is brought to it at
// a time.
const mostMasked = 5_000_000

// maskedCells are what becomes of the cells of variables whose records draw their numbers by their keys.
type maskedCells struct {
	columns []*microdata.Column
	keys    []*string
	cells   [][]*string // by variable
}

// maskedCells makes them; nil: there are no such variables.
func (t *Table) maskedCells(ctx context.Context, r *Release) (*maskedCells, error) {
	m := &maskedCells{columns: maskedColumns(r.Data.Without(r.Drop))}
	if len(m.columns) == 0 {
		return nil, nil
	}
	if r.Data.Records() > mostMasked {
		return nil, fmt.Errorf("%w, and numbers that every record draws are put into one of at most %s records: write a file, and load "+
			"that", ErrTarget, wording.Number(mostMasked))
	}
	var names []string
	for _, column := range m.columns {
		names = append(names, column.Name())
	}
	m.cells = make([][]*string, len(m.columns))
	release, _ := t.released(r.only(names), true)
	return m, release.Look(ctx, append(names, release.Keys), nil, nil, func(data *microdata.Dataset, _ [][]uint64) func() {
		keys, _ := data.Column(release.Keys)
		key, cells := textsOf(keys), make([][]*string, len(m.columns))
		for j := range cells {
			column, _ := data.Column(m.columns[j].Name())
			cells[j] = textsOf(column)
		}
		return func() {
			m.keys = append(m.keys, key...)
			for j := range cells {
				m.cells[j] = append(m.cells[j], cells[j]...)
			}
		}
	})
}

// textsOf returns the cells of a column as texts, nil where they are missing.
func textsOf(column *microdata.Column) []*string {
	out := make([]*string, column.Len())
	for row := range out {
		if !column.Missing(row) {
			text := column.Text(row)
			out[row] = &text
		}
	}
	return out
}

// of makes the columns of a protected table those that have these cells.
func (m *maskedCells) of(columns []released) []released {
	if m == nil {
		return columns
	}
	for i := range columns {
		c := &columns[i]
		for place, column := range m.columns {
			if column.Name() == c.name {
				*c = released{name: c.name, column: column, known: c.known, changed: true, set: "masked_", place: place}
			}
		}
	}
	return columns
}

// join returns the table with these cells, and the names of the columns that have them.
func (m *maskedCells) join(ctx context.Context, tx *sql.Tx, q *query, t *Table, columns []released) (*Table, []string, error) {
	if m == nil {
		return t, nil, nil
	}
	becomes, names := []uploaded{{name: "sdcdesk_address", texts: m.keys}}, []string(nil)
	for _, c := range columns {
		if c.set == "masked_" {
			becomes, names = append(becomes, uploaded{name: c.value(), texts: m.cells[c.place]}), append(names, c.value())
		}
	}
	d := t.server()
	relation, err := d.upload(ctx, tx, q, "sdcdesk_masked", becomes)
	if err != nil {
		return nil, nil, err
	}
	out, own := *t, quotedAll(t.names())
	out.from = "(SELECT " + strings.Join(append(slices.Clone(own), names...), ", ") + " FROM " +
		t.addressed(&Groups{By: []string{t.address.key}}, own, "") + d.join("LEFT") + relation + " USING (sdcdesk_address)) s"
	return &out, names, nil
}

// checkMasked counts the missing cells of such a variable of so many records again.
func (t *Table) checkMasked(ctx context.Context, tx *sql.Tx, should *microdata.Column, records int) error {
	there := 0
	err := tx.QueryRowContext(ctx, "SELECT count("+quoted(should.Name())+") FROM "+t.from).Scan(&there)
	if err == nil && there != records-should.MissingCount() {
		err = fmt.Errorf("%w: the missing cells of %q are others; nothing was released", streamed.ErrRecount, should.Name())
	}
	return err
}
