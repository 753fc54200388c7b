package fileio

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Sizes of blocks in bytes. Small blocks fit into the processor's cache; a block of very wide records is larger.
const (
	defaultBlock  = 1 << 19
	largestRecord = 1 << 23
)

// block is a part of a file that contains whole records.
type block struct {
	index    int
	line     int    // number of the block's first line, from 1
	before   int    // maximum number of records before the block
	expected int    // estimated number of records in the file
	data     []byte // records, then padding
	end      int    // end of the records, after a line break
}

// cutter divides a file into blocks.
type cutter struct {
	source io.Reader      // decoded to UTF-8
	passed func() float64 // returns the share of the file that was read
	name   string         // of the file
	*dialect
	size    int    // size of a block
	rest    []byte // bytes read that belong to the next block
	line    int    // number of the next block's first line
	ends    int    // line ends outside quotes before the next block
	offset  int    // bytes before the next block
	empty   int    // bytes of empty lines just before the next block, if they are not records
	fewest  int    // minimum bytes of a record
	most    int    // maximum lines of a block; 0 for no limit
	waiting bool   // rest contains more than most lines
	index   int
	ended   bool
	cutLast bool // the last line had no line break
	fedLast bool // the last line ended with CRLF, and others with CR
	failed  error
}

// next returns the next block, in memory that may be nil; it returns nil at the end of the file.
func (c *cutter) next(memory []byte) (*block, error) {
	if c.failed != nil {
		return nil, c.failed
	}
	buffer := append(memory[:0], c.rest...)
	cut, ends := 0, 0
	target := max(c.size, 2*len(c.rest))
	if c.waiting {
		target = len(c.rest)
	}
	for ; ; target *= 2 {
		var err error
		if buffer, err = c.fill(buffer, target); err != nil {
			// Parse the records before it first, because an error in them comes first.
			c.failed = err
			cut, ends = c.lastEnd(buffer)
			break
		}
		if cut, ends = c.lastEnd(buffer); c.most > 0 && ends > c.most {
			break
		}
		if c.ended {
			whole := c.withoutLastFeed(buffer)
			cut, c.fedLast = len(whole), len(whole) < len(buffer)
			break
		}
		if cut > 0 {
			break
		}
		if target >= largestRecord {
			return nil, failureAt(ErrLimit, c.name, c.line,
				"the record that starts here exceeds %s, the limit; check for an unclosed quote, and whether the file is "+
					"text with line breaks",
				statfile.Megabytes(largestRecord))
		}
	}
	if c.waiting = c.most > 0 && ends > c.most; c.waiting {
		cut, ends = c.lines(buffer, c.most), c.most
	}
	c.rest = append(c.rest[:0], buffer[cut:]...)
	return c.block(buffer[:cut], ends)
}

// lines returns the end of the first count lines, which must exist.
func (d *dialect) lines(text []byte, count int) (end int) {
	for ; count > 0; count-- {
		end += bytes.IndexByte(text[end:], d.newline) + 1
	}
	return end
}

// withoutLastFeed removes the LF of a final CRLF in a text whose other lines end with CR.
func (d *dialect) withoutLastFeed(text []byte) []byte {
	if d.newline == '\r' {
		return bytes.TrimSuffix(text, []byte{'\n'})
	}
	return text
}

// fill reads until the buffer holds about target bytes or the file ends.
func (c *cutter) fill(buffer []byte, target int) ([]byte, error) {
	if cap(buffer) < target+padding+1 {
		buffer = append(make([]byte, 0, target+padding+1), buffer...)
	}
	for target-len(buffer) >= utf8.UTFMax && !c.ended { // room for a whole decoded character
		n, err := c.source.Read(buffer[len(buffer):target])
		buffer = buffer[:len(buffer)+n]
		switch {
		case errors.Is(err, io.EOF):
			c.ended = true
		case errors.Is(err, errSurrogate):
			return buffer, failureAt(ErrEncoding, c.name, c.line+bytes.Count(buffer, []byte{c.newline}),
				"the text is not UTF-16; choose another encoding")
		case err != nil:
			return buffer, err
		}
	}
	return buffer, nil
}

// block returns a block of the given records with ends line ends outside quotes, or nil if there are none.
func (c *cutter) block(records []byte, ends int) (*block, error) {
	if len(records) == 0 {
		return nil, c.failed
	}
	b := &block{index: c.index, line: c.line, before: c.records()}
	c.index++
	c.line += bytes.Count(records, []byte{c.newline})
	c.ends += ends
	c.offset += len(records)
	cut := float64(c.offset) / float64(c.offset+len(c.rest)) // share of the bytes read
	b.expected = int(1.0625 * float64(c.records()) / max(c.passed()*cut, 1e-9))
	if records[len(records)-1] != c.newline {
		c.cutLast = true
		records = append(records, c.newline)
	}
	b.end = len(records)
	b.data = append(records, make([]byte, padding)...)
	if err := c.bounded(b); err != nil {
		c.failed = err
	}
	return b, nil
}

// bounded returns an error if there are too many consecutive empty lines, of which a few compressed bytes can
// contain any number. In a file with one variable they are records, which the memory limits.
func (c *cutter) bounded(b *block) error {
	if c.fewest < 2 || !onlyBreaks(b.data[:b.end]) {
		c.empty = 0
		return nil
	}
	if c.empty += b.end; c.empty <= mostEmpty {
		return nil
	}
	return failureAt(ErrLimit, c.name, b.line, "more than %s of empty lines precede this line; remove them", statfile.Megabytes(mostEmpty))
}

// onlyBreaks reports whether a text contains only line breaks.
func onlyBreaks(text []byte) bool {
	return !bytes.ContainsFunc(text, func(c rune) bool { return c != '\n' && c != '\r' })
}

// records returns the maximum number of records before the next block.
func (c *cutter) records() int {
	return min(c.ends, c.offset/max(1, c.fewest))
}

// lastEnd returns the end of the last whole record in the buffer, or 0 if there is none, and the number of line
// ends outside quotes before it. The buffer begins with a record.
func (c *cutter) lastEnd(buffer []byte) (end, ends int) {
	outside := func(from, to int) {
		if n := bytes.Count(buffer[from:to], []byte{c.newline}); n > 0 {
			end, ends = from+bytes.LastIndexByte(buffer[from:to], c.newline)+1, ends+n
		}
	}
	if c.quote == 0 {
		outside(0, len(buffer))
		return end, ends
	}
	for pos := 0; ; {
		j := bytes.IndexByte(buffer[pos:], c.quote)
		if j < 0 {
			outside(pos, len(buffer))
			return end, ends
		}
		outside(pos, pos+j)
		pos += j + 1
		if before := pos - 2; before >= 0 && buffer[before] != c.delimiter && buffer[before] != c.newline {
			continue // a quote within a field is text
		}
		closed := c.closing(buffer, pos)
		if closed < 0 {
			return end, ends
		}
		pos = closed
	}
}

// closing returns the offset after the closing quote of the field whose text starts at pos, or -1 if it is not in
// the buffer.
func (c *cutter) closing(buffer []byte, pos int) int {
	for {
		j := bytes.IndexByte(buffer[pos:], c.quote)
		if j < 0 || pos+j+1 == len(buffer) {
			return -1
		}
		pos += j + 1
		if buffer[pos] != c.quote {
			return pos
		}
		pos++
	}
}
