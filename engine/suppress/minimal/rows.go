package minimal

import (
	"math/bits"
	"slices"
)

// rows holds the distinct keys of the file as suppressed so far, and finds those compatible with a given one. Rows are
// added and lose or gain records; one without records stays in its place.
type rows struct {
	p       *Problem
	entries *census  // row numbers are those of its groups
	blank   []uint64 // per row: its missing variables
	codes   []uint32 // codes[row*q : row*q+q]
	count   []int64  // per row: records
	full    uint64

	tabled []int        // variables with a bit table
	other  []int        // variables without: too many categories
	table  [][][]uint64 // per variable and code: the rows with that code, one bit each
	found  []uint64     // reused
}

// maxTableBits bounds the size of the bit tables.
const maxTableBits = 1 << 30

// newRows makes a table that is to hold about capacity rows.
func newRows(p *Problem, keys *packing, capacity int) *rows {
	r := &rows{p: p, entries: newCensus(keys), full: p.full(), table: make([][][]uint64, p.variables())}
	byLevels := make([]int, p.variables())
	for v := range byLevels {
		byLevels[v] = v
	}
	slices.SortStableFunc(byLevels, func(a, b int) int { return p.Levels[a] - p.Levels[b] })
	room := int64(maxTableBits)
	for _, v := range byLevels {
		room -= int64(p.Levels[v]+1) * int64(capacity+256) // a slice header counts as 256 bits
		if room < 0 {
			r.other = append(r.other, v)
			continue
		}
		r.tabled = append(r.tabled, v)
		r.table[v] = make([][]uint64, p.Levels[v]+1)
	}
	return r
}

// row returns the row of a key with the variables of set missing, if there is one.
func (r *rows) row(key uint32, set uint64) (uint32, bool) { return r.entries.find(key, set) }

// add moves count records into the row of key with set missing, and returns it.
func (r *rows) add(key uint32, set uint64, count int64) uint32 {
	row := r.entries.enter(key, set)
	if int(row) == len(r.count) {
		r.count = append(r.count, 0)
		r.blank = append(r.blank, set)
		for v, column := range r.p.Codes {
			code := column[key]
			if set>>v&1 == 1 {
				code = 0
			}
			r.codes = append(r.codes, code)
			if r.table[v] != nil {
				r.table[v][code] = setBit(r.table[v][code], row)
			}
		}
	}
	r.count[row] += count
	return row
}

// withdraw removes the last row, which has no records.
func (r *rows) withdraw() {
	last := uint32(len(r.count) - 1)
	for v, table := range r.table {
		if table != nil {
			table[r.code(last, v)][last>>6] &^= 1 << (last & 63)
		}
	}
	r.entries.withdraw()
	r.count, r.blank = r.count[:last], r.blank[:last]
	r.codes = r.codes[:int(last)*r.p.variables()]
}

// setBit sets a bit, lengthening the words to hold it.
func setBit(words []uint64, at uint32) []uint64 {
	for len(words) <= int(at>>6) {
		words = append(words, 0)
	}
	words[at>>6] |= 1 << (at & 63)
	return words
}

// code returns the code of a row on a variable, 0 where it is missing.
func (r *rows) code(row uint32, v int) uint32 { return r.codes[int(row)*r.p.variables()+v] }

// compatible calls visit for every row with records that is compatible with row, itself included, in ascending order,
// until visit returns false.
func (r *rows) compatible(row uint32, visit func(other uint32) bool) {
	words := (len(r.count) + 63) / 64
	r.found = append(r.found[:0], make([]uint64, words)...)
	found := r.found
	for w := range found {
		found[w] = ^uint64(0)
	}
	for _, v := range r.tabled {
		if code := r.code(row, v); code != 0 {
			keepEither(found, r.table[v][code], r.table[v][0])
		}
	}
	for w, word := range found {
		for ; word != 0; word &= word - 1 {
			other := uint32(w<<6 + bits.TrailingZeros64(word))
			if int(other) >= len(r.count) {
				return
			}
			if r.count[other] > 0 && r.agree(row, other) && !visit(other) {
				return
			}
		}
	}
}

// keepEither clears the bits of found that are set in neither a nor b, which may be shorter or longer.
func keepEither(found, a, b []uint64) {
	if len(a) < len(b) {
		a, b = b, a
	}
	both, one := min(len(b), len(found)), min(len(a), len(found))
	for w, word := range b[:both] {
		found[w] &= a[w] | word
	}
	for w := both; w < one; w++ {
		found[w] &= a[w]
	}
	clear(found[one:])
}

// agree reports whether two rows are compatible on the variables without a bit table.
func (r *rows) agree(a, b uint32) bool {
	for _, v := range r.other {
		x, y := r.code(a, v), r.code(b, v)
		if x != y && x != 0 && y != 0 {
			return false
		}
	}
	return true
}
