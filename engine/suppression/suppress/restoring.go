package suppress

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

// restoring gives cells back that need not be blank. It serves the rules under
// which a blank counts for nobody else, conservative and own category: a value
// given back takes nothing from records whose own stay as they are, but from
// those that were like the one that gets it.
type restoring struct {
	combinations []combination
	own          bool       // missing is a category of its own
	rows         parts      // what is done to the distinct keys, untouched records included
	codes        [][]uint32 // per variable and distinct key, 0 for missing
	strata       []uint32   // per distinct key: its stratum; nil: there is one
}

// restores reports whether cells can be given back under the rule.
func (s *solving) restores() bool {
	rule := protection(s.rule())
	return rule == minimal.Conservative || rule == minimal.OwnCategory
}

// eachRestored calls give with the variables, dearest first, until none of them
// gives anything back.
func (s *solving) eachRestored(give func(variable int) (given bool, err error)) error {
	order := slices.Clone(s.ranks.order)
	slices.Reverse(order)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.ranks.price[b], s.ranks.price[a]) })
	for idle := 0; ; {
		for _, v := range order {
			given, err := give(v)
			if err != nil {
				return err
			}
			if idle++; given {
				idle = 0
			}
			if idle == len(order) {
				return nil
			}
		}
	}
}

// restored is what is known while values of one variable are given back.
type restored struct {
	keys    []*sharedKeys // one for each combination with the variable
	without []int         // rows that have lost it
	place   []int         // per row: its place in without
}

// mostCounted is the number of rows in combinations that are counted at most:
// where they are more, cells stay blank.
const mostCounted = 1 << 25

// begin counts the records that share keys with the rows that have lost a
// variable.
func (r *restoring) begin(ctx context.Context, variable int) (*restored, error) {
	s := &restored{place: make([]int, len(r.rows))}
	for row := range r.rows {
		if r.rows[row].set>>variable&1 == 1 && r.rows[row].count > 0 {
			s.place[row] = len(s.without)
			s.without = append(s.without, row)
		}
	}
	for _, c := range r.combinations {
		if c.set>>variable&1 == 1 {
			s.keys = append(s.keys, &sharedKeys{combination: c, restoring: r, variables: crosstable.Variables(c.set), numbers: make(map[string]int32)})
		}
	}
	if len(s.without) == 0 || len(s.keys)*len(r.rows) > mostCounted {
		return &restored{}, ctx.Err()
	}
	return s, parallel.Each(ctx, len(s.keys), func(i int) error { s.keys[i].count(s.without, 1<<variable); return nil })
}

// try gives so many records of each of the rows their value back, unless a record
// violates then.
func (s *restored) try(rows []int, records int) bool {
	for _, c := range s.keys { // most fail here, at no cost
		if it := &c.rows[s.place[rows[0]]]; !c.enough(it.to, records*len(rows)) {
			return false
		}
	}
	for i, c := range s.keys {
		c.move(s, rows, records)
		if slices.ContainsFunc(rows, func(row int) bool { return !c.holds(&c.rows[s.place[row]]) }) {
			for _, done := range s.keys[:i+1] {
				done.move(s, rows, -records)
			}
			return false
		}
	}
	return true
}

// spare returns how many records can leave the keys of a row while some stay.
func (s *restored) spare(row, records int) int {
	for _, c := range s.keys {
		it := &c.rows[s.place[row]]
		in := c.identical[it.from]
		switch {
		case !c.own && (c.present[it.from] == 0 || it.complete):
			continue // those that leave still agree with those that stay
		case !c.own:
			in += c.agreeing[it.from]
		}
		records = min(records, max(0, in-c.k))
	}
	return records
}

// sharedKeys counts, within one combination, the records that share their key
// with rows that have lost a variable: as they are, and as they would be with it.
type sharedKeys struct {
	combination
	*restoring
	variables []int
	text      []byte // reused by spell

	numbers   map[string]int32 // per key, spelled out: its place in what follows
	present   []uint64         // the variables that have values
	identical []int            // records with the same key
	agreeing  []int            // complete records that agree with an incomplete key
	masks     []uint64         // those of present that say which complete records agree, each once
	rows      []restoredRow
}

// restoredRow has the keys of a row without the value and with it.
type restoredRow struct {
	key      uint32
	from, to int32
	complete bool // with it
}

// count finds the keys of the rows without the value, and counts the records that
// share them.
func (c *sharedKeys) count(without []int, variable uint64) {
	c.rows = make([]restoredRow, len(without))
	for i, row := range without {
		p := c.restoring.rows[row]
		from, to := c.number(p.key, p.set), c.number(p.key, p.set&^variable)
		c.rows[i] = restoredRow{p.key, from, to, c.present[to] == c.set}
	}
	for _, p := range c.restoring.rows {
		key, present := c.spell(p.key, p.set)
		if at, ok := c.numbers[string(key)]; ok {
			c.identical[at] += int(p.count)
		}
		if present == c.set {
			c.join(p.key, int(p.count))
		}
	}
}

// spell returns the codes of a key without the variables of a set, and those that
// have values. The text is the same until the next is asked for.
func (c *sharedKeys) spell(key uint32, without uint64) (text []byte, present uint64) {
	text = c.text[:0]
	if c.strata != nil {
		text = binary.NativeEndian.AppendUint32(text, c.strata[key])
	}
	for _, v := range c.variables {
		code := uint32(0)
		if without>>v&1 == 0 {
			code = c.codes[v][key]
		}
		if code != 0 {
			present |= 1 << v
		}
		text = binary.NativeEndian.AppendUint32(text, code)
	}
	c.text = text
	return text, present
}

// number returns the place of a key, a new one if need be.
func (c *sharedKeys) number(key uint32, without uint64) int32 {
	text, present := c.spell(key, without)
	at, ok := c.numbers[string(text)]
	if !ok {
		at = int32(len(c.numbers))
		c.numbers[string(text)] = at
		c.identical, c.agreeing, c.present = append(c.identical, 0), append(c.agreeing, 0), append(c.present, present)
		if !c.own && present != 0 && present != c.set && !slices.Contains(c.masks, present) {
			c.masks = append(c.masks, present)
		}
	}
	return at
}

// join adds complete records to the keys that they agree with.
func (c *sharedKeys) join(key uint32, records int) {
	for _, present := range c.masks {
		text, _ := c.spell(key, ^present)
		if at, ok := c.numbers[string(text)]; ok {
			c.agreeing[at] += records
		}
	}
}

// move gives the value to so many records of each of the rows, or takes it again.
func (c *sharedKeys) move(s *restored, rows []int, records int) {
	for _, row := range rows {
		it := &c.rows[s.place[row]]
		c.identical[it.from] -= records
		if c.identical[it.to] += records; it.complete {
			c.join(it.key, records)
		}
	}
}

// holds reports whether no record violates that has the key of a row without the
// value or with it.
func (c *sharedKeys) holds(it *restoredRow) bool {
	return c.protected(it.from) && c.protected(it.to)
}

// protected reports whether the records with a key do not violate.
func (c *sharedKeys) protected(at int32) bool { return c.identical[at] == 0 || c.enough(at, 0) }

// enough reports whether records with a key do not violate when there are so many
// more of them. One that is missing everywhere is like all others.
func (c *sharedKeys) enough(at int32, more int) bool {
	return c.identical[at]+c.agreeing[at]+more >= c.k || !c.own && c.present[at] == 0
}
