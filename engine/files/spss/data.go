package spss

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

const (
	mostRows  = 1 << 14   // of a block decoded by one goroutine
	blockSize = 4 << 20   // maximum bytes of such rows, unless a row is longer
	sheetSize = 256 << 10 // bytes of rows converted to columns at a time
)

// data decodes the rows.
type data struct {
	*dictionary
	codec   elements
	stream  stream
	places  []place // of selected variables
	kinds   []statfile.Kind
	claimed int64 // number of rows in the file; negative if unknown
	limit   int64 // maximum number of rows; negative for all
	meter   *progress.Meter

	rows   int64    // number read
	memory []memory // by goroutine
}

// block is a range of rows in a window.
type block struct {
	first int // number of the first row
	at    spot
	rows  int
}

// read puts all rows into blocks. left is a sentence on what is missing at the end, or "".
func (d *data) read(ctx context.Context, to *statfile.Blocks) (left string, err error) {
	var window []byte
	var at spot
	stride := 8 * d.elements
	perBlock := max(1, min(mostRows, blockSize/stride))
	for ended := false; !ended; {
		kept := copy(window, window[at.group:])
		longer, read, err := d.stream.next(ctx, window[:kept])
		if err != nil {
			return "", err
		}
		window, at.group, ended = longer, 0, len(longer) == kept
		var blocks []block
		for d.limit < 0 || d.rows < d.limit {
			want := int64(perBlock)
			if d.limit >= 0 {
				want = min(want, d.limit-d.rows)
			}
			next, passed, end := d.codec.pass(window, at, int(want)*d.elements)
			got := passed / d.elements
			if got < int(want) {
				if !ended && !end {
					break // continue with more data
				}
				next, _, _ = d.codec.pass(window, at, got*d.elements)
				ended = true
			}
			if got > 0 {
				blocks = append(blocks, block{first: int(d.rows), at: at, rows: got})
				d.rows += int64(got)
			}
			if at = next; got < int(want) {
				left = d.leftOver(passed - got*d.elements)
				break
			}
		}
		if err := d.decode(ctx, window, blocks, to); err != nil {
			return "", err
		}
		d.meter.Set(read, max(read, d.meterTotal()))
		ended = ended || d.limit >= 0 && d.rows >= d.limit
	}
	return left, nil
}

// leftOver describes what is missing after the last whole row.
func (d *data) leftOver(elements int) string {
	switch {
	case d.claimed >= 0:
		return fmt.Sprintf("the header declares %s, but the file ends after %s: it is truncated",
			wording.Counted(int(d.claimed), "record"), wording.Number(int(d.rows)))
	case elements > 0:
		return fmt.Sprintf("the file ends within record %s: it is truncated", wording.Number(int(d.rows)+1))
	default:
		return ""
	}
}

func (d *data) meterTotal() int64 {
	switch s := d.stream.(type) {
	case *plainData:
		return s.in.Size()
	case *inflated:
		return s.in.Size()
	}
	return 0
}

// decode adds the columns of the blocks of a window.
func (d *data) decode(ctx context.Context, window []byte, blocks []block, to *statfile.Blocks) error {
	if d.memory == nil {
		d.memory = make([]memory, runtime.GOMAXPROCS(0))
	}
	if len(blocks) == 0 {
		return ctx.Err()
	}
	return parallel.Tasks(ctx, len(blocks), min(len(d.memory), len(blocks)), func(worker, task int) {
		d.decodeBlock(window, blocks[task], &d.memory[worker], to)
	})
}

// memory is reused by a goroutine for decoding.
type memory struct {
	sheet   []byte
	columns []column
}

// decodeBlock adds the columns of a block.
func (d *data) decodeBlock(window []byte, b block, m *memory, to *statfile.Blocks) {
	stride := 8 * d.elements
	perSheet := max(1, min(b.rows, sheetSize/stride))
	m.sheet = slices.Grow(m.sheet[:0], perSheet*stride)[:perSheet*stride]
	if m.columns == nil {
		m.columns = make([]column, len(d.places))
	}
	columns := m.columns
	for i := range columns {
		columns[i].place, columns[i].kind = d.places[i], d.kinds[i]
		if d.places[i].width > 0 {
			columns[i].texts = statfile.NewDictionary(b.rows)
		} else {
			columns[i].numbers = slices.Grow(columns[i].numbers[:0], b.rows)
		}
	}
	at := b.at
	for done := 0; done < b.rows; done += perSheet {
		rows := m.sheet[:min(perSheet, b.rows-done)*stride]
		at = d.codec.expand(rows, window, at)
		for i := range columns {
			if c := &columns[i]; c.texts != nil {
				c.takeTexts(rows, stride)
			} else {
				c.takeNumbers(rows, stride, d)
			}
		}
	}
	for i := range columns {
		c := statfile.Column{Numbers: columns[i].numbers}
		if columns[i].texts != nil {
			c.Texts = columns[i].texts.Texts()
		}
		to.Put(b.first, i, c)
	}
}

// column collects the cells of a variable.
type column struct {
	place
	kind    statfile.Kind
	numbers []float64
	texts   *statfile.Dictionary
	joined  []byte // text joined from segments
}

func (c *column) takeNumbers(rows []byte, stride int, d *data) {
	missing, none := d.extension.missing, statfile.Missing()
	for at := 8 * c.segments[0]; at < len(rows); at += stride {
		value := math.Float64frombits(d.order.Uint64(rows[at:]))
		switch {
		case value == missing || value != value:
			value = none
		case c.kind != statfile.Number:
			value = neutral(c.kind, value)
		}
		c.numbers = append(c.numbers, value)
	}
}

func (c *column) takeTexts(rows []byte, stride int) {
	for row := 0; row < len(rows); row += stride {
		at := row + 8*c.segments[0]
		text := rows[at : at+min(c.width, shortText)]
		if len(c.segments) > 1 {
			text = c.join(rows[row : row+stride])
		}
		c.texts.Add(statfile.TrimSpaces(text))
	}
}

// join returns a text joined from its segments.
func (c *column) join(row []byte) []byte {
	c.joined = c.joined[:0]
	for i, element := range c.segments {
		size := min(shortText, c.width-i*shortText)
		if size <= 0 {
			break
		}
		at := 8 * element
		c.joined = append(c.joined, row[at:min(at+size, len(row))]...)
	}
	return c.joined
}
