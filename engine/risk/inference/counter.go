package inference

import (
	"math"
	"sync"
)

// The rivals of a claim: what else reveals a category of the same cell. Those that go by
// the record have a bit each in what a row shows.
const (
	byKeys  = iota // the other visible key variables
	byFirst        // the first variable of a pair
	bySecond
	byMost // the most frequent category of all
	rivals
)

// rivalBits is the number of bits of rivals in what a row shows: its cell, times 8, and a
// bit for each rival that is right of it.
const rivalBits = byMost

// tally counts claims, in records.
type tally struct {
	claims, right int
	rivals        [rivals]int // right ones of each rival about the same cells
}

func (t *tally) add(o tally) {
	t.claims, t.right = t.claims+o.claims, t.right+o.right
	for i := range t.rivals {
		t.rivals[i] += o.rivals[i]
	}
}

// claim is what a group claims of suppressed cells.
type claim struct {
	sure sureness
	of   uint32 // the category
}

// evidence counts what was claimed of suppressed cells, and of records that have a value by
// leaving each out, both by sureness.
type evidence struct {
	suppressed, leftOut [probably + 1]tally
	enough              int // records that have a value, and enough others of whom something could be claimed
}

// determines reports whether the category follows from what the groups are made by: nearly all records that
// have enough others are claimed exactly, and rightly.
func (e *evidence) determines() bool {
	return e.enough > 0 && float64(e.leftOut[exactly].right) >= provenShare*float64(e.enough)
}

// overall counts what the rivals reveal of all cells, whether or not something is claimed of
// them.
type overall struct{ suppressed, leftOut tally }

// overall counts what rows that have a value show.
func (c *counter) overall(shown showing) (all tally) {
	if shown.shift > 0 { // these are counted already
		c.counted(c.target.counts, shown.shift)
	} else {
		for row := range shown.of {
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

// proven reports whether exact claims are: those of records that were left out.
func (e *evidence) proven() bool {
	sure := &e.leftOut[exactly]
	return sure.claims > 0 && float64(sure.right) >= provenShare*float64(sure.claims)
}

// doubt makes exact claims probable ones.
func doubt(tallies *[probably + 1]tally) {
	tallies[probably].add(tallies[exactly])
	tallies[exactly] = tally{}
}

// all returns the claims of both kinds together.
func all(tallies *[probably + 1]tally) tally {
	sum := tallies[exactly]
	sum.add(tallies[probably])
	return sum
}

// counter counts the records of one group after the other.
type counter struct {
	target  *target
	count   []int    // by what is shown
	shown   []uint32 // of the group, each once
	records []int    // by category
	present []uint32 // categories of the group
	leaders []leader // by class
	classes []uint32 // of the group
}

func newCounter(t *target) *counter {
	return &counter{target: t, count: make([]int, len(t.counts)<<rivalBits),
		records: make([]int, t.categories+1), leaders: make([]leader, len(t.modes))}
}

// add counts the records of a row by what it shows.
func (c *counter) add(show, row uint32) {
	if show>>rivalBits == 0 {
		return
	}
	if c.count[show] == 0 {
		c.shown = append(c.shown, show)
	}
	c.count[show] += c.target.records(row)
}

// take counts a group of rows; it forgets the one before.
func (c *counter) take(rows []uint32, shown showing) {
	c.forget()
	for _, row := range rows {
		c.add(shown.at(row), row)
	}
	c.lead()
}

// counted takes a group by its records by what is shown, shifted; it forgets the one before, and returns the number of
// records.
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

// lead finds the leaders of what is counted.
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

// others returns the leader of those that can reveal a category: in its class, without the
// record itself.
func (c *counter) others(category uint32, suppressed bool) leader {
	if suppressed {
		return c.leaders[0]
	}
	return c.leaders[c.target.classOf(category)].without(category)
}

// tally adds what the group claims of records that have a value, each left out.
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

// tallied returns the claim on the records that show something.
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

// information sums up what Z reveals of the categories of the records that have both.
type information struct {
	records   []int   // by category
	remaining float64 // what is not known of them given Z, in bits times records
}

// add adds a group.
func (s *information) add(c *counter) {
	for _, category := range c.present {
		n := c.records[category]
		s.records[category] += n
		s.remaining += bits(n, c.leaders[c.target.classOf(category)].records)
	}
}

// bits returns the mutual information, of categories of one class; 0 without records.
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

// bits returns -n log2(n / all); 0 for no records.
func bits(n, all int) float64 {
	switch {
	case n == 0 || n == all:
		return 0
	case all < len(fewBits()):
		return fewBits()[all][n]
	}
	return float64(n) * math.Log2(float64(all)/float64(n))
}

// fewBits are the bits of few records, such as those of a household, by all and n.
var fewBits = sync.OnceValue(func() *[32][32]float64 {
	table := &[32][32]float64{}
	for all := range table {
		for n := 1; n < all; n++ {
			table[all][n] = float64(n) * math.Log2(float64(all)/float64(n))
		}
	}
	return table
})

// guess returns the most frequent category of the others in the group, or where there are none that of all records.
func (c *counter) guess(cell uint32) uint32 {
	category, suppressed := c.target.category(cell)
	others := c.others(category, suppressed)
	if others.records == 0 {
		others = c.target.mode(category, suppressed)
	}
	return others.of
}
