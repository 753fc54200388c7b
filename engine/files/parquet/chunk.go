package parquet

import (
	"fmt"
	"slices"

	"github.com/parquet-go/parquet-go/format"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// olderDictionary is what older programs call places in a dictionary.
const olderDictionary format.Encoding = 2

// part is the number of rows that are decoded at a time: what a few bytes of a page claim
// takes no memory before.
const part = 1 << 14

// chunk decodes a column in a row group.
type chunk struct {
	*leaf
	in       *statfile.Source
	put      func(row int, numbers []float64) // takes the numbers of a part
	textsOut *statfile.Dictionary             // for texts
	rows     int                              // wanted
	done     int                              // of these
	rounded  bool
	odd      bool // some values are no numbers

	known []float64 // the dictionary: its numbers, or the codes of its texts
	codes []uint32

	*scratch
}

// scratch is memory that each chunk and page takes anew.
type scratch struct {
	stored, plain   []byte
	levels, indices []uint32
	column, values  []float64
}

// room returns n elements, in the memory given where that has them.
func room[T any](memory []T, n int) []T {
	if cap(memory) < n {
		return make([]T, n)
	}
	return memory[:n]
}

// page decodes a page; it panics where that does not hold what it says.
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

// add adds rows; of those that are there, all without levels, the scratch has the numbers or the codes of texts.
func (c *chunk) add(levels []uint32) {
	if c.kind == statfile.Text { // codes take the places of the levels, each of which was read before
		for _, code := range spread(&c.levels, c.indices, levels, 0) {
			c.textsOut.AddCode(code)
		}
		return
	}
	c.put(c.done, spread(&c.column, c.values, levels, statfile.Missing()))
}

// spread returns values in their rows, and what stands for a missing one in the others; nil levels: there are none.
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

// take decodes the numbers of a page, and sees which there are.
func (c *chunk) take(out []float64, p *page) {
	c.rounded = c.numbers(out, p.values, p.encoding) || c.rounded
	if c.physical == format.Float || c.physical == format.Double || c.half {
		c.odd = c.odd || slices.ContainsFunc(out, func(x float64) bool { return x != x })
	}
}

// levelsOf returns what fills in for each value 1 where it is there, 0 where it is missing, and counts the former; nil
// where all are there.
func levelsOf(p *page) func(out []uint32) (present int) {
	if p.levels == nil {
		return nil
	}
	fill := (&runs{content: p.levels, width: 1}).fill
	if p.packed {
		at := 0
		fill = func(out []uint32) {
			for i := range out { // the highest bit comes first
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

// decoder returns what puts the next values that are there into the scratch: numbers, or codes of texts. Memory for
// what is decoded at once is asked for before.
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

// indexed is the decoder of a page of places in the dictionary.
func (c *chunk) indexed(p *page) func(present int) {
	var r *runs
	return func(present int) {
		if c.indices = room(c.indices, present); present > 0 {
			if r == nil { // a page without values may have no width either
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

// learn takes the values of a dictionary into ours, or as numbers.
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
