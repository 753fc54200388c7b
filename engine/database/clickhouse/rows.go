package clickhouse

import (
	"bufio"
	"bytes"
	"database/sql/driver"
	"errors"
	"io"
)

// rows are read as they come, in the format TabSeparated.
type rows struct {
	answer *answer
	from   *bufio.Reader
	long   []byte // a line that is longer than the reader's
	names  []string
	ended  bool // the server has nothing to do any more
}

func newRows(a *answer) *rows { return &rows{answer: a, from: bufio.NewReaderSize(a.body, 1<<17)} }

// line returns the next line without its end, good until the next is asked for. A line of what the server says of an
// error that came after it had begun is that error.
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
	if len(line) == 0 && err == io.EOF {
		r.ended = true
		return nil, io.EOF
	}
	if bytes.HasPrefix(line, []byte("Code: ")) && coded.Match(line) {
		r.ended = true
		return nil, faultOf(string(line))
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return bytes.TrimSuffix(line, []byte("\n")), err
}

func (r *rows) readNames() error {
	line, err := r.line()
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	for name := range bytes.SplitSeq(line, []byte{'\t'}) {
		r.names = append(r.names, unescaped(name))
	}
	return err
}

// drain reads what comes and drops it.
func (r *rows) drain() error {
	for {
		if _, err := r.line(); err != nil {
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
	line, err := r.line()
	if err != nil {
		return err
	}
	for i := range into {
		cell, rest, more := bytes.Cut(line, []byte{'\t'})
		if more == (i == len(into)-1) {
			return io.ErrUnexpectedEOF
		}
		if line = rest; string(cell) == `\N` {
			into[i] = nil
		} else {
			into[i] = unescaped(cell)
		}
	}
	return nil
}

// Close ends a query that is not done in the server, too.
func (r *rows) Close() error {
	err := r.answer.body.Close()
	if !r.ended {
		r.ended = true
		r.answer.connection.end(r.answer.id)
	}
	return err
}

// escapes are what stands behind a backslash for what it means, where that is another character.
var escapes = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', '0': 0, 'a': '\a', 'v': '\v'}

// unescaped returns the text of a cell.
func unescaped(cell []byte) string {
	if bytes.IndexByte(cell, '\\') < 0 {
		return string(cell)
	}
	out := make([]byte, 0, len(cell))
	for i := 0; i < len(cell); i++ {
		b := cell[i]
		if b == '\\' && i+1 < len(cell) {
			i++
			b = cell[i]
			if means, known := escapes[b]; known {
				b = means
			}
		}
		out = append(out, b)
	}
	return string(out)
}
