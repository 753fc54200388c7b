package inference

import (
	"math"
	"sync"
)

// Rivals of a claim: other ways to infer a category of the same cell. Those that depend on the record have a bit
// each in a showing.
const (
	byKeys  = iota // from the other visible key variables
	byFirst        // from the first variable of a pair
	bySecond
	byMost // the most frequent category overall
	rivals
)

// rivalBits is the number of bits for rivals in a showing: a row shows its cell, times 8, plus a bit for each
// rival that is right.
const rivalBits = byMost

// tally counts claims by the number of records.
type tally struct {
	claims, right int
	rivals        [rivals]int // right guesses of each rival about the same cells
}

func (t *tally) add(o tally) {
	t.claims, t.right = t.claims+o.claims, t.right+o.right
	for i := range t.rivals {
		t.rivals[i] += o.rivals[i]
	}
}

// claim is what a group claims about suppressed cells.
type claim struct {
	sure confidence
	of   uint32 // the category
}

// evidence counts the claims about suppressed cells and, leaving each out in turn, about records that have a
// value, both by sureness.
type evidence struct {
	suppressed, leftOut [probably + 1]tally
	enough              int // records with a value and enough others for a claim
}

// determines reports whether the groups determine the category: nearly all records with enough others have an
// exact and right claim.
func (e *evidence) determines() bool {
	return e.enough > 0 && float64(e.leftOut[exactly].right) >= provenShare*float64(e.enough)
}

// overall counts the right guesses of rivals about all cells, whether or not there is a claim about them.
type overall struct{ suppressed, leftOut tally }

// overall counts the right guesses of rivals about rows that have a value.
func (c *counter) overall(shown visibleCells) (all tally) {
	if shown.shift > 0 { // cells are counted already
		c.counted(c.target.counts, shown.shift)
	} else {
		for row := range shown.of.len() {
			c.add(shown.at(uint32(row)), uint32(row))
		}
	}
	for _, show := range c.shown {
		if _, suppressed := c.target.category(show >> rivalBits); !suppressed {
			all.add(c.tallied(show, false))
		}
	}
	c.forget()
	return all
}

// proven reports whether exact claims are nearly always right for records that were left out.
func (e *evidence) proven() bool {
	sure := &e.leftOut[exactly]
	return sure.claims > 0 && float64(sure.right) >= provenShare*float64(sure.claims)
}

// doubt turns exact claims into probable ones.
func doubt(tallies *[probably + 1]tally) {
	tallies[probably].add(tallies[exactly])
	tallies[exactly] = tally{}
}

// all returns the sum of exact and probable claims.
func all(tallies *[probably + 1]tally) tally {
	sum := tallies[exactly]
	sum.add(tallies[probably])
	return sum
}

// counter counts the records of one group at a time.
type counter struct {
	target  *target
	count   []int    // by showing
	shown   []uint32 // distinct showings of the group
	records []int    // by category
	present []uint32 // categories of the group
	leaders []leader // by class
	classes []uint32 // classes of the group
}

func newCounter(t *target) *counter {
	return &counter{target: t, count: make([]int, len(t.counts)<<rivalBits),
		records: make([]int, t.categories+1), leaders: make([]leader, len(t.modes))}
}

// add counts the records of a row.
func (c *counter) add(show, row uint32) {
	if show>>rivalBits == 0 {
		return
	}
	if c.count[show] == 0 {
		c.shown = append(c.shown, show)
	}
	c.count[show] += c.target.records(row)
}

// take counts a group of rows, replacing the previous group.
func (c *counter) take(rows []uint32, shown visibleCells) {
	c.forget()
	for _, row := range rows {
		c.add(shown.at(row), row)
	}
	c.lead()
}

// counted takes a group from its numbers of records by showing, shifted right by shift, replacing the previous
// group. It returns the number of records.
func (c *counter) counted(records []int, shift uint) (all int) {
	c.forget()
	for i, n := range records {
		if show := uint32(i) << shift; n > 0 && show>>rivalBits > 0 {
			c.shown, c.count[show] = append(c.shown, show), n
		}
		all += n
	}
	c.lead()
	return all
}

// lead computes the leaders of the counts.
func (c *counter) lead() {
	t := c.target
	for _, show := range c.shown {
		if category, suppressed := t.category(show >> rivalBits); !suppressed {
			if c.records[category] == 0 {
				c.present = append(c.present, category)
			}
			c.records[category] += c.count[show]
		}
	}
	for _, category := range c.present {
		class := t.classOf(category)
		if c.leaders[class].records == 0 {
			c.classes = append(c.classes, class)
		}
		c.leaders[class].add(category, c.records[category])
	}
}

func (c *counter) forget() {
	for _, show := range c.shown {
		c.count[show] = 0
	}
	for _, category := range c.present {
		c.records[category] = 0
	}
	for _, class := range c.classes {
		c.leaders[class] = leader{}
	}
	c.shown, c.present, c.classes = c.shown[:0], c.present[:0], c.classes[:0]
}

// others returns the leader among the records that can reveal a category: those of its class, without the record
// itself.
func (c *counter) others(category uint32, suppressed bool) leader {
	if suppressed {
		return c.leaders[0]
	}
	return c.leaders[c.target.classOf(category)].without(category)
}

// tally adds the group's claims about records with a value, leaving each out in turn.
func (c *counter) tally(least int, e *evidence) {
	for _, show := range c.shown {
		category, suppressed := c.target.category(show >> rivalBits)
		if suppressed {
			continue
		}
		others := c.others(category, false)
		if others.records >= least {
			e.enough += c.count[show]
		}
		if sure := others.claim(least); sure != silent {
			e.leftOut[sure].add(c.tallied(show, others.of == category))
		}
	}
}

// tallied returns the tally of a claim about the records with a showing.
func (c *counter) tallied(show uint32, right bool) tally {
	records := c.count[show]
	one := tally{claims: records}
	if right {
		one.right = records
	}
	for rival := range rivalBits {
		if show>>rival&1 == 1 {
			one.rivals[rival] = records
		}
	}
	category, suppressed := c.target.category(show >> rivalBits)
	if mode := c.target.mode(category, suppressed); category > 0 && mode.of == category {
		one.rivals[byMost] = records
	}
	return one
}

// information computes the mutual information of Z and the category over the records that have both.
type information struct {
	records   []int   // by category
	remaining float64 // entropy of the category given Z, in bits times records
}

// add adds a group.
func (s *information) add(c *counter) {
	for _, category := range c.present {
		n := c.records[category]
		s.records[category] += n
		s.remaining += bits(n, c.leaders[c.target.classOf(category)].records)
	}
}

// bits returns the mutual information in bits, or 0 without records. If there are classes, it is conditional on
// the class.
func (s *information) bits(t *target) float64 {
	classes, all, known := make([]int, len(t.modes)), 0, 0.0
	for category := uint32(1); category <= t.categories; category++ {
		classes[t.classOf(category)] += s.records[category]
		all += s.records[category]
	}
	for category := uint32(1); category <= t.categories; category++ {
		known += bits(s.records[category], classes[t.classOf(category)])
	}
	return max(0, (known-s.remaining)/float64(max(1, all)))
}

// bits returns -n log2(n / all), or 0 for n = 0.
func bits(n, all int) float64 {
	switch {
	case n == 0 || n == all:
		return 0
	case all < len(fewBits()):
		return fewBits()[all][n]
	}
	return float64(n) * math.Log2(float64(all)/float64(n))
}

// fewBits caches bits for few records, such as those of a household, by all and n.
var fewBits = sync.OnceValue(func() *[32][32]float64 {
	table := &[32][32]float64{}
	for all := range table {
		for n := 1; n < all; n++ {
			table[all][n] = float64(n) * math.Log2(float64(all)/float64(n))
		}
	}
	return table
})

// guess returns the most frequent category of the others in the group, or of all records if there are no others.
func (c *counter) guess(cell uint32) uint32 {
	category, suppressed := c.target.category(cell)
	others := c.others(category, suppressed)
	if others.records == 0 {
		others = c.target.mode(category, suppressed)
	}
	return others.of
}
