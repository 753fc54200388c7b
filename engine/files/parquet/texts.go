package parquet

import (
	"encoding/binary"

	"github.com/parquet-go/parquet-go/format"
)

// byteValues iterates over byte array values.
type byteValues struct {
	content []byte
	width   int     // bytes of a value; 0 if lengths vary
	lengths []int64 // lengths; nil if each value is preceded by its length
	shared  []int64 // lengths of prefixes shared with the previous value; nil if none
	at      int
	last    []byte
	room    int // bytes that prefixes may still add to values
}

// texts returns the values of a page; it panics if they do not exist.
func (l *leaf) texts(content []byte, encoding format.Encoding, count int) *byteValues {
	v := &byteValues{content: content, width: l.width()}
	switch encoding {
	case format.DeltaLengthByteArray:
		v.width = 0
		v.lengths, v.content = deltas(content, count, 32)
	case format.DeltaByteArray:
		v.width = 0
		v.shared, v.content = deltas(content, count, 32)
		v.lengths, v.content = deltas(v.content, count, 32)
		v.room = usualPage/4 + mostShrunk/4*len(content)
	case format.ByteStreamSplit:
		if v.width == 0 {
			panic(errPage)
		}
		v.content = joined(content, v.width)
	default:
		v.content = l.plain(content, encoding)
	}
	return v
}

// next returns the next value, which is valid until the next call.
func (v *byteValues) next() []byte {
	n := v.width
	switch {
	case v.lengths != nil:
		n = int(v.lengths[v.at])
	case n == 0:
		n, v.content = int(binary.LittleEndian.Uint32(v.content)), v.content[4:]
	}
	out := v.content[:n:n]
	v.content = v.content[n:]
	if v.shared != nil {
		v.extend(int(v.shared[v.at]), out)
		out = v.last
	}
	v.at++
	return out
}

// extend builds a value from a prefix of the previous one and own. The total size is limited, because a few bytes
// could claim ever longer values.
func (v *byteValues) extend(shared int, own []byte) {
	if shared == len(v.last) && len(own) == 0 {
		return
	}
	if v.room -= shared + len(own); shared > len(v.last) || v.room < 0 {
		panic(errPage)
	}
	v.last = append(v.last[:shared], own...)
}
