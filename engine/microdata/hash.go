package microdata

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
	"unsafe"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Hash returns a digest of names, levels, codes and numbers of all columns:
// equal data that came about by equal steps have equal hashes on every
// machine. Digests of columns are kept, so that only changed columns cost.
func (d *Dataset) Hash() [32]byte {
	digests := make([][32]byte, len(d.columns))
	const workers = 4
	// Without a context that ends there is no error.
	_ = parallel.Tasks(context.Background(), len(d.columns), workers, func(_, column int) {
		digests[column] = d.columns[column].Hash()
	})
	h := sha256.New()
	for i := range digests {
		h.Write(digests[i][:])
	}
	return [32]byte(h.Sum(nil))
}

// Hash returns the digest of the column; see Dataset.Hash.
func (c *Column) Hash() [32]byte { return c.hash() }

func (c *Column) makeHash() [32]byte {
	h := sha256.New()
	writeString(h, c.name)
	h.Write([]byte{byte(c.kind)})
	if c.numbers != nil {
		hashNumbers(h, c.numbers)
	} else {
		hashCategories(h, c.dictionary())
	}
	for _, records := range c.multiplicity {
		h.Write(binary.LittleEndian.AppendUint32(nil, records))
	}
	return [32]byte(h.Sum(nil))
}

// Lineage returns a digest of what Hash leaves out and steps go by: the source
// values, those that recodes start from, which cells were suppressed, whether
// categories are ordered and which number each stands for, the marks of its origin, how codes are written
// where a recode changed that, and the numbers of the records in the source. Equal hashes and equal lineages make
// equal steps give equal datasets.
func (d *Dataset) Lineage() [32]byte {
	h := sha256.New()
	for _, column := range d.columns {
		digest := column.lineage()
		h.Write(digest[:])
	}
	writeEach(h, len(d.numbers), func(dst []byte, i int) []byte { return binary.LittleEndian.AppendUint32(dst, d.numbers[i]) })
	return [32]byte(h.Sum(nil))
}

func (c *Column) makeLineage() [32]byte {
	if c.source == nil && c.origin == 0 {
		return [32]byte{}
	}
	h := sha256.New()
	source, start := c.Source().Hash(), c.start().Hash()
	h.Write(append(source[:], start[:]...))
	h.Write([]byte{byte(c.origin)})
	if c.suppressed != nil {
		words := c.suppressed.words
		writeEach(h, len(words), func(dst []byte, i int) []byte { return binary.LittleEndian.AppendUint64(dst, words[i]) })
	}
	if c.numbers == nil {
		c.dictionary().writeScale(h)
	}
	if c.description != c.Source().description {
		c.description.write(h)
	}
	return [32]byte(h.Sum(nil))
}

// writeScale writes the order and the numbers of the levels.
func (c *Categories) writeScale(h hash.Hash) {
	if c.Ordered {
		h.Write([]byte{1})
	}
	writeEach(h, len(c.Levels), func(dst []byte, i int) []byte { return appendNumber(dst, c.Levels[i].Value) })
}

// writeEach writes to a digest what add appends for each of n things.
func writeEach(h hash.Hash, n int, add func(dst []byte, i int) []byte) {
	const most = 16 // bytes of one
	buffer := make([]byte, 0, min(1<<16, most*n))
	for i := range n {
		if len(buffer) > cap(buffer)-most {
			h.Write(buffer)
			buffer = buffer[:0]
		}
		buffer = add(buffer, i)
	}
	h.Write(buffer)
}

// appendNumber appends the bits of a number, one pattern for all that are none.
func appendNumber(dst []byte, value float64) []byte {
	bits := math.Float64bits(value)
	if value != value {
		bits = math.MaxUint64
	}
	return binary.LittleEndian.AppendUint64(dst, bits)
}

func writeString(h hash.Hash, s string) {
	var size [8]byte
	binary.LittleEndian.PutUint64(size[:], uint64(len(s)))
	h.Write(size[:])
	h.Write(unsafe.Slice(unsafe.StringData(s), len(s)))
}

func hashNumbers(h hash.Hash, n *Numbers) {
	writeEach(h, len(n.Values), func(dst []byte, i int) []byte { return append(appendNumber(dst, n.Values[i]), n.decimals(i)) })
}

func hashCategories(h hash.Hash, c *Categories) {
	for i := range c.Levels {
		writeString(h, c.Levels[i].Label)
	}
	if c.Codes.narrow != nil {
		h.Write(c.Codes.narrow)
		return
	}
	writeEach(h, c.Codes.Len(), func(dst []byte, i int) []byte { return binary.LittleEndian.AppendUint32(dst, c.Codes.At(i)) })
}
