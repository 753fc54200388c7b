package parquet

import (
	"encoding/binary"

	"github.com/parquet-go/parquet-go/format"
)

// byteValues are values of bytes, one after the other.
type byteValues struct {
	content []byte
	width   int     // of each; 0: their lengths say it
	lengths []int64 // nil: each has its own before it
	shared  []int64 // bytes that start as those of the value before; nil: none
	at      int
	last    []byte
	room    int // bytes that values may still have, made of those before them
}

// texts returns the values of a page; it panics where they are not there.
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

// next returns the next value, which is good until the one after it.
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

// extend makes a value of the start of the one before it and of bytes of its own. A
// few bytes may claim values that each are longer than the one before.
func (v *byteValues) extend(shared int, own []byte) {
	if shared == len(v.last) && len(own) == 0 {
		return
	}
	if v.room -= shared + len(own); shared > len(v.last) || v.room < 0 {
		panic(errPage)
	}
	v.last = append(v.last[:shared], own...)
}
