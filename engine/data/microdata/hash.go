package microdata

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
	"slices"
	"strconv"
	"strings"
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
	writeCounts(h, c.multiplicity)
	return [32]byte(h.Sum(nil))
}

// Identity returns a digest that is the same for columns of the same name, kind, levels and codes or numbers that
// came about alike. Of what a recode made it takes time in the number of levels, and of what a suppression made a bit
// for each record.
func (c *Column) Identity() [32]byte { return c.identity() }

func (c *Column) makeIdentity() [32]byte {
	if c.numbers != nil {
		return c.hash()
	}
	h := sha256.New()
	writeString(h, c.name)
	h.Write([]byte{byte(c.kind)})
	c.dictionary().identify(h)
	writeCounts(h, c.multiplicity)
	return [32]byte(h.Sum(nil))
}

// Identity returns a digest that is the same for categories of the same labels and codes that came about alike; see
// Column.Identity.
func (c *Categories) Identity() [32]byte {
	h := sha256.New()
	c.identify(h)
	return [32]byte(h.Sum(nil))
}

func (c *Categories) identify(h hash.Hash) {
	for i := range c.Levels {
		writeString(h, c.Levels[i].Label)
	}
	c.Codes.identify(h)
}

func (c Codes) identify(h hash.Hash) {
	if c.base == nil {
		return
	}
	stored := c.base.digest()
	h.Write(stored[:])
	writeWords(h, c.mapping)
	if c.blank != nil {
		writeWords(h, c.blank.words)
	}
}

// digest returns the digest of stored codes.
func (b *base) digest() [32]byte {
	b.hashed.Do(func() {
		h := sha256.New()
		h.Write(b.narrow)
		writeWords(h, b.wide)
		b.hash = [32]byte(h.Sum(nil))
	})
	return b.hash
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
	writeWords(h, d.numbers)
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
		writeWords(h, c.suppressed.words)
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
	buffer := make([]byte, 0, 8*len(c.Levels))
	for _, level := range c.Levels {
		buffer = appendNumber(buffer, level.Value)
	}
	h.Write(buffer)
}

// writeWords writes whole numbers, many at a time.
func writeWords[T uint32 | uint64](h hash.Hash, words []T) {
	var buffer []byte
	for block := range slices.Chunk(words, parallel.Block) {
		buffer, _ = binary.Append(buffer[:0], binary.LittleEndian, block) // numbers of fixed size always have a form
		h.Write(buffer)
	}
}

// writeCounts writes numbers of records in 32 bits each, and after them the rest of those that need more.
func writeCounts(h hash.Hash, counts []int) {
	words, rest := make([]uint32, 0, len(counts)), []uint64(nil)
	for row, count := range counts {
		if words = append(words, uint32(count)); count > math.MaxUint32 {
			rest = append(rest, uint64(row), uint64(count)>>32)
		}
	}
	writeWords(h, words)
	writeWords(h, rest)
}

// appendNumber appends a number, with one bit pattern for all that stand for none.
func appendNumber(buffer []byte, value float64) []byte {
	bits := math.Float64bits(value)
	if value != value {
		bits = math.MaxUint64
	}
	return binary.LittleEndian.AppendUint64(buffer, bits)
}

func writeString(h hash.Hash, s string) {
	var size [8]byte
	binary.LittleEndian.PutUint64(size[:], uint64(len(s)))
	h.Write(size[:])
	h.Write(unsafe.Slice(unsafe.StringData(s), len(s)))
}

func hashNumbers(h hash.Hash, n *Numbers) {
	buffer, decimals := make([]byte, 0, 1<<16), n.decimalsOf()
	for i, value := range n.Values {
		buffer = append(appendNumber(buffer, value), decimals(i))
		if len(buffer) > 1<<16-16 {
			h.Write(buffer)
			buffer = buffer[:0]
		}
	}
	h.Write(buffer)
}

// decimalsOf returns a function that returns the decimals of the cell of a record; those of the first number where it
// is missing.
func (n *Numbers) decimalsOf() func(record int) uint8 {
	if n.Decimals != Shortest {
		return func(int) uint8 { return n.Decimals }
	}
	first := uint8(0)
	if at := slices.IndexFunc(n.Values, func(x float64) bool { return x == x }); at >= 0 {
		first = shortest(n.Values[at])
	}
	return func(record int) uint8 {
		if x := n.Values[record]; x == x {
			return shortest(x)
		}
		return first
	}
}

// shortest returns the fewest decimals that distinguish a number from all others.
func shortest(x float64) uint8 {
	const most, exact = 15, 1 << 53
	scale := 1.0
	for decimals := range uint8(most) {
		if whole := math.Round(x * scale); math.Abs(whole) < exact && whole/scale == x {
			return decimals
		}
		scale *= 10
	}
	_, fraction, _ := strings.Cut(strconv.FormatFloat(x, 'f', -1, 64), ".")
	return uint8(min(len(fraction), Shortest))
}

func hashCategories(h hash.Hash, c *Categories) {
	for i := range c.Levels {
		writeString(h, c.Levels[i].Label)
	}
	if codes := c.Codes; !codes.Shared() && codes.base != nil {
		h.Write(codes.base.narrow)
		writeWords(h, codes.base.wide)
		return
	}
	var buffer []byte
	for _, codes := range c.Codes.Blocks() {
		if buffer = buffer[:0]; !c.Codes.small {
			writeWords(h, codes)
			continue
		}
		for _, code := range codes {
			buffer = append(buffer, byte(code))
		}
		h.Write(buffer)
	}
}
