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
	values, err := c.valuesOf(p)
	levels := levelsOf(p)
	for take := min(p.count, c.rows-c.done); take > 0 && err == nil; {
		rows := min(take, part)
		present, missing := rows, []uint32(nil)
		if levels != nil {
			c.levels = room(c.levels, rows)
			missing = c.levels
			levels(missing)
			present = 0
			for _, level := range missing {
				present += int(level)
			}
		}
		values(missing, rows, present)
		c.done, take = c.done+rows, take-rows
	}
	return err
}

// take decodes the numbers of a page, and sees which there are.
func (c *chunk) take(out []float64, p *page) {
	c.rounded = c.numbers(out, p.values, p.encoding) || c.rounded
	if c.physical == format.Float || c.physical == format.Double || c.half {
		c.odd = c.odd || slices.ContainsFunc(out, func(x float64) bool { return x != x })
	}
}

// levelsOf returns what fills in for each value 1 where it is there, 0 where it is missing; nil
// where all are there.
func levelsOf(p *page) func(out []uint32) {
	if p.levels == nil {
		return nil
	}
	if p.packed {
		at := 0
		return func(out []uint32) {
			for i := range out { // the highest bit comes first
				out[i] = uint32(p.levels[at/8] >> (7 - at%8) & 1)
				at++
			}
		}
	}
	if head, value := uvarint(p.levels); head&1 == 0 && head>>1 >= uint64(p.count) && value[0] == 1 {
		return nil
	}
	r := &runs{content: p.levels, width: 1}
	return r.fill
}

// presentIn counts the values of a page that are not missing.
func (c *chunk) presentIn(p *page) (present int) {
	levels := levelsOf(p)
	if levels == nil {
		return p.count
	}
	c.levels = room(c.levels, part)
	for left := p.count; left > 0; left -= part {
		here := c.levels[:min(left, part)]
		levels(here)
		for _, level := range here {
			present += int(level)
		}
	}
	return present
}

// valuesOf returns what adds the next rows, of which so many are present; levels are nil
// where all are. What is decoded at once is asked for before.
func (c *chunk) valuesOf(p *page) (func(levels []uint32, rows, present int), error) {
	switch {
	case p.encoding == format.RLEDictionary || p.encoding == olderDictionary:
		var r *runs
		return func(levels []uint32, rows, present int) {
			if c.indices = room(c.indices, present); present > 0 {
				if r == nil {
					r = &runs{content: p.values[1:], width: int(p.values[0])}
				}
				r.fill(c.indices)
			}
			c.indexed(levels, c.indices, rows)
		}, nil
	case c.kind == statfile.Text:
		present := c.presentIn(p)
		const ofDeltas = 16
		if err := c.in.Fits(ofDeltas * int64(present)); p.encoding != format.Plain && err != nil {
			return nil, err
		}
		texts := c.texts(p.values, p.encoding, present)
		return func(levels []uint32, rows, _ int) { c.plainTexts(levels, texts, rows) }, nil
	case p.encoding == format.Plain && c.width() > 0 && c.physical != format.FixedLenByteArray:
		return func(levels []uint32, rows, present int) {
			c.values = room(c.values, present)
			c.take(c.values, p)
			p.values = p.values[present*c.width():]
			c.plainNumbers(levels, c.values, rows)
		}, nil
	}
	present := c.presentIn(p)
	if err := c.in.Fits(16 * int64(present)); err != nil {
		return nil, err
	}
	c.values = room(c.values, present)
	c.take(c.values, p)
	all := c.values
	return func(levels []uint32, rows, present int) {
		c.plainNumbers(levels, all[:present], rows)
		all = all[present:]
	}, nil
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
	texts := c.texts(p.values, p.encoding, p.count)
	c.codes = make([]uint32, p.count)
	for i := range c.codes {
		c.codes[i] = c.textsOut.Code(string(c.spelled(texts.next())))
	}
}

// indexed adds rows that point into the dictionary.
func (c *chunk) indexed(levels, indices []uint32, take int) {
	next := 0
	if c.kind == statfile.Text {
		for row := range take {
			code := uint32(0)
			if levels == nil || levels[row] != 0 {
				code = c.codes[indices[next]]
				next++
			}
			c.textsOut.AddCode(code)
		}
		return
	}
	c.column = room(c.column, take)
	for row := range take {
		if levels != nil && levels[row] == 0 {
			c.column[row] = statfile.Missing()
			continue
		}
		c.column[row] = c.known[indices[next]]
		next++
	}
	c.put(c.done, c.column)
}

// spelled returns a text as it is shown.
func (l *leaf) spelled(stored []byte) []byte {
	if l.uuid {
		return fmt.Appendf(nil, "%x-%x-%x-%x-%x", stored[:4], stored[4:6], stored[6:8], stored[8:10], stored[10:])
	}
	return stored
}

func (c *chunk) plainTexts(levels []uint32, texts *byteValues, take int) {
	for row := range take {
		if levels != nil && levels[row] == 0 {
			c.textsOut.AddMissing()
		} else {
			c.textsOut.Add(c.spelled(texts.next()))
		}
	}
}

func (c *chunk) plainNumbers(levels []uint32, numbers []float64, take int) {
	if levels == nil {
		c.put(c.done, numbers)
		return
	}
	c.column = room(c.column, take)
	next := 0
	for row := range take {
		if levels[row] == 0 {
			c.column[row] = statfile.Missing()
			continue
		}
		c.column[row] = numbers[next]
		next++
	}
	c.put(c.done, c.column)
}
