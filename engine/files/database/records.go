package database

import (
	"context"
	"io"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// records formats the records of a dataset for a table: missing cells are NULL.
type records struct {
	data    *microdata.Dataset
	columns []recordCells
}

// recordCells formats the cells of a column.
type recordCells struct {
	column *microdata.Column
	levels []string // labels of a dictionary
	sent   [][]byte // escaped labels
}

func newRecords(data *microdata.Dataset) *records {
	r := &records{data: data, columns: make([]recordCells, len(data.Columns()))}
	for i, column := range data.Columns() {
		c := &r.columns[i]
		if c.column = column; column.StoredAsNumbers() != nil {
			continue
		}
		for _, level := range column.Categories().Levels {
			c.levels, c.sent = append(c.levels, level.Label), append(c.sent, appendEscaped(nil, level.Label))
		}
	}
	return r
}

func (r *records) names() []string {
	names := make([]string, len(r.columns))
	for i := range names {
		names[i] = r.columns[i].column.Name()
	}
	return names
}

// recordsAtOnce is the number of records formatted at a time.
const recordsAtOnce = 1 << 12

// write writes the records as tab-separated text, in which both PostgreSQL and ClickHouse use \N for NULL. The
// meter counts records.
func (r *records) write(ctx context.Context, w io.Writer, meter *progress.Meter) error {
	return statfile.WriteRows(ctx, w, r.data.Len(), recordsAtOnce, meter, func(text []byte, from, to int) []byte {
		for record := from; record < to; record++ {
			for i := range r.columns {
				text = append(r.columns[i].append(text, record), '\t')
			}
			text[len(text)-1] = '\n'
		}
		return text
	})
}

// append appends an escaped cell.
func (c *recordCells) append(text []byte, record int) []byte {
	if numbers := c.column.StoredAsNumbers(); numbers != nil {
		if math.IsNaN(numbers.Values[record]) {
			return append(text, `\N`...)
		}
		return c.column.AppendText(text, record)
	}
	code := c.column.Categories().Codes.At(record)
	if code == 0 {
		return append(text, `\N`...)
	}
	return append(text, c.sent[code-1]...)
}

// text returns a cell as a string, or nil if it is missing.
func (c *recordCells) text(record int) any {
	if c.column.StoredAsNumbers() != nil {
		if c.column.Missing(record) {
			return nil
		}
		return c.column.Text(record)
	}
	code := c.column.Categories().Codes.At(record)
	if code == 0 {
		return nil
	}
	return c.levels[code-1]
}

// appendEscaped appends a text with the escapes of tab-separated text.
func appendEscaped(out []byte, text string) []byte {
	for i := range len(text) {
		switch text[i] {
		case '\\':
			out = append(out, `\\`...)
		case '\t':
			out = append(out, `\t`...)
		case '\n':
			out = append(out, `\n`...)
		case '\r':
			out = append(out, `\r`...)
		default:
			out = append(out, text[i])
		}
	}
	return out
}

// sent calls send with a reader of the records.
func (r *records) sent(ctx context.Context, meter *progress.Meter, send func(from io.Reader) error) error {
	ctx, stop := context.WithCancel(ctx)
	read, written := io.Pipe()
	done := make(chan struct{})
	go func() {
		written.CloseWithError(r.write(ctx, written, meter))
		close(done)
	}()
	err := send(read)
	stop()
	read.Close()
	<-done
	return err
}

// within reports whether all values of a column are integers of at most bits bits.
func within(column *microdata.Column, bits int) bool {
	if column.Kind() != microdata.Whole {
		return false
	}
	limit := math.Ldexp(1, bits-1)
	fits := func(value float64) bool { return math.IsNaN(value) || -limit <= value && value < limit }
	if numbers := column.StoredAsNumbers(); numbers != nil {
		for _, value := range numbers.Values {
			if !fits(value) {
				return false
			}
		}
		return true
	}
	for _, level := range column.Categories().Levels {
		if !fits(level.Value) {
			return false
		}
	}
	return true
}
