package fileio

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

var _ passer = statfileReader{}

func (k statfileReader) inPieces() bool { return k.Info().Pieces }

// filePass is a pass over a file of another program.
type filePass struct {
	*Pass
	format    Format
	options   statfile.ReadOptions
	groups    *grouping
	variables []valuesSeen // of the file; nil before the first piece
	by        []int        // places of the variables that groups go by, in the file
	summed    int          // place of the variable that is added up; -1: none
	budget    *statfile.Budget
	pending   []*pendingPiece
}

// pendingPiece is a piece for which Beside was called.
type pendingPiece struct {
	work   *parallel.Pending
	finish func() error
	err    error
}

func (k statfileReader) pass(ctx context.Context, in *input, f Format, p *Pass,
	meter *progress.Meter) (*Passed, error) {
	return k.passBy(ctx, in, f, p, 0, meter)
}

// passBy is pass with pieces of so many rows at most, about; 0: of as many as suit them.
func (k statfileReader) passBy(ctx context.Context, in *input, f Format, p *Pass, rows int,
	meter *progress.Meter) (*Passed, error) {
	wanted := f
	wanted.Columns = p.columns(f.Columns)
	t := &filePass{Pass: p, format: wanted, options: wanted.readOptions(), groups: newGrouping(p, in.budget),
		budget: in.budget}
	whole := t.options
	whole.Each, whole.Piece = t.piece, rows
	file, err := k.labelled(ctx, in, wanted, whole, meter)
	for err == nil && len(t.pending) > 0 {
		err = t.finishFirst()
	}
	for _, p := range t.pending {
		p.work.Wait()
	}
	if err != nil {
		return nil, err
	}
	passed, err := t.passed(ctx, file)
	if err != nil {
		return nil, prefixed(in.name, err)
	}
	passed.Format.Columns = f.Columns
	return passed, nil
}

// begin sees which variables there are.
func (t *filePass) begin(file *statfile.File) (*fileNames, error) {
	n, err := t.format.namesOf(file)
	if err != nil || t.variables != nil {
		return n, err
	}
	t.variables = make([]valuesSeen, len(n.names))
	t.by, t.summed, err = t.places(n.names)
	for i, name := range n.names {
		t.variables[i] = newValuesSeen(&file.Variables[i], cmp.Or(t.format.Options[optionMissing], declaredMissing),
			slices.Contains(t.by, i), t.most(name))
	}
	return n, err
}

// piece does the parts of a pass that a piece has.
func (t *filePass) piece(ctx context.Context, file *statfile.File) error {
	file.Only(&t.options)
	n, err := t.begin(file)
	if err != nil {
		return err
	}
	codes := make([][]uint32, len(t.variables))
	err = parallel.Each(ctx, len(t.variables), func(i int) error {
		if v := &t.variables[i]; v.by || t.most(n.names[i]) > 0 {
			codes[i] = v.add(&file.Variables[i].Column)
		}
		return t.budget.Take(t.variables[i].grown())
	})
	if err != nil {
		return err
	}
	columns := make([][]uint32, len(t.by))
	for i, place := range t.by {
		columns[i] = codes[place]
	}
	l, p := t.groups.number(file.Rows, columns), &Piece{Records: file.Rows}
	if t.summed >= 0 {
		l.sums, l.decimals = t.variables[t.summed].sums(&file.Variables[t.summed].Column)
	}
	if err = t.groups.add(l, p); err == nil && t.InOrder != nil {
		err = t.InOrder(p)
	}
	if err != nil || t.Beside == nil {
		return err
	}
	p.data = func(ctx context.Context) (*microdata.Dataset, error) {
		data, _, err := t.format.variablesOf(ctx, file, n, t.Known)
		return data, err
	}
	one := &pendingPiece{}
	one.work = parallel.Go(func() { one.finish, one.err = t.Beside(ctx, p) })
	if t.pending = append(t.pending, one); len(t.pending) > runtime.GOMAXPROCS(0) {
		return t.finishFirst()
	}
	return nil
}

// finishFirst waits for the first piece that is pending, and does what is done in the order of the file.
func (t *filePass) finishFirst() error {
	first := t.pending[0]
	first.work.Wait()
	t.pending = t.pending[1:]
	if first.err != nil || first.finish == nil {
		return first.err
	}
	return first.finish()
}

// passed returns what the pass found in a file, which has no columns.
func (t *filePass) passed(ctx context.Context, file *statfile.File) (*Passed, error) {
	n, err := t.begin(file)
	if err != nil {
		return nil, err
	}
	out, wholes, err := t.described(ctx, file, n)
	if err != nil {
		return nil, err
	}
	if t.groups.distinct == nil {
		return out, nil
	}
	var columns []*microdata.Column
	spellings := make([]*microdata.Spelling, len(n.names))
	for i := range n.names {
		var column *microdata.Column
		at := slices.Index(t.by, i)
		switch {
		case at >= 0:
			column, err = t.variables[i].ofGroups(&wholes[i], t.groups.distinct.Codes()[at])
			spellings[i] = &microdata.Spelling{Missing: wholes[i].maker.spelling.Missing}
		case i == t.summed:
			column, err = t.groups.sumColumn(wholes[i].maker.description())
		default:
			continue
		}
		if err != nil {
			return nil, err
		}
		columns = append(columns, column)
	}
	data, err := microdata.NewGrouped(columns, t.groups.records)
	if err != nil {
		return nil, err
	}
	out.Groups = data.WithSpellings(n.byName(spellings))
	for i := range out.Variables {
		if column := columnIn(out.Groups, out.Variables[i].Name); column != nil && i != t.summed {
			out.Variables[i].Column = column
		}
	}
	return out, nil
}

// wholeColumn is the column that the values of a variable make, one row each.
type wholeColumn struct {
	maker  *columnMaker
	column *microdata.Column // nil: there are too many
	counts []int             // of the records that the rows stand for
	row    []uint32          // by code of the value
}

// described describes the variables, and returns what their values make.
func (t *filePass) described(ctx context.Context, file *statfile.File, n *fileNames) (*Passed, []wholeColumn, error) {
	out, wholes := &Passed{Records: t.groups.total}, make([]wholeColumn, len(n.names))
	for i, name := range n.names {
		v := &t.variables[i]
		v.variable.Labels = file.Variables[i].Labels // those of a catalogue came last
		var err error
		if wholes[i], err = v.whole(ctx, name); err != nil {
			return nil, nil, err
		}
		n.note(i, wholes[i].maker.apart)
		if t.most(name) == 0 {
			continue
		}
		d := Described{Name: name, Kind: v.kind(), Said: wholes[i].maker.said, Blank: v.blank}
		if column := wholes[i].column; column != nil {
			data, err := microdata.NewGrouped([]*microdata.Column{column}, wholes[i].counts)
			if err != nil {
				return nil, nil, err
			}
			d.Column, d.Kind = data.Columns()[0], column.Kind()
			d.Blank, d.Spelling = d.Column.MissingCount(), &microdata.Spelling{Missing: wholes[i].maker.spelling.Missing}
		}
		out.Variables = append(out.Variables, d)
	}
	out.ReadReport = n.report(file, t.format)
	return out, wholes, nil
}
