package fileio

import (
	"io"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Rewriting writes the pieces of a file, which may have been changed, as text. What comes out is what
// WriteTo writes of all of them together, where the pieces have the variables alike.
type Rewriting struct {
	Report WriteReport // so far

	format  Format
	options WriteOptions
	records int // of the file
	out     io.Writer
}

// NewRewriting returns what writes a file of so many records in a format of text.
func NewRewriting(f Format, records int, o WriteOptions) *Rewriting {
	return &Rewriting{format: f, options: o, records: records}
}

// CanRewrite returns the error of a format that pieces are not written in; nil: they are.
func CanRewrite(path string, f Format) error {
	if to := FormatFor(path, f); !to.Text() || to.described() {
		return failure(ErrFormat, "a file that is read piece by piece is written as delimited text alone, and not as %s: "+
			"choose a name that ends in .csv, and convert that with \"sdcdesk convert\" where it fits into memory", to)
	}
	return nil
}

// Compressing returns what compresses a file as the ending of its path says; others are written as
// they are. What it returns has to be closed.
func Compressing(path string, w io.Writer) (io.WriteCloser, error) { return zipper(path, w) }

// Piece renders a piece that has so many records of the file before it. Calls can go on at the
// same time; what they return writes the piece, in the order of the file.
func (r *Rewriting) Piece(w io.Writer, data *microdata.Dataset, before int) (write func() error, err error) {
	t, err := newTextWriter(data, r.format, r.options)
	if err != nil {
		return nil, err
	}
	t.before, t.length = before, r.records
	text := encoded(t.format.Encoding, t.render(nil, 0, data.Len()))
	return func() error {
		if r.out == nil {
			if err := r.start(w, t); err != nil {
				return err
			}
		}
		r.Report.Records += data.Len()
		for i := range t.columns {
			r.Report.Guarded += t.columns[i].guarded
		}
		_, err := r.out.Write(text)
		return err
	}, nil
}

// start writes what stands before the first record.
func (r *Rewriting) start(w io.Writer, t *textWriter) error {
	if r.out = w; byteOrderMark(t.format.Encoding+markEnding) != nil {
		r.out = &unmistaken{w, byteOrderMark(t.format.Encoding + markEnding)}
	}
	for i := range t.columns {
		if t.columns[i].renamed {
			r.Report.Renamed++
		}
	}
	_, err := r.out.Write(t.start())
	return err
}
