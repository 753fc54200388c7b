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

// Hash returns a digest of the names, levels, codes and numbers of all columns: equal data produced by equal steps
// has equal hashes on every machine. Digests of columns are cached, so only changed columns cost time.
func (d *Dataset) Hash() [32]byte {
	digests := make([][32]byte, len(d.columns))
	const workers = 4
	// The context is never cancelled, so there is no error.
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

// Identity returns a digest that is equal for columns with the same name, kind, levels, stored codes or numbers,
// and recodes. After a recode it takes time in the number of levels, after a suppression in one bit per record.
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

// Identity returns a digest that is equal for categories with the same labels, stored codes and recodes; see
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
	if c.missing != nil {
		writeWords(h, c.missing.words)
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

// Lineage returns a digest of the data that steps depend on but Hash leaves out: source values, values that
// recodes start from, suppressed cells, order and numbers of categories, origin, changed descriptions, and record
// numbers in the source. If hashes and lineages of two datasets are equal, equal steps produce equal datasets.
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

// writeScale writes the order and the numeric values of the levels.
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

// writeWords writes integers in blocks.
func writeWords[T uint32 | uint64](h hash.Hash, words []T) {
	var buffer []byte
	for block := range slices.Chunk(words, parallel.Block) {
		buffer, _ = binary.Append(buffer[:0], binary.LittleEndian, block) // cannot fail for fixed-size integers
		h.Write(buffer)
	}
}

// writeCounts writes each count in 32 bits, followed by the high bits of those that need more.
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

// appendNumber appends a number, with the same bits for every NaN.
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

// decimalsOf returns a function that returns the decimals of a record's cell; those of the first number if it is
// missing.
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

// shortest returns the fewest decimals that distinguish a number from all other float64 values.
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
