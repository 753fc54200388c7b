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

// WriteOptions specifies what is written and which files may be replaced.
type WriteOptions struct {
	Drop          []string // variables to leave out
	DropMetadata  bool     // leave out the dataset label, notes and documents
	GuardFormulas bool     // put an apostrophe before text that a spreadsheet would take for a formula
	Force         bool     // replace an existing file
	Source        string   // path of the file that the data was read from, which is never overwritten; "" if none
	// path of a codebook to write with a text file, DDI-Codebook if it ends in .xml, else CSV; "" for none
	Codebook string
	// called before anything is written with what the file cannot hold, see Lacks; an error aborts writing; may be
	// nil
	Lacking func([]string) error
	Copy    io.Writer // receives a copy of the file with the records; may be nil
}

// kept returns the columns to write.
func (o *WriteOptions) kept(d *microdata.Dataset) []*microdata.Column {
	return slices.DeleteFunc(slices.Clone(d.Columns()),
		func(c *microdata.Column) bool { return slices.Contains(o.Drop, c.Name()) })
}

// errNothing returns the error for a file without variables.
func errNothing() error { return failure(ErrFormat, "no variable is left to write; keep at least one") }

// WriteReport describes a written file.
type WriteReport struct {
	Records        int
	Guarded        int      // number of cells with an apostrophe
	Renamed        int      // number of variable names with an apostrophe
	CompanionPaths []string // paths of the companions
	Warning        string   // reason why a requested codebook was not written, or another warning
}

// pieceRecords is the number of records formatted at a time.
const pieceRecords = 1 << 12

// WriteTo writes a dataset as text. Cells that no step changed are written as they were read: spelling of numbers,
// missing codes and quotes. Newly missing cells are written as the first missing code. The meter counts records;
// the result does not depend on the number of processors. Errors name a variable, never a value; they wrap
// ErrFormat, ErrEncoding or ErrQuote, or are those of w or of the context. Grouped datasets cannot be written.
//
// With GuardFormulas, names of variables and cells of text variables that start with = + - @, a tab or a carriage
// return, and are neither numbers nor labels of intervals, are written with a leading apostrophe.
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

// WriteAs writes a dataset in the file type of the extension of path, and compresses text if it ends in .gz or
// .zst. f is the format of reading. See WriteTo.
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

// write ignores GuardFormulas in described files, where an apostrophe would be part of a code. See Companions for
// the description.
func (k text) write(ctx context.Context, w io.Writer, d *microdata.Dataset, f Format, o WriteOptions,
	meter *progress.Meter) (*WriteReport, error) {
	o.GuardFormulas = o.GuardFormulas && !f.described()
	t, err := newTextWriter(d, f, o)
	if err != nil {
		return nil, err
	}
	if o.Lacking != nil {
		said, _ := k.lacks(ctx, d, f, o) // never fails for text
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

// unmistaken writes a byte order mark before text that itself begins with that character, which would otherwise be
// taken for one.
type unmistaken struct {
	io.Writer
	mark []byte // nil after the start of the text
}

// Write implements io.Writer; the first call must contain a whole character.
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

// textWriter formats a dataset in a format.
type textWriter struct {
	*dialect
	data    *microdata.Dataset
	read    *Format // format of reading
	format  Format
	newline string
	columns []columnText
	single  bool     // there is one column, so an empty line is a cell
	places  []extent // positions of fixed fields by column; nil for delimited text
	order   []int    // columns in order of position
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

// withDefaults returns a format with the defaults of NewFormat for writing, except that lines of described files
// end as in mu-Argus.
func (f Format) withDefaults() (Format, error) {
	plain := NewFormat()
	if f.described() {
		f.applyDescription()
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

// start returns the byte order mark and the header.
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

// endLine ends a line, unless it is the last one and the format has no final line end. An empty line always needs
// its end.
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

// render appends the records in [from, to).
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
			text = append(text, t.quote, t.quote) // reading skips empty lines before the first record
		}
		text = t.endLine(text, record == t.data.Len()-1 && len(text) > start)
	}
	return text
}
