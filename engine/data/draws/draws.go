// Package draws says from what records draw by themselves what becomes of a variable, where the chances are the same
// for all records of a row. In a file records draw by their numbers, so that the same comes out whether it is held in
// memory or read in passes; where they have no numbers they draw by their keys.
//
//	numbers := chances.Numbers()
//	for _, row := range rowsOfRecords {
//		if at := chances.Rows[row]; at > 0 {
//			outcomes := &chances.Of[at-1]
//			fmt.Println(outcomes.Codes[outcomes.Find(numbers.Next())])
//		}
//	}
package draws

import (
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
)

// Chances are what records draw from in one variable. Each draws a whole number of 63 bits.
type Chances struct {
	Variable string
	Seed     uint64 // of the step
	Draws    uint64 // seed of the numbers: another one where values were drawn with that of the step before
	Purpose  string // of the numbers
	Rows     []uint32
	Of       []Outcomes // Rows has by row the place of its outcomes, from 1; 0: its records keep what they have
	Sample   *Sample    // which records are kept is drawn, and no variable; nil: a variable is
}

// Outcomes say what a number makes of a record: the first of Codes above whose number in Below it is not.
// Numbers ascend; the last is 2^63.
type Outcomes struct {
	Below []uint64
	Codes []uint32
}

// Find returns the place of the outcome of a number.
func (o *Outcomes) Find(number uint64) int {
	at, _ := slices.BinarySearch(o.Below, number+1)
	return at
}

// Numbers are what the records of a file draw, one after the other.
type Numbers struct {
	chances *Chances
	record  int
	stream  *rand.Rand
	keeps   func() bool // of a sample
}

// Numbers returns the numbers of the records from the first on.
func (c *Chances) Numbers() *Numbers {
	n := &Numbers{chances: c}
	if s := c.Sample; s != nil {
		n.keeps = Keeping(random.Stream(c.Draws, c.Purpose, 0), s.Of, s.Kept)
	}
	return n
}

// Next returns the number of the next record; in a sample 0 of one that is kept, and 1 of others.
func (n *Numbers) Next() uint64 {
	switch {
	case n.keeps == nil:
	case n.keeps():
		return 0
	default:
		return 1
	}
	if n.record%random.Block == 0 {
		n.stream = random.Stream(n.chances.Draws, n.chances.Purpose, n.record/random.Block)
	}
	n.record++
	return n.stream.Uint64() >> 1
}

// Secret tells the numbers of records that have no order, together with their keys.
func (c *Chances) Secret() string { return fmt.Sprintf("%s %016x ", c.Purpose, c.Draws) }

// ByKey returns the number that a record draws whose key has a text: the first 64 bits of md5 of both, without the
// highest.
func ByKey[T string | []byte](secret string, key T) uint64 {
	sum := md5.Sum(append(append(make([]byte, 0, 128), secret...), key...))
	return binary.BigEndian.Uint64(sum[:]) & math.MaxInt64
}

// Drawn returns the column with other codes, which were drawn anew in the step; its values as they are stored where no
// code changed.
func (c *Chances) Drawn(column *microdata.Column, codes microdata.Codes) *microdata.Column {
	was := column.Categories()
	for row := range codes.Len() {
		if codes.At(row) != was.Codes.At(row) {
			return column.WithCodes(codes).DrawnWith(c.Seed)
		}
	}
	return column.DrawnWith(c.Seed)
}

// Counts draws for so many records at a time, and returns how many have each outcome. They have the law of as
// many numbers drawn one by one, of which no more bits are drawn than tell the outcomes apart.
func (o *Outcomes) Counts(records int, stream *rand.Rand) []int {
	counts := make([]int, len(o.Below))
	o.count(counts, records, 0, 1<<63, stream)
	return counts
}

// fewRecords draw their numbers one by one.
const fewRecords = 16

// count counts records whose numbers lie in an interval of a power of two from a multiple of it on.
func (o *Outcomes) count(counts []int, records int, from, width uint64, stream *rand.Rand) {
	first, last := o.Find(from), o.Find(from+width-1)
	switch {
	case first == last:
		counts[first] += records
	case records <= fewRecords:
		for range records {
			counts[o.Find(from+stream.Uint64N(width))]++
		}
	default:
		upper := half(records, stream)
		o.count(counts, records-upper, from, width/2, stream)
		o.count(counts, upper, from+width/2, width/2, stream)
	}
}

// half returns for how many of so many records a bit is set.
func half(records int, stream *rand.Rand) (set int) {
	for ; records >= 64; records -= 64 {
		set += bits.OnesCount64(stream.Uint64())
	}
	return set + bits.OnesCount64(stream.Uint64()>>(64-records))
}
