package parquet

import (
	"github.com/parquet-go/parquet-go/format"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// olderDictionary is what older programs call places in a dictionary.
const olderDictionary format.Encoding = 2

// chunk decodes a column in a row group.
type chunk struct {
	*leaf
	numbersOut []float64            // of the rows of the group
	textsOut   *statfile.Dictionary // for texts
	rows       int                  // wanted of the group
	done       int
	rounded    bool

	known []float64 // the dictionary: its numbers, or the codes of its texts
	codes []uint32

	*scratch
}

// scratch is memory that each chunk and page takes anew.
type scratch struct {
	column          []float64
	stored, plain   []byte
	levels, indices []uint32
	values          []float64
}

// room returns n elements, in the memory given where that has them.
func room[T any](memory []T, n int) []T {
	if cap(memory) < n {
		return make([]T, n)
	}
	return memory[:n]
}

// page decodes a page; it panics where that does not hold what it says.
func (c *chunk) page(p *page) {
	if p.dictionary {
		c.learn(p)
		return
	}
	take := min(p.count, c.rows-c.done)
	levels := c.levelsOf(p)
	present := p.count
	if levels != nil {
		present = 0
		for _, level := range levels {
			present += int(level)
		}
	}
	switch {
	case p.encoding == format.RLEDictionary || p.encoding == olderDictionary:
		c.indexed(levels, c.indicesOf(p, present), take)
	case c.kind == statfile.Text:
		c.plainTexts(levels, c.texts(p.values, p.encoding, present), take)
	case levels == nil && take == present:
		c.rounded = c.numbers(c.numbersOut[c.done:c.done+take], p.values, p.encoding) || c.rounded
	default:
		c.values = room(c.values, present)
		c.rounded = c.numbers(c.values, p.values, p.encoding) || c.rounded
		c.plainNumbers(levels, c.values, take)
	}
	c.done += take
}

// levelsOf returns for each value 1 where it is there, 0 where it is missing; nil
// where all are there.
func (c *chunk) levelsOf(p *page) []uint32 {
	if p.levels == nil {
		return nil
	}
	c.levels = room(c.levels, p.count)
	if p.packed {
		for i := range c.levels { // the highest bit comes first
			c.levels[i] = uint32(p.levels[i/8] >> (7 - i%8) & 1)
		}
		return c.levels
	}
	if head, value := uvarint(p.levels); head&1 == 0 && head>>1 >= uint64(p.count) && value[0] == 1 {
		return nil
	}
	runs(c.levels, p.levels, 1)
	return c.levels
}

// indicesOf returns places in the dictionary.
func (c *chunk) indicesOf(p *page, present int) []uint32 {
	c.indices = room(c.indices, present)
	if present == 0 {
		return nil
	}
	runs(c.indices, p.values[1:], int(p.values[0]))
	return c.indices
}

// learn takes the values of a dictionary into ours, or as numbers.
func (c *chunk) learn(p *page) {
	if p.count < 0 || p.count > len(p.values) {
		panic(errPage)
	}
	if c.kind != statfile.Text {
		c.known = make([]float64, p.count)
		c.rounded = c.numbers(c.known, p.values, p.encoding) || c.rounded
		return
	}
	texts := c.texts(p.values, p.encoding, p.count)
	c.codes = make([]uint32, p.count)
	for i := range c.codes {
		c.codes[i] = c.textsOut.Code(string(texts.next()))
	}
}

// indexed adds rows that point into the dictionary.
func (c *chunk) indexed(levels, indices []uint32, take int) {
	next := 0
	if c.kind == statfile.Text {
		for row := range take {
			if levels != nil && levels[row] == 0 {
				c.textsOut.AddMissing()
				continue
			}
			c.textsOut.AddCode(c.codes[indices[next]])
			next++
		}
		return
	}
	out := c.numbersOut[c.done:]
	for row := range take {
		if levels != nil && levels[row] == 0 {
			out[row] = statfile.Missing()
			continue
		}
		out[row] = c.known[indices[next]]
		next++
	}
}

func (c *chunk) plainTexts(levels []uint32, texts *byteValues, take int) {
	for row := range take {
		if levels != nil && levels[row] == 0 {
			c.textsOut.AddMissing()
			continue
		}
		c.textsOut.Add(texts.next())
	}
}

func (c *chunk) plainNumbers(levels []uint32, numbers []float64, take int) {
	out := c.numbersOut[c.done:]
	if levels == nil {
		copy(out[:take], numbers)
		return
	}
	next := 0
	for row := range take {
		if levels[row] == 0 {
			out[row] = statfile.Missing()
			continue
		}
		out[row] = numbers[next]
		next++
	}
}
