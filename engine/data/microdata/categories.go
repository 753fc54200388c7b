package microdata

import (
	"math"
	"sync"
)

// Level is one category of a variable.
type Level struct {
	Label string  // spelling in the file, or the name given by a recode
	Value float64 // numeric value of the label, or NaN
}

// NumberLevel reports whether the label is a number.
func (l Level) NumberLevel() bool { return !math.IsNaN(l.Value) }

// Categories is the dictionary form of a column: its levels in their order and one code per row. Labels are unique
// and not empty.
type Categories struct {
	Levels  []Level
	Codes   Codes
	Ordered bool // the order of the levels is meaningful: numbers that are not codes, intervals

	multiplicity []int     // records that each row stands for; nil if one each
	made         *recoding // the recode that made these categories; nil if none

	once   sync.Once
	counts []int
}

// Counts returns the number of records by code: Counts()[0] is the number of
// missing cells, Counts()[c] that of level c-1. The result is shared and must
// not be modified.
func (c *Categories) Counts() []int {
	c.once.Do(func() {
		if c.multiplicity == nil {
			c.counts = c.Codes.Counts(len(c.Levels) + 1)
			return
		}
		c.counts = make([]int, len(c.Levels)+1)
		for first, codes := range c.Codes.Blocks() {
			for i, code := range codes {
				c.counts[code] += c.multiplicity[first+i]
			}
		}
	})
	return c.counts
}

// Multiplicity returns the number of records that each row stands for, or nil if one each. It must not be
// modified.
func (c *Categories) Multiplicity() []int { return c.multiplicity }

// Records returns the number of records, including those with a missing value.
func (c *Categories) Records() int { return recordsOf(c.multiplicity, c.Codes.Len()) }

// Sums returns the sum of the weights of the rows by code, as Counts does for records.
func (c *Categories) Sums(weights []float64) []float64 {
	sums := make([]float64, len(c.Levels)+1)
	for first, codes := range c.Codes.Blocks() {
		for i, code := range codes {
			sums[code] += weights[first+i]
		}
	}
	return sums
}

// Occurring returns the number of levels that occur in the records.
func (c *Categories) Occurring() int {
	occurring := 0
	for _, count := range c.Counts()[1:] {
		if count > 0 {
			occurring++
		}
	}
	return occurring
}

// Smallest returns the number of records of the rarest level that occurs, or 0 if every cell is missing.
func (c *Categories) Smallest() int {
	smallest := 0
	for _, count := range c.Counts()[1:] {
		if count > 0 && (smallest == 0 || count < smallest) {
			smallest = count
		}
	}
	return smallest
}

// CodeOf returns the code of the level with the given label.
func (c *Categories) CodeOf(label string) (code uint32, ok bool) {
	for i := range c.Levels {
		if c.Levels[i].Label == label {
			return uint32(i + 1), true
		}
	}
	return 0, false
}

// SameLabels returns, for each code of levels, the code in others of the level with the same label, or else with
// the same number; 0 if there is none, and for missing.
func SameLabels(levels, others []Level) []uint32 {
	codes, numbers := make(map[string]uint32, len(others)), make(map[float64]uint32)
	for i, level := range others {
		codes[level.Label] = uint32(i + 1)
		if level.NumberLevel() {
			numbers[level.Value] = uint32(i + 1)
		}
	}
	same := make([]uint32, len(levels)+1)
	for i, level := range levels {
		if same[i+1] = codes[level.Label]; same[i+1] == 0 {
			same[i+1] = numbers[level.Value]
		}
	}
	return same
}

// Entropy returns the entropy of the distribution of categories in bits, without missing values.
func (c *Categories) Entropy() float64 {
	n, sum := 0, 0.0
	for _, count := range c.Counts()[1:] {
		n += count
	}
	for _, count := range c.Counts()[1:] {
		if count > 0 {
			share := float64(count) / float64(n)
			sum -= float64(share * math.Log2(share))
		}
	}
	return sum + 0 // avoids -0
}
