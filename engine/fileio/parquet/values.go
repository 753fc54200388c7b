package parquet

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"

	"github.com/sdcdesk/sdcdesk/engine/fileio/statfile"
)

// errPage is the error of a page that does not hold what it says.
var errPage = errors.New("a page does not hold what it says")

// numbers returns the values of a page that are not null, and whether some are
// whole numbers that a float64 cannot hold.
func (l *leaf) numbers(values encoding.Values, count int) (out []float64, rounded bool) {
	switch l.physical {
	case format.Boolean:
		out = make([]float64, count)
		bits := values.Boolean()
		for i := range out {
			out[i] = float64(bits[i/8] >> (i % 8) & 1)
		}
	case format.Int32:
		if l.unsigned {
			return converted(values.Uint32(), l.per), false
		}
		return converted(values.Int32(), l.per), false
	case format.Int64:
		if l.unsigned {
			out = converted(values.Uint64(), l.per)
			return out, inexact(values.Uint64())
		}
		return converted(values.Int64(), l.per), l.per == 1 && inexact(values.Int64())
	case format.Int96:
		for _, instant := range values.Int96() {
			const unix, day = 2440588, 86400
			nanoseconds := uint64(instant[0]) | uint64(instant[1])<<32
			out = append(out, float64(int64(instant[2])-unix)*day+float64(nanoseconds)/1e9)
		}
	case format.Float:
		return converted(values.Float(), 1), false
	case format.Double:
		return converted(values.Double(), 1), false
	default:
		return l.fromBytes(values, count), false
	}
	return out, false
}

// converted returns numbers divided by per; those that are none are missing.
func converted[T int32 | uint32 | int64 | uint64 | float32 | float64](values []T, per float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		if out[i] = float64(v); v != v {
			out[i] = statfile.Missing()
		}
	}
	if per != 1 {
		for i := range out {
			out[i] /= per
		}
	}
	return out
}

func inexact[T int64 | uint64](values []T) bool {
	const exact = 1 << 53
	for _, v := range values {
		if v > exact || v < 0 && int64(v) < -exact {
			return true
		}
	}
	return false
}

// fromBytes returns decimal numbers and those of 16 bits.
func (l *leaf) fromBytes(values encoding.Values, count int) []float64 {
	out := make([]float64, count)
	var each func(i int) []byte
	if l.physical == format.FixedLenByteArray {
		data, size := values.FixedLenByteArray()
		each = func(i int) []byte { return data[i*size : i*size+size] }
	} else {
		data, offsets := values.ByteArray()
		each = func(i int) []byte { return data[offsets[i]:offsets[i+1]] }
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(math.Round(math.Log10(l.per)))), nil)
	for i := range out {
		if l.half {
			out[i] = float16(binary.LittleEndian.Uint16(each(i)))
			continue
		}
		out[i], _ = new(big.Rat).SetFrac(signed(each(i)), scale).Float64()
	}
	return out
}

// signed returns the number of bytes in two's complement, the highest first.
func signed(content []byte) *big.Int {
	n := new(big.Int).SetBytes(content)
	if len(content) > 0 && content[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(content))))
	}
	return n
}

// float16 returns a number of 16 bits.
func float16(bits uint16) float64 {
	exponent, fraction := int(bits>>10&0x1f), float64(bits&0x3ff)
	value := math.Ldexp(fraction, -24)
	switch exponent {
	case 0:
	case 0x1f:
		if value = math.Inf(1); fraction != 0 {
			return statfile.Missing()
		}
	default:
		value = math.Ldexp(1024+fraction, exponent-25)
	}
	if bits>>15 != 0 {
		return -value
	}
	return value
}

// texts returns the values of a page or a dictionary that are not null.
func (l *leaf) texts(values encoding.Values, count int) func(i int) []byte {
	if l.physical == format.FixedLenByteArray {
		data, size := values.FixedLenByteArray()
		return func(i int) []byte { return data[i*size : i*size+size] }
	}
	data, offsets := values.ByteArray()
	if len(offsets) <= count && count > 0 {
		panic(errPage)
	}
	return func(i int) []byte { return data[offsets[i]:offsets[i+1]] }
}

// chunk decodes a column in a row group.
type chunk struct {
	*leaf
	numbersOut []float64            // of the rows of the group
	textsOut   *statfile.Dictionary // for texts
	rows       int                  // wanted of the group
	done       int
	rounded    bool

	dictionary pq.Dictionary // whose values are in one of the two
	known      []float64
	codes      []uint32
}

// page decodes a page; levels say which of its values are not null.
func (c *chunk) page(page pq.Page) error {
	values := int(page.NumValues())
	levels := page.DefinitionLevels()
	if c.optional && len(levels) != values {
		return errPage
	}
	present := values
	if c.optional {
		present = 0
		for _, level := range levels {
			present += int(level)
		}
	}
	take := min(values, c.rows-c.done)
	data := page.Data()
	if dictionary := page.Dictionary(); dictionary != nil {
		indices := data.Int32()
		if len(indices) < present {
			return errPage
		}
		if err := c.learn(dictionary); err != nil {
			return err
		}
		for _, index := range indices[:present] {
			if index < 0 || int(index) >= dictionary.Len() {
				return errPage
			}
		}
		c.indexed(levels, indices, take)
	} else if c.kind == statfile.Text {
		c.plainTexts(levels, c.texts(data, present), take)
	} else {
		numbers, rounded := c.numbers(data, present)
		if len(numbers) < present {
			return errPage
		}
		c.rounded = c.rounded || rounded
		c.plainNumbers(levels, numbers, take)
	}
	c.done += take
	return nil
}

// learn takes the values of a dictionary into ours, or as numbers.
func (c *chunk) learn(dictionary pq.Dictionary) error {
	if c.dictionary == dictionary {
		return nil
	}
	c.dictionary = dictionary
	n := dictionary.Len()
	data := dictionary.Page().Data()
	if c.kind != statfile.Text {
		c.known, c.rounded = c.numbers(data, n)
		if len(c.known) < n {
			return errPage
		}
		return nil
	}
	text := c.texts(data, n)
	c.codes = make([]uint32, n)
	for i := range c.codes {
		c.codes[i] = c.textsOut.Code(string(text(i)))
	}
	return nil
}

// indexed adds rows that point into the dictionary.
func (c *chunk) indexed(levels []byte, indices []int32, take int) {
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

func (c *chunk) plainTexts(levels []byte, text func(i int) []byte, take int) {
	next := 0
	for row := range take {
		if levels != nil && levels[row] == 0 {
			c.textsOut.AddMissing()
			continue
		}
		c.textsOut.Add(text(next))
		next++
	}
}

func (c *chunk) plainNumbers(levels []byte, numbers []float64, take int) {
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
