package database

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// Write writes the protected records as a file in a format, by the key of the table, or where none is named by all
// variables: the order of the table is not told. Where all records decide how values are stored they are asked for
// twice. Errors are those of Open and of fileio.NewRewriting, and streamed.ErrChanged. The meter counts records.
func (t *Table) Write(ctx context.Context, w io.Writer, to fileio.Format, r *Release, o fileio.WriteOptions,
	meter *progress.Meter) (*fileio.WriteReport, error) {
	release, beside := t.released(r, false)
	o.Drop = append(slices.Clone(o.Drop), beside...)
	return release.Write(ctx, w, to, o, meter)
}

// released returns what reads the records, and the variables that it has beside those that are released. They have
// their keys where records draw numbers by them, or where they are asked for.
func (t *Table) released(r *Release, keys bool) (release *streamed.Release, beside []string) {
	taken := func(name string) bool { _, known := r.Data.Column(name); return known }
	row, key := nameBeside("row", taken), nameBeside("key", taken)
	done := t.address.key == ""
	data, known, names := r.Data.Without(r.Drop), map[string]*fileio.Described{row: {Kind: microdata.Whole}}, []string(nil)
	for _, column := range data.Columns() {
		of := column
		if !done {
			of = column.Source()
		}
		name := column.Name()
		if done || t.column(name) != nil {
			names, known[name] = append(names, name), &fileio.Described{Name: name, Kind: of.Kind(), Said: of.Description()}
			if !of.ManyValued() {
				known[name].Column = of.Alone()
			}
		}
	}
	if !done && (keys || len(maskedColumns(data)) > 0) {
		names, known[key], beside = append(names, key), &fileio.Described{Name: key}, []string{key}
	} else {
		key = ""
	}
	return &streamed.Release{By: r.Groups.By, Known: known, Data: data, Deals: r.Deals, Done: done, Keys: key,
		Read: func(ctx context.Context, pass *fileio.Pass, meter *progress.Meter) error {
			return t.read(ctx, names, row, key, r, pass, meter)
		}}, append(beside, row)
}

// read asks for the records that are released, and reads them in a pass whose groups are their rows after the steps.
func (t *Table) read(ctx context.Context, names []string, row, key string, r *Release, pass *fileio.Pass,
	meter *progress.Meter) error {
	meter.Start(int64(r.Data.Records()))
	inOrder := pass.InOrder
	pass.Sum, pass.InOrder = row, func(p *fileio.Piece) error {
		for i, row := range p.Sums {
			p.Groups[i] = uint32(row - 1)
		}
		meter.Add(int64(p.Records))
		return inOrder(p)
	}
	_, err := t.passing(ctx, nil, pass, func(ctx context.Context, w io.Writer) error { return t.export(ctx, w, names, row, key, r) })
	return err
}

// nameBeside returns a name like another that no column has.
func nameBeside(name string, taken func(string) bool) string {
	for taken(name) {
		name += "_"
	}
	return name
}

// passing reads what is written, as text, in a pass over some of its columns; nil: over all.
func (t *Table) passing(ctx context.Context, columns []string, pass *fileio.Pass,
	write func(context.Context, io.Writer) error) (*fileio.Passed, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	read, written := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := write(ctx, written)
		written.CloseWithError(err)
		done <- err
	}()
	format := t.Format()
	format.Columns = columns
	passed, err := fileio.ReadPassFrom(ctx, t.address.Name(), read, format, pass)
	read.Close()
	stop(err)
	if exported := <-done; err == nil {
		err = exported
	}
	return passed, err
}

// Create makes a table of the protected records in the database that has the table, and counts in it whether it is
// what was foretold before it is there for others. Errors are those of Open, ErrTarget, ErrExists,
// streamed.ErrChanged, and streamed.ErrRecount. The meter counts two questions: the records that are written, and the
// count.
func (t *Table) Create(ctx context.Context, target *Address, r *Release, scenario *microdata.Scenario,
	meter *progress.Meter) error {
	if target.dialect != t.address.dialect || target.place != t.address.place {
		return fmt.Errorf("%w: write a file, and load that where it is to be", ErrTarget)
	}
	masked, err := t.maskedCells(ctx, r)
	if err != nil {
		return err
	}
	columns := masked.of(r.columns(t))
	types := make([]string, len(columns))
	for i, c := range columns {
		if c.changed && !c.blanked || len(c.times) > 0 {
			types[i] = t.typeOf(&c)
		} else if types[i] = t.column(c.name).declared; c.blanked {
			types[i] = t.address.dialect.emptied(types[i])
		}
	}
	to := &Table{address: target, missing: t.missing}
	ctx, asked := to.questions(ctx, meter, 2)
	return to.within(ctx, true, func(tx *sql.Tx) error {
		if err := t.releasable(ctx, tx); err != nil {
			return err
		}
		create := t.createThere
		if t.here() {
			create = t.createHere
		}
		made, err := create(ctx, tx, target, r, masked, types)
		if err != nil {
			return err
		}
		defer made.abandon()
		asked.answered()
		if made.records != int64(r.Data.Records()) {
			return streamed.ErrChanged
		}
		to.address = made.address
		if err := to.verify(ctx, tx, r, scenario); err != nil {
			return err
		}
		asked.answered()
		return made.finish()
	})
}

// createThere lets the server fill a table with the protected records.
func (t *Table) createThere(ctx context.Context, tx *sql.Tx, target *Address, r *Release, masked *maskedCells, types []string) (
	*created, error) {
	columns := r.columns(t)
	names, q := make([]string, len(columns)), &query{}
	for i := range columns {
		names[i] = columns[i].name
	}
	statement, err := t.records(ctx, tx, q, r, masked, false)
	if err != nil {
		return nil, err
	}
	return t.server().create(ctx, tx, t.address, target, names, types, "SELECT "+strings.Join(quotedAll(names), ", ")+" FROM ("+statement+") r", q)
}

// verify counts the keys of a protected table again, the values of other variables that steps changed, and weights that
// samples multiplied.
func (t *Table) verify(ctx context.Context, tx *sql.Tx, r *Release, scenario *microdata.Scenario) error {
	if err := t.look(ctx, tx); err != nil {
		return err
	}
	t.newest = "0" // nobody else can have changed it
	for _, should := range streamed.Changed(r.Data.Without(r.Drop), scenario.Keys) {
		if _, by := should.Unmasked(); by != nil {
			if err := t.checkMasked(ctx, tx, should, r.Data.Records()); err != nil {
				return err
			}
			continue
		}
		groups := &Groups{By: []string{should.Name()}}
		if err := t.count(ctx, tx, groups); err != nil {
			return err
		}
		if err := streamed.SameValues(groups.Data.Columns()[0], should); err != nil {
			return err
		}
	}
	if weight := streamed.Multiplied(r.Data.Without(r.Drop)); weight != nil {
		groups := &Groups{Weight: weight.Name()}
		if err := t.count(ctx, tx, groups); err != nil {
			return err
		}
		if err := streamed.SameSum(groups.Data.Columns()[0], weight); err != nil {
			return err
		}
	}
	if len(scenario.Keys) == 0 {
		return nil
	}
	groups := &Groups{}
	for i := range t.Columns {
		if slices.Contains(scenario.Keys, t.Columns[i].Name) {
			groups.By = append(groups.By, t.Columns[i].Name)
		}
	}
	if err := t.count(ctx, tx, groups); err != nil {
		return err
	}
	return streamed.Foretold(ctx, groups.Data, r.Data, scenario)
}
