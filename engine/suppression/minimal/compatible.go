package minimal

import (
	"math/bits"
	"slices"
)

// compatible finds the rows compatible with given codes: equal, or missing in one of the two, on every variable.
// Each variable and category has a bit table with one bit per row. A second table has one bit per non-empty word
// of the first, so that blocks of 64 by 64 rows are skipped; this works best if similar rows are adjacent.
type compatible struct {
	rows    *rows
	entered int   // number of rows entered
	order   []int // variables in descending order of their number of categories: the most selective first
	// per variable: the rows with a missing value, then per bucket of categories the rows that have one of them
	table [][]bitTable
	kinds [2]bitTable   // the incomplete rows and the complete rows, judged on these variables
	terms [][2]bitTable // reused
}

// kind selects complete rows, incomplete rows, or both.
type kind int

const (
	incomplete kind = iota
	complete
	anyKind
)

// bitTable is a set of rows.
type bitTable struct{ rows, words []uint64 }

const (
	maxTableBits = 1 << 30 // limit on the size of the bit tables
	mostBuckets  = 255
)

// newCompatible indexes all rows. Variables outside within must be missing in all of them.
func newCompatible(r *rows, within uint64) *compatible {
	c := &compatible{rows: r, table: make([][]bitTable, r.p.variables())}
	most := max(1, min(mostBuckets, maxTableBits/(1+len(r.size)*r.p.variables())))
	for v, levels := range r.p.Levels {
		if within>>v&1 == 1 {
			c.order = append(c.order, v)
			c.table[v] = make([]bitTable, 1+max(1, min(levels, most)))
		}
	}
	slices.SortStableFunc(c.order, func(a, b int) int { return r.p.Levels[b] - r.p.Levels[a] })
	c.enter()
	return c
}

// enter indexes the rows added since the last call.
func (c *compatible) enter() {
	for ; c.entered < len(c.rows.size); c.entered++ {
		at := c.entered
		codes, as := c.rows.of(uint32(at)), complete
		for _, v := range c.order {
			if at%64 == 0 {
				widen(c.table[v], at)
			}
			c.bucket(v, codes[v]).enter(at)
			if codes[v] == 0 {
				as = incomplete
			}
		}
		if at%64 == 0 {
			widen(c.kinds[:], at)
		}
		c.kinds[as].enter(at)
	}
}

// enter adds a row to the set.
func (t bitTable) enter(at int) {
	t.rows[at>>6] |= 1 << (at & 63)
	t.words[at>>12] |= 1 << (at >> 6 & 63)
}

// widen makes room in tables for 64 more rows, from row at on.
func widen(tables []bitTable, at int) {
	for i := range tables {
		t := &tables[i]
		t.rows = append(t.rows, 0)
		t.words = append(t.words, 0)[:at>>12+1]
	}
}

// bucket returns the rows with the given category. Categories share buckets if there are many of them.
func (c *compatible) bucket(v int, code uint32) bitTable {
	if code > 0 {
		code = 1 + (code-1)%uint32(len(c.table[v])-1)
	}
	return c.table[v][code]
}

// each calls visit for every non-empty row of a kind that is compatible with the codes, until visit returns false.
// visit must not call each.
func (c *compatible) each(of kind, codes []uint32, visit func(row uint32) bool) {
	c.terms = c.terms[:0]
	for _, v := range c.order {
		if codes[v] != 0 {
			c.terms = append(c.terms, [2]bitTable{c.bucket(v, codes[v]), c.table[v][0]})
		}
	}
	if of != anyKind {
		c.terms = append(c.terms, [2]bitTable{c.kinds[of], c.kinds[of]})
	}
	for at := range (c.entered + 4095) / 4096 {
		words := ^uint64(0)
		for i := range c.terms {
			if words &= c.terms[i][0].words[at] | c.terms[i][1].words[at]; words == 0 {
				break
			}
		}
		for ; words != 0; words &= words - 1 {
			if w := at<<6 + bits.TrailingZeros64(words); w<<6 >= c.entered || !c.visit(w, codes, visit) {
				return
			}
		}
	}
}

// visit calls visit for the compatible rows of one word.
func (c *compatible) visit(w int, codes []uint32, visit func(row uint32) bool) bool {
	found := ^uint64(0)
	for i := range c.terms {
		if found &= c.terms[i][0].rows[w] | c.terms[i][1].rows[w]; found == 0 {
			return true
		}
	}
	for ; found != 0; found &= found - 1 {
		row := uint32(w<<6 + bits.TrailingZeros64(found))
		if int(row) < c.entered && c.rows.size[row] > 0 && c.agree(row, codes) && !visit(row) {
			return false
		}
	}
	return true
}

// agree reports whether a row is compatible with codes. The bit tables are only a filter.
func (c *compatible) agree(row uint32, codes []uint32) bool {
	for v, code := range c.rows.of(row) {
		if code != codes[v] && code != 0 && codes[v] != 0 {
			return false
		}
	}
	return true
}
