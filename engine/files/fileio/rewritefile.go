package fileio

import (
	"context"
	"io"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// fileRewriting writes the pieces of a file as one of another program.
type fileRewriting struct {
	k       statfileWriter
	format  Format
	options WriteOptions
	records int
	whole   map[string]*wholeVariable

	first   *statfile.File // the variables as the first piece has them
	pieces  statfile.Pieces
	batches *statfile.Batches
	started bool
}

// pieceWriter returns what writes pieces of files of a kind; nil: nothing does.
func pieceWriter(kind reader) statfile.PieceWriter {
	if k, ok := kind.(statfileWriter); ok {
		writer, _ := k.to.(statfile.PieceWriter)
		return writer
	}
	return nil
}

// newFileRewriting chooses how the variables are written that all records are known of.
func newFileRewriting(ctx context.Context, f Format, whole *Whole, o WriteOptions) (*fileRewriting, error) {
	kind, err := formats().of(f)
	if err != nil {
		return nil, err
	}
	if pieceWriter(kind) == nil {
		return nil, CanRewrite("", f)
	}
	r := &fileRewriting{k: kind.(statfileWriter), format: f, options: o, records: whole.Records,
		whole: map[string]*wholeVariable{}}
	var others []string
	for _, column := range whole.Data.Columns() {
		if !slices.Contains(whole.Variables, column.Name()) {
			others = append(others, column.Name())
		}
	}
	for _, known := range append([]*microdata.Dataset{whole.Data.Without(others)}, whole.Alone...) {
		if len(o.kept(known)) == 0 {
			continue
		}
		file, makers, err := r.k.fileOf(ctx, known, f, o, nil)
		if err != nil {
			return nil, err
		}
		for i := range makers {
			v := &wholeVariable{&makers[i], file.Variables[i]}
			v.variable.Column = statfile.Column{}
			r.whole[makers[i].column.Name()] = v
		}
	}
	return r, nil
}

// look looks at a piece, and refuses variables that each piece alone makes something else of.
func (r *fileRewriting) look(ctx context.Context, data *microdata.Dataset) (func() error, error) {
	file, makers, err := r.k.fileOf(ctx, data, r.format, r.options, r.whole)
	if err != nil {
		return nil, err
	}
	for i := range makers {
		if makers[i].became == becameNumbers && len(makers[i].given) > 0 {
			return nil, errApart(makers[i].column.Name())
		}
	}
	return func() error {
		if r.first == nil {
			r.begin(file)
		}
		for i := range file.Variables {
			if !alike(&file.Variables[i], &r.first.Variables[i]) {
				return errApart(makers[i].column.Name())
			}
		}
		r.pieces.Look(file)
		return nil
	}, nil
}

func (r *fileRewriting) begin(file *statfile.File) {
	r.first = file.WithoutColumns(r.records)
	r.pieces = pieceWriter(r.k).Begin(r.first, r.first.Settings)
	r.batches = statfile.NewBatches(r.pieces.Batch())
}

// alike reports whether two pieces store a variable in one way.
func alike(a, b *statfile.Variable) bool {
	return a.Kind == b.Kind && a.Format == b.Format && a.Width == b.Width && a.Storage == b.Storage &&
		slices.EqualFunc(a.Labels, b.Labels, func(x, y statfile.ValueLabel) bool {
			_, missing := statfile.Tag(x.Value.Number)
			return x.Label == y.Label && (missing || x.Value == y.Value)
		})
}

// errApart is the error of a variable of which all records together decide how it is written.
func errApart(name string) error {
	return failure(ErrFormat, "variable %s has values of which only all records together tell how they are written: "+
		"name it in a step or give it a role, so that records are counted by it, or choose a name that ends in .csv", quotedName(name))
}

// piece prepares a piece; what it returns writes it, in the order of the file.
func (r *fileRewriting) piece(ctx context.Context, w io.Writer, data *microdata.Dataset,
	report *WriteReport) (write func() error, err error) {
	file, _, err := r.k.fileOf(ctx, data, r.format, r.options, r.whole)
	if err != nil {
		return nil, err
	}
	return func() error {
		report.Records += file.Rows
		if err := r.start(w); err != nil {
			return err
		}
		if whole := r.batches.Add(file); whole != nil {
			return r.pieces.Write(ctx, w, whole, nil)
		}
		return nil
	}, nil
}

func (r *fileRewriting) start(w io.Writer) error {
	if r.started {
		return nil
	}
	r.started = true
	return r.pieces.Start(w)
}

// end writes what is left.
func (r *fileRewriting) end(ctx context.Context, w io.Writer) error {
	if err := r.start(w); err != nil {
		return err
	}
	if rest := r.batches.Rest(); rest != nil {
		if err := r.pieces.Write(ctx, w, rest, nil); err != nil {
			return err
		}
	}
	return r.pieces.End(ctx, w)
}
