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
	rewriting, err := fileio.NewRewriting(ctx, to, r.whole(t), o)
	if err != nil {
		return nil, err
	}
	if rewriting.Looks() {
		err = t.pieces(ctx, r, meter, func(ctx context.Context, data *microdata.Dataset, _ int) (func() error, error) {
			return rewriting.Look(ctx, data)
		})
		if err != nil {
			return nil, err
		}
	}
	err = t.pieces(ctx, r, meter, func(ctx context.Context, data *microdata.Dataset, before int) (func() error, error) {
		return rewriting.Piece(ctx, w, data, before)
	})
	if err == nil && rewriting.Report.Records != r.Data.Records() {
		err = streamed.ErrChanged
	}
	if err == nil {
		err = rewriting.End(ctx, w)
	}
	return &rewriting.Report, err
}

// whole returns what is known of all records: the variables that groups go by, and those that steps made.
func (r *Release) whole(t *Table) *fileio.Whole {
	whole := &fileio.Whole{Records: r.Data.Records(), Data: r.Data, Variables: slices.Clone(r.Groups.By)}
	for _, column := range r.Data.Columns() {
		if t.column(column.Name()) == nil {
			whole.Variables = append(whole.Variables, column.Name())
		}
	}
	whole.Alone = streamed.Alone(r.Data)
	return whole
}

// pieces asks for the protected records, and calls do for each piece of them; see fileio.Pass.
func (t *Table) pieces(ctx context.Context, r *Release, meter *progress.Meter,
	do func(ctx context.Context, data *microdata.Dataset, before int) (inOrder func() error, err error)) error {
	meter.Start(int64(r.Data.Records()))
	known, columns := map[string]*fileio.Described{}, r.Data.Without(r.Drop).Columns()
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i], known[column.Name()] = column.Name(), &fileio.Described{Name: column.Name(), Kind: column.Kind()}
	}
	format := t.Format()
	format.Columns = names
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	read, written := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := t.export(ctx, written, names, r)
		written.CloseWithError(err)
		done <- err
	}()
	_, err := fileio.ReadPassFrom(ctx, t.address.Name(), read, format, &fileio.Pass{Known: known,
		Beside: func(ctx context.Context, p *fileio.Piece) (func() error, error) {
			data, err := p.Data(ctx)
			if err != nil {
				return nil, err
			}
			for _, column := range columns {
				if cells, ok := data.Column(column.Name()); ok {
					data = data.With(cells.WithDescription(column.Description()))
				}
			}
			meter.Add(int64(p.Records))
			return do(ctx, data, p.First)
		}})
	read.Close()
	stop(err)
	if exported := <-done; exported != nil && (err == nil || ctx.Err() == nil) {
		err = exported
	}
	return err
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
	columns, err := r.columns(t)
	if err != nil {
		return err
	}
	names, types := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		if names[i] = c.name; c.changed && !c.blanked {
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
		q := &query{}
		statement, err := t.records(ctx, tx, q, r, false)
		if err != nil {
			return err
		}
		statement = "SELECT " + strings.Join(quotedAll(names), ", ") + " FROM (" + statement + ") r"
		made, err := target.dialect.create(ctx, tx, t.address, target, names, types, statement, q)
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

// verify counts the keys of a protected table again, and the values of other variables that steps changed.
func (t *Table) verify(ctx context.Context, tx *sql.Tx, r *Release, scenario *microdata.Scenario) error {
	if err := t.look(ctx, tx); err != nil {
		return err
	}
	t.newest = "0" // nobody else can have changed it
	for _, should := range streamed.Changed(r.Data.Without(r.Drop), scenario.Keys) {
		groups := &Groups{By: []string{should.Name()}}
		if err := t.count(ctx, tx, groups); err != nil {
			return err
		}
		if err := streamed.SameValues(groups.Data.Columns()[0], should); err != nil {
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
