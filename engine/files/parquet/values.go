package parquet

import (
	"encoding/binary"
	"math"
	"math/big"

	"github.com/parquet-go/parquet-go/format"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// width returns the bytes of a fixed-length value, or 0.
func (l *leaf) width() int {
	switch l.physical {
	case format.Int32, format.Float:
		return 4
	case format.Int64, format.Double:
		return 8
	case format.Int96:
		return 12
	case format.FixedLenByteArray:
		return l.length
	default:
		return 0
	}
}

// joined undoes byte stream splitting, in which the first bytes of all values precede the second bytes and so on.
func joined(content []byte, width int) []byte {
	n := len(content) / width
	out := make([]byte, n*width)
	for i := range n {
		for j := range width {
			out[i*width+j] = content[j*n+i]
		}
	}
	return out
}

// numbers fills out with values of a page; it panics if they do not exist. It reports whether some are integers
// that float64 does not represent exactly.
func (l *leaf) numbers(out []float64, content []byte, encoding format.Encoding) (rounded bool) {
	switch {
	case l.physical == format.Boolean:
		truths(out, content, encoding)
		return false
	case l.physical == format.ByteArray || l.physical == format.FixedLenByteArray:
		l.ofBytes(out, content, encoding)
		return false
	case encoding == format.DeltaBinaryPacked && (l.physical == format.Int32 || l.physical == format.Int64):
		all, _ := deltas(content, len(out), 8*l.width())
		for i, x := range all {
			out[i] = l.whole(x)
			rounded = rounded || l.rounds(x)
		}
	default:
		rounded = l.fixed(out, l.plain(content, encoding))
	}
	if l.per != 1 {
		for i := range out {
			out[i] /= l.per
		}
	}
	return rounded
}

// plain returns fixed-length values in plain encoding.
func (l *leaf) plain(content []byte, encoding format.Encoding) []byte {
	switch encoding {
	case format.Plain:
		return content
	case format.ByteStreamSplit:
		return joined(content, l.width())
	default:
		panic(errPage)
	}
}

// whole returns a stored integer with the bits and sign of the column.
func (l *leaf) whole(x int64) float64 {
	switch {
	case !l.unsigned:
		return float64(x)
	case l.physical == format.Int32:
		return float64(uint32(x))
	default:
		return float64(uint64(x))
	}
}

// rounds reports whether float64 does not represent a 64-bit integer exactly, except for times and decimal
// numbers.
func (l *leaf) rounds(x int64) bool {
	const exact = 1 << 53
	switch {
	case l.physical != format.Int64:
		return false
	case l.unsigned:
		return uint64(x) > exact
	default:
		return l.per == 1 && (x > exact || x < -exact)
	}
}

// fixed fills out with fixed-length numbers; see numbers.
func (l *leaf) fixed(out []float64, content []byte) (rounded bool) {
	content = content[:len(out)*l.width()]
	switch l.physical {
	case format.Int32:
		for i := range out {
			out[i] = l.whole(int64(int32(binary.LittleEndian.Uint32(content[4*i:]))))
		}
	case format.Int64:
		for i := range out {
			x := int64(binary.LittleEndian.Uint64(content[8*i:]))
			out[i] = l.whole(x)
			rounded = rounded || l.rounds(x)
		}
	case format.Int96:
		for i := range out {
			const unix, day = 2440588, 86400
			instant := content[12*i:]
			days, nanoseconds := int32(binary.LittleEndian.Uint32(instant[8:])), binary.LittleEndian.Uint64(instant)
			out[i] = float64(int64(days)-unix)*day + float64(nanoseconds)/1e9
		}
	case format.Float:
		for i := range out {
			out[i] = orMissing(float64(math.Float32frombits(binary.LittleEndian.Uint32(content[4*i:]))))
		}
	case format.Double:
		for i := range out {
			out[i] = orMissing(math.Float64frombits(binary.LittleEndian.Uint64(content[8*i:])))
		}
	}
	return rounded
}

// orMissing returns a number, with NaN converted to the missing value.
func orMissing(x float64) float64 {
	if x != x {
		return statfile.Missing()
	}
	return x
}

// truths fills out with truth values.
func truths(out []float64, content []byte, encoding format.Encoding) {
	switch encoding {
	case format.Plain:
		for i := range out {
			out[i] = float64(content[i/8] >> (i % 8) & 1)
		}
	case format.RLE:
		packed := make([]uint32, min(len(out), part))
		r := runs{content: content[4:][:binary.LittleEndian.Uint32(content)], width: 1}
		for len(out) > 0 {
			here := packed[:min(len(packed), len(out))]
			r.fill(here)
			for i, truth := range here {
				out[i] = float64(truth)
			}
			out = out[len(here):]
		}
	default:
		panic(errPage)
	}
}

// ofBytes fills out with decimal or half-precision numbers.
func (l *leaf) ofBytes(out []float64, content []byte, encoding format.Encoding) {
	values := l.texts(content, encoding, len(out))
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(math.Round(math.Log10(l.per)))), nil)
	for i := range out {
		if l.half {
			out[i] = float16(binary.LittleEndian.Uint16(values.next()))
			continue
		}
		out[i], _ = new(big.Rat).SetFrac(signed(values.next()), scale).Float64()
	}
}

// signed decodes a big-endian two's complement integer.
func signed(content []byte) *big.Int {
	n := new(big.Int).SetBytes(content)
	if len(content) > 0 && content[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(content))))
	}
	return n
}

// float16 decodes a half-precision number.
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
