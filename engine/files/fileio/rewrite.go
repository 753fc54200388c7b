package fileio

import (
	"context"
	"io"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Rewriting writes the pieces of a file, which may have been changed. What comes out is what
// WriteTo writes of all of them together, where the pieces have the variables alike.
type Rewriting struct {
	Report WriteReport // so far

	format  Format
	options WriteOptions
	records int // of the file
	out     io.Writer
	file    *fileRewriting // nil: it is text
}

// Whole is what is known of all records of a file whose pieces are written.
type Whole struct {
	Records   int
	Data      *microdata.Dataset   // groups of them
	Variables []string             // of the data, by which the records of a group are alike
	Alone     []*microdata.Dataset // other variables, each with a row for a value
}

// NewRewriting returns what writes the pieces of a file in a format. Errors are those of CanRewrite.
func NewRewriting(ctx context.Context, f Format, whole *Whole, o WriteOptions) (*Rewriting, error) {
	r := &Rewriting{format: f, options: o, records: whole.Records}
	if f.Text() {
		return r, nil
	}
	var err error
	r.file, err = newFileRewriting(ctx, f, whole, o)
	return r, err
}

// CanRewrite returns the error of a format that pieces are not written in; nil: they are.
func CanRewrite(path string, f Format) error {
	to := FormatFor(path, f)
	if kind, err := formats().of(to); err == nil && pieceWriter(kind) != nil || to.Text() && !to.described() {
		return nil
	}
	return failure(ErrFormat, "records that are not held in memory are not written as %s: choose a name that ends in %s, "+
		"and convert that with \"sdcdesk convert\" where it fits into memory", to, ".csv, .dta, .sav, .parquet or .xpt")
}

// Compressing returns what compresses a file as the ending of its path says; others are written as
// they are. What it returns has to be closed.
func Compressing(path string, w io.Writer) (io.WriteCloser, error) { return zipper(path, w) }

// Looks reports whether all pieces have to be looked at before the first is written.
func (r *Rewriting) Looks() bool { return r.file != nil }

// Look looks at a piece. Calls can go on at the same time; what they return is called in the order of the file.
func (r *Rewriting) Look(ctx context.Context, data *microdata.Dataset) (inOrder func() error, err error) {
	return r.file.look(ctx, data)
}

// End writes what stands behind the last piece.
func (r *Rewriting) End(ctx context.Context, w io.Writer) error {
	if r.file == nil {
		return nil
	}
	return r.file.end(ctx, w)
}

// Piece renders a piece that has so many records of the file before it. Calls can go on at the
// same time; what they return writes the piece, in the order of the file.
func (r *Rewriting) Piece(ctx context.Context, w io.Writer, data *microdata.Dataset,
	before int) (write func() error, err error) {
	if r.file != nil {
		return r.file.piece(ctx, w, data, &r.Report)
	}
	t, err := newTextWriter(data, r.format, r.options)
	if err != nil {
		return nil, err
	}
	t.before, t.length = before, r.records
	text := encoded(t.format.Encoding, t.render(nil, 0, data.Len()))
	return func() error {
		if r.out == nil {
			if r.out, err = t.begin(w, &r.Report); err != nil {
				return err
			}
		}
		r.Report.add(t)
		_, err := r.out.Write(text)
		return err
	}, nil
}
