package parquet

import (
	"encoding/binary"
	"math"
)

// bitsAt returns the number of width bits at a bit offset, lowest bits first.
func bitsAt(content []byte, bit, width int) uint64 {
	at, shift := bit/8, bit%8
	var low uint64
	if at+8 <= len(content) {
		low = binary.LittleEndian.Uint64(content[at:])
	} else {
		for i, b := range content[at:] {
			low |= uint64(b) << (8 * i)
		}
	}
	low >>= shift
	if shift+width > 64 {
		low |= uint64(content[at+8]) << (64 - shift)
	}
	return low & (math.MaxUint64 >> (64 - width))
}

// uvarint decodes a variable-length integer, and returns the rest.
func uvarint(content []byte) (uint64, []byte) {
	value, n := binary.Uvarint(content)
	if n <= 0 {
		panic(errPage)
	}
	return value, content[n:]
}

// runs decodes numbers of at most 32 bits in the RLE and bit-packing hybrid encoding. It decodes in parts, because
// a run of a few bytes may have any length.
type runs struct {
	content []byte
	width   int
	left    uint64 // numbers left in the run
	value   uint32 // value of an RLE run
	packed  []byte // numbers of a bit-packed run
	at      int    // bit offset in packed
}

// fill fills out; it panics if there are too few numbers.
func (r *runs) fill(out []uint32) {
	for len(out) > 0 {
		if r.left == 0 {
			r.open()
		}
		here := out[:min(r.left, uint64(len(out)))]
		if r.left -= uint64(len(here)); r.packed == nil {
			for i := range here {
				here[i] = r.value
			}
		} else {
			if (r.at+len(here)*r.width+7)/8 > len(r.packed) {
				panic(errPage)
			}
			r.unpack(here)
		}
		out = out[len(here):]
	}
}

// unpack fills out with packed numbers, which must exist.
func (r *runs) unpack(out []uint32) {
	packed, mask := r.packed[:cap(r.packed)], uint32(1<<r.width-1) // bits beyond are masked
	at, width, within := uint(r.at), uint(r.width), 8*uint(max(0, len(packed)-7))
	r.at += len(out) * r.width
	i := 0
	for ; i < len(out) && at < within; i++ { // the number is within the eight bytes read
		out[i] = uint32(binary.LittleEndian.Uint64(packed[at>>3:])>>(at&7)) & mask
		at += width
	}
	for ; i < len(out); i++ {
		out[i] = uint32(bitsAt(r.packed, int(at), r.width))
		at += width
	}
}

// open begins the next run.
func (r *runs) open() {
	if r.width > 32 {
		panic(errPage)
	}
	head, content := uvarint(r.content)
	r.value, r.packed, r.at, r.left = 0, nil, 0, head>>1
	if head&1 == 0 {
		bytes := (r.width + 7) / 8
		for i := range bytes {
			r.value |= uint32(content[i]) << (8 * i)
		}
		r.content = content[bytes:]
		return
	}
	end := len(content)
	if r.width > 0 && r.left <= uint64(end/r.width) {
		end = int(r.left) * r.width
	}
	r.packed, r.content, r.left = content[:end], content[end:], 8*min(r.left, 1<<40)
	if r.width == 0 {
		r.packed, r.content = nil, content
	}
}

// mostInBlock is the maximum size of a delta block; programs write 128 or 256.
const mostInBlock = 1 << 16

// deltas decodes integers in delta encoding, and returns the rest of content. Those of 32 bits wrap around.
func deltas(content []byte, count, bits int) (out []int64, rest []byte) {
	if count == 0 && len(content) == 0 {
		return nil, nil
	}
	block, content := uvarint(content)
	minis, content := uvarint(content)
	total, content := uvarint(content)
	first, n := binary.Varint(content)
	if n <= 0 || total != uint64(count) || minis == 0 || block > mostInBlock || block%(8*minis) != 0 || block == 0 {
		panic(errPage)
	}
	content = content[n:]
	wrapped := func(x int64) int64 { return x << (64 - bits) >> (64 - bits) }
	out = make([]int64, 0, count)
	each := int(block / minis)
	for last := first; len(out) < count; {
		if len(out) == 0 {
			out = append(out, first)
			continue
		}
		least, n := binary.Varint(content)
		if n <= 0 {
			panic(errPage)
		}
		widths := content[n : n+int(minis)]
		content = content[n+int(minis):]
		for _, width := range widths {
			here := min(each, count-len(out))
			if here == 0 {
				break
			}
			if width > 64 || (here*int(width)+7)/8 > len(content) {
				panic(errPage)
			}
			for i := range here {
				last = wrapped(last + least + int64(bitsAt(content, i*int(width), int(width))))
				out = append(out, last)
			}
			content = content[min(each*int(width)/8, len(content)):]
		}
	}
	return out, content
}
