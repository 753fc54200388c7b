package minimal

import (
	"cmp"
	"math/bits"
	"slices"
)

// compatible finds the rows compatible with given codes: on every variable equal or missing on one side. A row has a
// place; per variable and category there is one bit per place. Places are in the order of rows that are alike, so most
// of the file is passed over by 64 times 64 places: a second bit table tells which words of the first are not empty.
type compatible struct {
	rows  *rows
	at    []uint32 // per row: its place + 1; 0 for none
	row   []uint32 // per place
	room  int      // places there is room for
	table []placeTable
	exact []int // variables of which several categories share a bit table

	terms []term // reused
	order []int  // variables, those missing in the fewest rows first; reused
}

// placeTable holds the places by category of one variable. Category 0 is missing.
type placeTable struct {
	buckets uint32     // categories are taken modulo this
	places  [][]uint64 // per bucket, and one for missing: one bit per place
	blocks  [][]uint64 // the same: one bit per word of places that is not 0
	size    []int      // the same: places
}

// bucket returns the list that a code is in.
func (t *placeTable) bucket(code uint32) uint32 {
	if code == 0 {
		return 0
	}
	return 1 + (code-1)%t.buckets
}

// term is what one variable of a question lets through: the places with its category or none.
type term struct {
	places, without            []uint64
	placeBlocks, withoutBlocks []uint64
	size                       int
}

const (
	maxTableBits = 1 << 30 // bounds the size of the bit tables
	mostBuckets  = 255
	leastRoom    = 1 << 10 // places to spare
)

// Which rows are looked for.
const (
	anyRow     = uint32(iota)
	complete   // without a missing value
	incomplete // with one
)

// newCompatible makes the tables of all rows that have records. The last table is that of completeness.
func newCompatible(r *rows) *compatible {
	c := &compatible{rows: r}
	c.arrange()
	return c
}

// arrange gives every row with records a place anew.
func (c *compatible) arrange() {
	c.row = c.row[:0]
	for row, count := range c.rows.count {
		if count > 0 {
			c.row = append(c.row, uint32(row))
		}
	}
	c.sort()
	live := c.row
	c.room = len(live) + max(leastRoom, len(live)/2)
	c.row = make([]uint32, 0, c.room)
	c.at = slices.Grow(c.at[:0], len(c.rows.count))[:len(c.rows.count)]
	clear(c.at)
	c.clear()
	for _, row := range live {
		c.add(row)
	}
}

// sort puts rows with few missing values first, since they change least, and then alike ones together.
func (c *compatible) sort() {
	q := c.rows.p.variables()
	missing := make([]int, q)
	for _, row := range c.row {
		for set := c.rows.blank[row]; set != 0; set &= set - 1 {
			missing[bits.TrailingZeros64(set)]++
		}
	}
	c.order = c.order[:0]
	for v := range q {
		c.order = append(c.order, v)
	}
	slices.SortStableFunc(c.order, func(a, b int) int { return missing[a] - missing[b] })
	slices.SortFunc(c.row, func(a, b uint32) int {
		x, y := c.rows.blank[a], c.rows.blank[b]
		if x != y {
			return cmp.Or(bits.OnesCount64(x)-bits.OnesCount64(y), cmp.Compare(x, y))
		}
		first, second := c.rows.of(a), c.rows.of(b)
		for _, v := range c.order {
			if first[v] != second[v] {
				return cmp.Compare(first[v], second[v])
			}
		}
		return cmp.Compare(a, b)
	})
}

// clear makes empty tables.
func (c *compatible) clear() {
	levels := append(slices.Clone(c.rows.p.Levels), 2)
	words := (c.room + 63) / 64
	most := max(1, min(mostBuckets, maxTableBits/(64*words*len(levels)+1)))
	c.table, c.exact = make([]placeTable, len(levels)), c.exact[:0]
	for v, n := range levels {
		t := &c.table[v]
		t.buckets = uint32(max(1, min(n, most)))
		if n > most {
			c.exact = append(c.exact, v)
		}
		t.size = make([]int, t.buckets+1)
		for range t.buckets + 1 {
			t.places = append(t.places, make([]uint64, words))
			t.blocks = append(t.blocks, make([]uint64, (words+63)/64))
		}
	}
}

// add gives a row a place unless it has one.
func (c *compatible) add(row uint32) {
	for len(c.at) <= int(row) {
		c.at = append(c.at, 0)
	}
	if c.at[row] != 0 {
		return
	}
	if len(c.row) == c.room {
		c.arrange() // which gives it one, since it has records
		return
	}
	place := len(c.row)
	c.row = append(c.row, row)
	c.at[row] = uint32(place + 1)
	for v, code := range c.rows.of(row) {
		c.table[v].enter(code, place)
	}
	c.table[len(c.table)-1].enter(completeness(c.rows.blank[row]), place)
}

// completeness returns the category of a set of missing variables.
func completeness(blank uint64) uint32 {
	if blank == 0 {
		return complete
	}
	return incomplete
}

// enter notes the code at a place.
func (t *placeTable) enter(code uint32, place int) {
	b := t.bucket(code)
	t.places[b][place>>6] |= 1 << (place & 63)
	t.blocks[b][place>>12] |= 1 << (place >> 6 & 63)
	t.size[b]++
}

// each calls visit for every row with records, of those looked for, that is compatible with the codes, in the order of
// places, until visit returns false. It must not be called by visit.
func (c *compatible) each(codes []uint32, which uint32, visit func(row uint32) bool) {
	c.ask(codes, which)
	for b := range (c.room + 4095) / 4096 {
		words := ^uint64(0)
		for i := range c.terms {
			if words &= c.terms[i].placeBlocks[b] | c.terms[i].withoutBlocks[b]; words == 0 {
				break
			}
		}
		for ; words != 0; words &= words - 1 {
			w := b<<6 + bits.TrailingZeros64(words)
			if w<<6 >= len(c.row) {
				return
			}
			if !c.visit(w, codes, visit) {
				return
			}
		}
	}
}

// visit visits the compatible rows of one word of places.
func (c *compatible) visit(w int, codes []uint32, visit func(row uint32) bool) bool {
	found := ^uint64(0)
	for i := range c.terms {
		if found &= c.terms[i].places[w] | c.terms[i].without[w]; found == 0 {
			return true
		}
	}
	for ; found != 0; found &= found - 1 {
		place := w<<6 + bits.TrailingZeros64(found)
		if place >= len(c.row) {
			return true
		}
		if row := c.row[place]; c.rows.count[row] > 0 && c.agree(row, codes) && !visit(row) {
			return false
		}
	}
	return true
}

// ask sets the terms, the most selective first.
func (c *compatible) ask(codes []uint32, which uint32) {
	c.terms = c.terms[:0]
	for v, code := range codes {
		if code != 0 {
			c.require(&c.table[v], code)
		}
	}
	if which != anyRow {
		c.require(&c.table[len(c.table)-1], which)
	}
	slices.SortStableFunc(c.terms, func(a, b term) int { return a.size - b.size })
}

// require adds the term of a code.
func (c *compatible) require(t *placeTable, code uint32) {
	b := t.bucket(code)
	c.terms = append(c.terms, term{t.places[b], t.places[0], t.blocks[b], t.blocks[0], t.size[b] + t.size[0]})
}

// agree reports whether a row is compatible on the variables whose bit tables do not tell.
func (c *compatible) agree(row uint32, codes []uint32) bool {
	for _, v := range c.exact {
		x, y := c.rows.code(row, v), codes[v]
		if x != y && x != 0 && y != 0 {
			return false
		}
	}
	return true
}
