package parquet

import (
	"fmt"
	"slices"

	"github.com/parquet-go/parquet-go/format"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// olderDictionary is the encoding of dictionary indices in older files.
const olderDictionary format.Encoding = 2

// part is the number of rows decoded at a time, which limits the memory whatever a page claims.
const part = 1 << 14

// chunk decodes a column chunk, a column in a row group.
type chunk struct {
	*leaf
	in       *statfile.Source
	put      func(row int, numbers []float64) // receives the numbers of a part
	textsOut *statfile.Dictionary             // for texts
	rows     int                              // number of rows to read
	done     int                              // number of rows read
	rounded  bool
	odd      bool // some values are NaN

	known []float64 // numbers of the dictionary, or codes of its texts
	codes []uint32

	*scratch
}

// scratch is memory that chunks and pages reuse.
type scratch struct {
	stored, plain   []byte
	levels, indices []uint32
	column, values  []float64
}

// room returns n elements, in the given memory if it is large enough.
func room[T any](memory []T, n int) []T {
	if cap(memory) < n {
		return make([]T, n)
	}
	return memory[:n]
}

// page decodes a page; it panics if the page does not match its header.
func (c *chunk) page(p *page) error {
	if p.dictionary {
		c.learn(p)
		return nil
	}
	next, err := c.decoder(p)
	levels := levelsOf(p)
	for take := min(p.count, c.rows-c.done); take > 0 && err == nil; {
		rows := min(take, part)
		present, there := rows, []uint32(nil)
		if levels != nil {
			c.levels = room(c.levels, rows)
			there = c.levels
			present = levels(there)
		}
		next(present)
		c.add(there)
		c.done, take = c.done+rows, take-rows
	}
	return err
}

// add adds rows. The scratch contains the numbers or codes of the nonmissing ones, which are all rows if levels is
// nil.
func (c *chunk) add(levels []uint32) {
	if c.kind == statfile.Text { // codes overwrite the levels, each of which was read before
		for _, code := range spread(&c.levels, c.indices, levels, 0) {
			c.textsOut.AddCode(code)
		}
		return
	}
	c.put(c.done, spread(&c.column, c.values, levels, statfile.Missing()))
}

// spread returns values in their rows, with missing in the others; if levels is nil, none are missing.
func spread[T any](memory *[]T, values []T, levels []uint32, missing T) []T {
	if levels == nil {
		return values
	}
	out := room(*memory, len(levels))
	*memory = out
	for row, level := range levels {
		out[row] = missing
		if level != 0 {
			out[row], values = values[0], values[1:]
		}
	}
	return out
}

// take decodes numbers of a page and records exceptions.
func (c *chunk) take(out []float64, p *page) {
	c.rounded = c.numbers(out, p.values, p.encoding) || c.rounded
	if c.physical == format.Float || c.physical == format.Double || c.half {
		c.odd = c.odd || slices.ContainsFunc(out, func(x float64) bool { return x != x })
	}
}

// levelsOf returns a function that fills out with 1 for a present value and 0 for a missing one, and counts the
// former; nil if all are present.
func levelsOf(p *page) func(out []uint32) (present int) {
	if p.levels == nil {
		return nil
	}
	fill := (&runs{content: p.levels, width: 1}).fill
	if p.packed {
		at := 0
		fill = func(out []uint32) {
			for i := range out { // highest bit first
				out[i] = uint32(p.levels[at/8] >> (7 - at%8) & 1)
				at++
			}
		}
	} else if head, value := uvarint(p.levels); head&1 == 0 && head>>1 >= uint64(p.count) && value[0] == 1 {
		return nil
	}
	return func(out []uint32) (present int) {
		fill(out)
		for _, level := range out {
			present += int(level)
		}
		return present
	}
}

// presentIn counts the values of a page that are not missing.
func (c *chunk) presentIn(p *page) (present int) {
	levels := levelsOf(p)
	if levels == nil {
		return p.count
	}
	c.levels = room(c.levels, part)
	for left := p.count; left > 0; left -= part {
		present += levels(c.levels[:min(left, part)])
	}
	return present
}

// decoder returns a function that decodes the next present values into the scratch: numbers, or codes of texts.
// Memory for encodings that are decoded at once is checked in advance.
func (c *chunk) decoder(p *page) (next func(present int), err error) {
	switch {
	case p.encoding == format.RLEDictionary || p.encoding == olderDictionary:
		return c.indexed(p), nil
	case p.encoding == format.Plain && c.kind != statfile.Text && c.width() > 0 && c.physical != format.FixedLenByteArray:
		return func(present int) {
			c.values = room(c.values, present)
			c.take(c.values, p)
			p.values = p.values[present*c.width():]
		}, nil
	}
	all := c.presentIn(p)
	const each = 16 // bytes
	if plain := c.kind == statfile.Text && p.encoding == format.Plain; !plain {
		if err := c.in.Fits(each * int64(all)); err != nil {
			return nil, err
		}
	}
	if c.kind == statfile.Text {
		texts := c.texts(p.values, p.encoding, all)
		return func(present int) {
			c.indices = room(c.indices, present)
			c.enter(c.indices, texts)
		}, nil
	}
	numbers := room(c.values, all)
	c.take(numbers, p)
	return func(present int) { c.values, numbers = numbers[:present], numbers[present:] }, nil
}

// indexed returns the decoder for a page of dictionary indices.
func (c *chunk) indexed(p *page) func(present int) {
	var r *runs
	return func(present int) {
		if c.indices = room(c.indices, present); present > 0 {
			if r == nil { // a page without values may lack the bit width
				r = &runs{content: p.values[1:], width: int(p.values[0])}
			}
			r.fill(c.indices)
		}
		if c.kind == statfile.Text {
			for i, place := range c.indices {
				c.indices[i] = c.codes[place]
			}
			return
		}
		c.values = room(c.values, present)
		for i, place := range c.indices {
			c.values[i] = c.known[place]
		}
	}
}

// learn adds the texts of a dictionary page to the output dictionary, or keeps its numbers.
func (c *chunk) learn(p *page) {
	if least := max(1, c.width()); p.count < 0 || p.count > len(p.values)/least {
		panic(errPage)
	}
	if c.kind != statfile.Text {
		c.known = make([]float64, p.count)
		c.take(c.known, p)
		return
	}
	c.codes = make([]uint32, p.count)
	c.enter(c.codes, c.texts(p.values, p.encoding, p.count))
}

// enter fills out with the codes of the next texts.
func (c *chunk) enter(out []uint32, texts *byteValues) {
	for i := range out {
		text := texts.next()
		if c.uuid {
			text = fmt.Appendf(nil, "%x-%x-%x-%x-%x", text[:4], text[4:6], text[6:8], text[8:10], text[10:])
		}
		out[i] = c.textsOut.Code(text)
	}
}
