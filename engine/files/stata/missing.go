package stata

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// The values of "." by storage type; .a to .z follow in steps of 1, for float and double in steps of the bits.
// Below 113, only the last value of a type is missing.
const (
	missingByte       = 101
	missingInt        = 32741
	missingLong       = 2147483621
	missingFloatBits  = 0x7f000000
	missingDoubleBits = 0x7fe0000000000000
	stepFloat         = 0x800
	stepDouble        = 0x10000000000

	oldMissingDouble = 0x54c0000000000000 // 2^333, in formats 104 and 105
	tagsFrom         = 113
)

// missingAt returns the missing value at a place after ".".
func missingAt(place uint64) float64 {
	if place >= 1 && place <= 26 {
		return statfile.Extended('a' + byte(place) - 1)
	}
	return statfile.Missing()
}

// whole returns the value of an integer type; first is the value of ".", and last the only missing value of old
// formats.
func (l *layout) whole(value, first, last int32) float64 {
	switch {
	case l.version < tagsFrom && value == last:
		return statfile.Missing()
	case l.version >= tagsFrom && value >= first:
		return missingAt(uint64(value) - uint64(first))
	default:
		return float64(value)
	}
}

func (l *layout) float(bits uint32) float64 {
	if bits&0x7fffffff < missingFloatBits {
		return float64(math.Float32frombits(bits))
	}
	if l.version < tagsFrom || bits>>31 != 0 || (bits-missingFloatBits)%stepFloat != 0 {
		return unusual(float64(math.Float32frombits(bits)), bits>>31 != 0)
	}
	return missingAt(uint64(bits-missingFloatBits) / stepFloat)
}

func (l *layout) double(bits uint64) float64 {
	if l.version <= 105 && bits == oldMissingDouble {
		return statfile.Missing()
	}
	if bits&(1<<63-1) < missingDoubleBits {
		return math.Float64frombits(bits)
	}
	if l.version < tagsFrom || bits>>63 != 0 || (bits-missingDoubleBits)%stepDouble != 0 {
		return unusual(math.Float64frombits(bits), bits>>63 != 0)
	}
	return missingAt((bits - missingDoubleBits) / stepDouble)
}

// unusual returns a value outside Stata's range: large negative numbers, which other programs write, are numbers;
// all others are missing.
func unusual(value float64, negative bool) float64 {
	if negative && !math.IsInf(value, 0) && !math.IsNaN(value) {
		return value
	}
	return statfile.Missing()
}
