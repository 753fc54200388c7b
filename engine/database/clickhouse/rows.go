package clickhouse

import (
	"bufio"
	"bytes"
	"database/sql/driver"
	"errors"
	"io"
	"strings"
)

// rows are read as they come, in the format CSV: all texts in it stand in quotes, so that what a server says of an
// error that came after it had begun to answer looks like no cell.
type rows struct {
	answer *answer
	from   *bufio.Reader
	long   []byte // a record that is longer than the reader's, or than a line
	names  []string
	ended  bool // the server has nothing to do any more
}

func newRows(a *answer) *rows { return &rows{answer: a, from: bufio.NewReaderSize(a.body, 1<<17)} }

// record returns the next record without the end of its line, good until the next is asked for: a line, or as many as
// the texts in quotes go over. The error may be what the server says.
func (r *rows) record() ([]byte, error) {
	record, err := r.line()
	switch {
	case err != nil && err != io.EOF:
		return nil, err
	case len(record) == 0 && err == io.EOF:
		r.ended = true
		return nil, io.EOF
	case !mayBegin(record):
		r.ended = true
		rest, _ := io.ReadAll(io.LimitReader(r.from, mostSaid))
		return nil, faultOf(string(record)+"\n"+string(rest), "")
	}
	if open := opens(record); open {
		record = bytes.Clone(record)
		for open && err == nil {
			var line []byte
			line, err = r.line()
			record = append(append(record, '\n'), line...)
			open = open != opens(line)
		}
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return record, err
}

// opens reports whether a quote is open behind a line before which none is.
func opens(line []byte) bool { return bytes.Count(line, []byte{'"'})%2 == 1 }

// line returns the next line without its end, good until the next is asked for, and io.EOF where it has none.
func (r *rows) line() ([]byte, error) {
	line, err := r.from.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		r.long = append(r.long[:0], line...)
		for errors.Is(err, bufio.ErrBufferFull) {
			line, err = r.from.ReadSlice('\n')
			r.long = append(r.long, line...)
		}
		line = r.long
	}
	return bytes.TrimSuffix(line, []byte("\n")), err
}

// mayBegin reports whether a cell may begin so: texts begin with a quote, numbers, truth values and NULL as they do.
// What servers say of errors begins with Code, an underscore or the end of a line.
func mayBegin(cell []byte) bool {
	return len(cell) > 0 && bytes.IndexByte([]byte(`"-+.0123456789nitf\`), cell[0]) >= 0
}

func (r *rows) readNames() error {
	record, err := r.record()
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	for more := err == nil; more; {
		var name driver.Value
		if name, record, more, err = cut(record); err != nil {
			return err
		}
		text, _ := name.(string)
		r.names = append(r.names, text)
	}
	return err
}

// drain reads what comes and drops it.
func (r *rows) drain() error {
	for {
		if _, err := r.record(); err != nil {
			if err == io.EOF {
				err = nil
			}
			return err
		}
	}
}

// Columns returns the names of the columns.
func (r *rows) Columns() []string { return r.names }

// Next reads a row.
func (r *rows) Next(into []driver.Value) error {
	record, err := r.record()
	for i := 0; i < len(into) && err == nil; i++ {
		more := false
		if into[i], record, more, err = cut(record); err == nil && more == (i == len(into)-1) {
			err = io.ErrUnexpectedEOF
		}
	}
	return err
}

// cut returns the first cell of a record, nil for NULL, and what is behind it; more: there is another.
func cut(record []byte) (cell driver.Value, rest []byte, more bool, err error) {
	if !mayBegin(record) {
		return nil, nil, false, io.ErrUnexpectedEOF
	}
	if record[0] != '"' {
		text, rest, more := bytes.Cut(record, []byte{','})
		if string(text) == `\N` {
			return nil, rest, more, nil
		}
		return string(text), rest, more, nil
	}
	end, doubled := 1, false
	for {
		next := bytes.IndexByte(record[end:], '"')
		if next < 0 {
			return nil, nil, false, io.ErrUnexpectedEOF
		}
		if end += next + 1; end == len(record) || record[end] != '"' {
			break
		}
		end, doubled = end+1, true
	}
	text := string(record[1 : end-1])
	if doubled {
		text = strings.ReplaceAll(text, `""`, `"`)
	}
	switch rest = record[end:]; {
	case len(rest) == 0:
		return text, nil, false, nil
	case rest[0] != ',':
		return nil, nil, false, io.ErrUnexpectedEOF
	}
	return text, rest[1:], true, nil
}

// Close ends a query that is not done in the server, too. Of a query of one row, behind which nothing is asked for, it
// looks whether anything comes.
func (r *rows) Close() error {
	if !r.ended {
		_, err := r.from.Peek(1)
		r.ended = err == io.EOF
	}
	err := r.answer.body.Close()
	if !r.ended {
		r.ended = true
		r.answer.connection.end(r.answer.id)
	}
	return err
}
