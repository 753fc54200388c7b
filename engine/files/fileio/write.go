package fileio

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// WriteOptions says what is written and where it may be written.
type WriteOptions struct {
	Drop          []string // variables that are left out
	DropMetadata  bool     // leave out notes, documents and the label of the data set
	GuardFormulas bool     // put an apostrophe before text that a spreadsheet would take for a formula
	Force         bool     // replace a file that exists
	Source        string   // path of the file the data were read from, which is never written; "": none
	// path of a codebook to be written beside a text file, DDI-Codebook where it ends in .xml, else CSV; "": none
	Codebook string
	// is told what the file cannot hold, as Lacks says it, before anything is written; an error of it ends that.
	// nil: nobody is
	Lacking func([]string) error
	Copy    io.Writer // gets what the file with the records has, too; nil: nothing does
}

// kept returns the columns that are written.
func (o *WriteOptions) kept(d *microdata.Dataset) []*microdata.Column {
	return slices.DeleteFunc(slices.Clone(d.Columns()),
		func(c *microdata.Column) bool { return slices.Contains(o.Drop, c.Name()) })
}

// errNothing is the error of a file without variables.
func errNothing() error { return failure(ErrFormat, "no variable is left to write; keep at least one") }

// WriteReport tells what was written.
type WriteReport struct {
	Records int
	Guarded int      // cells that got an apostrophe
	Renamed int      // names of variables that got one
	Beside  []string // paths of the companions
	Warning string   // why a codebook that was asked for is not among them, or what else is to be known of what was written
}

// pieceRecords is the number of records that are rendered at a time.
const pieceRecords = 1 << 12

// WriteTo writes a dataset as text. Cells that no step changed are written as
// they were read: numbers as they were spelled, missing cells with their
// missing code, quotes where the file had them. Cells that became missing are
// written as the first missing code. The meter counts records; the result does not
// depend on the number of processors. Errors name a variable, never a value; they wrap ErrFormat,
// ErrEncoding, ErrQuote, or are those of w or of the context. Groups of records are not written.
//
// With GuardFormulas, names of variables and cells of text variables that start
// with = + - @, a tab or a carriage return and are neither numbers nor labels of
// intervals are written with an apostrophe before them.
func WriteTo(ctx context.Context, w io.Writer, d *microdata.Dataset, f Format, o WriteOptions,
	meter *progress.Meter) (*WriteReport, error) {
	if d.Grouped() {
		return nil, failure(ErrFormat, "a frequency table has no records to write: write the SQL script that protects them, to a file with the "+
			"extension .sql")
	}
	k, err := formats().writer(f)
	if err != nil {
		return nil, err
	}
	return k.write(ctx, w, d, f, o, meter)
}

// WriteAs writes a dataset as a file of the name is written: in the kind of file
// that the ending of the path names, and text compressed where it ends in .gz or
// .zst. f is how the data were read. See WriteTo.
func WriteAs(ctx context.Context, path string, w io.Writer, d *microdata.Dataset, f Format, o WriteOptions,
	meter *progress.Meter) (*WriteReport, error) {
	zip, err := zipper(path, w)
	if err != nil {
		return nil, err
	}
	report, err := WriteTo(ctx, zip, d, FormatFor(path, f), o, meter)
	if closing := zip.Close(); err == nil {
		err = closing
	}
	return report, err
}

// write leaves formulas in described files alone: an apostrophe would be part of
// a code. See Companions for the description.
func (k text) write(ctx context.Context, w io.Writer, d *microdata.Dataset, f Format, o WriteOptions,
	meter *progress.Meter) (*WriteReport, error) {
	o.GuardFormulas = o.GuardFormulas && !f.described()
	t, err := newTextWriter(d, f, o)
	if err != nil {
		return nil, err
	}
	if o.Lacking != nil {
		said, _ := k.lacks(ctx, d, f, o) // without an error
		if err := o.Lacking(said); err != nil {
			return nil, err
		}
	}
	if mark := byteOrderMark(t.format.Encoding + markEnding); mark != nil {
		w = &unmistaken{w, mark}
	}
	if _, err := w.Write(t.start()); err != nil {
		return nil, err
	}
	report := &WriteReport{Records: d.Len()}
	for i := range t.columns {
		if report.Guarded += t.columns[i].guarded; t.columns[i].renamed {
			report.Renamed++
		}
	}
	return report, t.records(ctx, w, meter)
}

// unmistaken puts a byte order mark before text that itself starts with that
// character, which would be taken for one.
type unmistaken struct {
	io.Writer
	mark []byte // nil once the text has started
}

// Write writes on; the first bytes are a whole character at least.
func (u *unmistaken) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if mark := u.mark; mark != nil {
		u.mark = nil
		if bytes.HasPrefix(p, mark) {
			if _, err := u.Writer.Write(mark); err != nil {
				return 0, err
			}
		}
	}
	return u.Writer.Write(p)
}

// textWriter renders a dataset in a format.
type textWriter struct {
	*dialect
	data    *microdata.Dataset
	read    *Format // as the data were read
	format  Format
	newline string
	columns []columnText
	single  bool     // there is one column: a line with nothing in it is a cell
	places  []extent // of fixed fields in the records, by column; nil: there are delimiters
	order   []int    // columns by place
}

func newTextWriter(d *microdata.Dataset, f Format, o WriteOptions) (*textWriter, error) {
	read := f
	if f.described() {
		f.Fields = f.fieldsFor(d)
	}
	f, err := f.withDefaults()
	if err != nil {
		return nil, err
	}
	t := &textWriter{dialect: f.dialect(), data: d, read: &read, format: f, newline: lineEnd(f.LineEnding)}
	kept := o.kept(d)
	t.single = len(kept) == 1
	for _, column := range kept {
		text, err := t.columnText(column, o.GuardFormulas)
		if err != nil {
			return nil, err
		}
		t.columns = append(t.columns, text)
	}
	if len(kept) == 0 {
		return nil, errNothing()
	}
	if f.Type == Fixed {
		t.setPlaces()
	}
	return t, nil
}

// withDefaults returns a format that can be written: what is not said is as in
// NewFormat, but that the lines of described files end as mu-Argus ends them.
func (f Format) withDefaults() (Format, error) {
	plain := NewFormat()
	if f.described() {
		f.settleDescribed()
		plain.LineEnding = CRLF
	}
	switch f.Type {
	case Free:
		f.Quote = `"`
	case Fixed:
		plain.Delimiter = ""
	}
	f.Delimiter, f.Decimal = cmp.Or(f.Delimiter, plain.Delimiter), cmp.Or(f.Decimal, plain.Decimal)
	f.Encoding, f.LineEnding = cmp.Or(f.Encoding, plain.Encoding), cmp.Or(f.LineEnding, plain.LineEnding)
	return f, f.Validate()
}

func lineEnd(name string) string {
	return cmp.Or(map[string]string{CRLF: "\r\n", CR: "\r"}[name], "\n")
}

// start returns what stands before the first record: the byte order mark and
// the names.
func (t *textWriter) start() []byte {
	var line []byte
	if t.format.Header {
		for i := range t.columns {
			if i > 0 {
				line = append(line, t.delimiter)
			}
			line = append(line, t.columns[i].title...)
		}
		line = t.endLine(line, t.data.Len() == 0 && len(line) > 0)
	}
	return append(slices.Clone(byteOrderMark(t.format.Encoding)), encoded(t.format.Encoding, line)...)
}

// endLine ends a line, unless it is the last one of a file that ends with it.
// An empty line always ends, or it would not be one.
func (t *textWriter) endLine(line []byte, last bool) []byte {
	if last && t.format.NoFinalNewline {
		return line
	}
	return append(line, t.newline...)
}

// records writes the records.
func (t *textWriter) records(ctx context.Context, w io.Writer, meter *progress.Meter) error {
	return statfile.WriteRows(ctx, w, t.data.Len(), pieceRecords, meter, func(text []byte, from, to int) []byte {
		return encoded(t.format.Encoding, t.render(text, from, to))
	})
}

// render appends the records from one to before another.
func (t *textWriter) render(text []byte, from, to int) []byte {
	if t.places != nil {
		return t.renderFixed(text, from, to)
	}
	for record := from; record < to; record++ {
		start := len(text)
		for i := range t.columns {
			if i > 0 {
				text = append(text, t.delimiter)
			}
			text = t.columns[i].append(text, record)
		}
		if record == 0 && len(text) == start && t.single && !t.format.Header && t.quote != 0 {
			text = append(text, t.quote, t.quote) // empty lines before the first record are left out on reading
		}
		text = t.endLine(text, record == t.data.Len()-1 && len(text) > start)
	}
	return text
}
