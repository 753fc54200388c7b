package database

import (
	"cmp"
	"context"
	"database/sql"
	"io"
	"slices"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// asTheyCome returns a statement for all cells of the records: by the key, or without one as they are in the table. It
// is one, since the order of others could be another one.
func (t *Table) asTheyCome() string {
	statement := t.selecting(t.names())
	if t.address.key != "" {
		statement += " ORDER BY " + t.sorted()
	}
	return statement
}

// places returns where columns are among the cells of records.
func (t *Table) places(names []string) []int {
	places := make([]int, len(names))
	for i, name := range names {
		places[i] = slices.Index(t.names(), name)
	}
	return places
}

// followHere reads the records of a file, to follow them through deals; each is shown once.
func (t *Table) followHere(ctx context.Context, tx *sql.Tx, r *Release, deals []*streamed.Deal, show func(cells [][]byte)) (
	*streamed.Keyed, error) {
	keyed, err := streamed.NewKeyed(t.Records, len(r.Groups.records), deals, r.Secret, t.address.key != "")
	if err != nil {
		return nil, err
	}
	groups, homes := make([]int32, len(r.Groups.records)), make([]int, len(keyed.Homes))
	for group := range groups {
		groups[group] = int32(group)
	}
	for i, of := range keyed.Homes {
		if of != nil {
			homes[i] = t.places([]string{of.Variable})[0]
		}
	}
	key, weight := t.places([]string{t.address.key})[0], t.places([]string{r.Groups.Weight})[0]
	find, text, households := r.Groups.finder(groups, t.places(r.Groups.By)).find, []byte(nil), make([][]byte, len(homes))
	return keyed, t.address.dialect.each(ctx, tx, t.asTheyCome(), &query{}, func(cells [][]byte) error {
		show(cells)
		group, err := find(cells)
		if err != nil || keyed.Whole(uint32(group)) {
			return err
		}
		if text = text[:0]; key < 0 {
			text = appendRecord(text, cells)
		} else {
			text = append(text, cells[key]...)
		}
		weighs := 0.0
		if weight >= 0 {
			weighs, err = strconv.ParseFloat(string(cells[weight]), 64)
		}
		for i, of := range keyed.Homes {
			if of != nil {
				households[i] = t.homeOf(cells[homes[i]])
			}
		}
		keyed.Add(uint32(group), text, households, weighs)
		return err
	})
}

// homeOf returns the cell that tells a household; nil: it is missing.
func (t *Table) homeOf(cell []byte) []byte {
	if len(cell) == 0 || slices.Contains(t.missing, string(cell)) {
		return nil
	}
	return cell
}

// householdsHere gathers the households of the records of a file, by the rows where they stand after the steps.
func (t *Table) householdsHere(ctx context.Context, tx *sql.Tx, r *Release, column string, numeric bool) (*microdata.Households,
	error) {
	homes, at := &streamed.Homes{Numeric: numeric}, t.places([]string{column})[0]
	keyed, err := t.followHere(ctx, tx, r, r.Deals, func(cells [][]byte) { homes.Add(t.homeOf(cells[at])) })
	if err != nil {
		return nil, err
	}
	rows, err := keyed.Rows()
	if err != nil {
		return nil, err
	}
	return homes.Households(rows, r.Data.Multiplicity())
}

// rowsHere returns where the records of a file stand after the steps, as they come.
func (t *Table) rowsHere(ctx context.Context, tx *sql.Tx, r *Release) ([]uint32, error) {
	keyed, err := t.followHere(ctx, tx, r, r.Deals, func([][]byte) {})
	if err != nil {
		return nil, err
	}
	return keyed.Rows()
}

// countDealtHere counts what a step gives that is the last of some deals.
func (t *Table) countDealtHere(ctx context.Context, tx *sql.Tx, r *Release, before *microdata.Dataset, deal *streamed.Deal) (
	*microdata.Dataset, error) {
	keyed, err := t.followHere(ctx, tx, r, append(slices.Clone(r.Deals), deal), func([][]byte) {})
	if err != nil {
		return nil, err
	}
	after, err := keyed.Count(before, r.Groups.Weight, r.Groups.Decimals)
	if err != nil {
		return nil, err
	}
	values := streamed.NewValues(before, deal)
	if len(values.Columns()) == 0 {
		return values.Data(after), nil
	}
	rows, err := keyed.Rows()
	if err != nil {
		return nil, err
	}
	known, names := map[string]*fileio.Described{}, []string(nil)
	for _, of := range values.Columns() {
		names = append(names, of.Name())
		known[of.Name()] = &fileio.Described{Name: of.Name(), Kind: of.Kind(), Said: of.Description()}
		if !of.ManyValued() {
			known[of.Name()].Column = of.Alone()
		}
	}
	pass := &fileio.Pass{Known: known, Beside: values.Piece}
	_, err = t.passing(ctx, names, pass, func(ctx context.Context, w io.Writer) error {
		e := newExporting(w, names, nameBeside("row", func(name string) bool { return t.column(name) != nil }))
		return cmp.Or(t.writeHere(ctx, tx, e, names, rows), e.out.Flush())
	})
	return values.Data(after), err
}

// writeHere writes columns of the records that have a row after the steps, with the row; a name that no column has is
// that of the key as a record of its own.
func (t *Table) writeHere(ctx context.Context, tx *sql.Tx, e *exporting, names []string, rows []uint32) error {
	places, key, record := t.places(names), t.places([]string{t.address.key})[0], make([][]byte, len(names))
	return t.eachReleased(ctx, tx, rows, func(cells []cell, row uint32) error {
		for i, place := range places {
			if place < 0 {
				record[i] = appendRecord(record[i][:0], [][]byte{cells[key].text})
			} else {
				record[i] = cells[place].text
			}
		}
		return e.write(record, int64(row))
	})
}

// eachReleased calls take with all cells of each record that has a row after the steps.
func (t *Table) eachReleased(ctx context.Context, tx *sql.Tx, rows []uint32, take func(cells []cell, row uint32) error) error {
	next := 0
	return scan(ctx, tx, t.asTheyCome(), &query{}, func(cells []cell) error {
		if next++; next > len(rows) {
			return streamed.ErrChanged
		}
		if row := rows[next-1]; row != streamed.Left {
			return take(cells, row)
		}
		return nil
	})
}
