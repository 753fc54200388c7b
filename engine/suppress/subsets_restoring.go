package suppress

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/suppress/minimal"
)

// restore gives cells back that no combination needs blank, dearest variables
// first, until there are none. It serves the conservative and the own-category
// rule, under which a value given back takes nothing from records whose own
// stay as they are, but from those that were like the one that gets it.
func (s *subsetSearch) restore(ctx context.Context) error {
	order := slices.Clone(s.ranks.order)
	slices.Reverse(order)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.ranks.price[b], s.ranks.price[a]) })
	for idle := 0; ; {
		for _, v := range order {
			given, err := s.restoreVariable(ctx, v)
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

// restoreVariable gives values of one variable back, and reports whether any.
func (s *subsetSearch) restoreVariable(ctx context.Context, v int) (given bool, err error) {
	var without []int // rows that have lost the value
	for row := range s.rows {
		if s.rows[row].set>>v&1 == 1 {
			without = append(without, row)
		}
	}
	all := s.sharedKeys(v)
	if len(without) == 0 || len(all) == 0 {
		return false, nil
	}
	err = parallel.Each(ctx, len(all), func(i int) error { all[i].count(s, without); return nil })
	if err != nil {
		return false, err
	}
	for i, row := range without {
		records := restorable(all, i, s.rows[row].count)
		if records == 0 {
			continue
		}
		for _, c := range all {
			c.move(s, i, row, records)
		}
		row = s.split(row, records)
		s.rows[row].set &^= 1 << v
		s.codes[v][row] = s.source(v, row)
		given = true
	}
	return given, nil
}

// restorable returns how many of the records of a row can have the value back.
func restorable(all []*sharedKeys, at int, records uint32) uint32 {
	hold := func(records uint32) bool {
		return !slices.ContainsFunc(all, func(c *sharedKeys) bool { return !c.holds(at, records) })
	}
	if hold(records) {
		return records
	}
	for _, c := range all {
		records = min(records, c.spare(at))
	}
	if records > 0 && hold(records) {
		return records
	}
	return 0
}

// sharedKeys counts, within one combination, the records that share their key
// with rows that have lost a variable: as they are, and as they would be with it.
// A key is the sum of a row's codes times their steps, 0 for a missing value.
type sharedKeys struct {
	combination
	place int // of the variable whose values may be given back
	own   bool
	steps []uint64 // what a code of each variable adds to a key

	numbers   map[uint64]int32 // per key: its place in what follows
	present   []uint64         // the sets of places that have values in the keys, each once
	identical []uint32         // records with the same key
	complete  []uint32         // complete records that agree with it
	rows      []restoredRow
}

// restoredRow has the keys of a row without the value and with it.
type restoredRow struct {
	from, to int32
	complete bool // with it
}

// mostCounted is the number of rows in combinations that are counted at most:
// where they are more, cells stay blank.
const mostCounted = 1 << 25

// sharedKeys returns the combinations with a variable, nothing counted yet; none
// where there is too much to count, or there are more keys than numbers.
func (s *subsetSearch) sharedKeys(variable int) []*sharedKeys {
	var all []*sharedKeys
	for _, combination := range s.combinations {
		c := &sharedKeys{combination: combination, place: slices.Index(combination.variables, variable), own: s.rule == minimal.OwnCategory}
		if c.place < 0 {
			continue
		}
		keys, over := uint64(1), uint64(0)
		for _, v := range c.variables {
			c.steps = append(c.steps, keys)
			if over, keys = bits.Mul64(keys, uint64(s.stratum.levels[v])+1); over != 0 {
				return nil
			}
		}
		all = append(all, c)
	}
	if len(all)*len(s.rows) > mostCounted {
		return nil
	}
	return all
}

// count finds the keys of the rows without the value, and counts the records that
// share them.
func (c *sharedKeys) count(s *subsetSearch, without []int) {
	c.numbers, c.rows = make(map[uint64]int32), make([]restoredRow, len(without))
	for i, row := range without {
		key, present := c.key(s, row)
		with, all := key+c.steps[c.place]*uint64(s.source(c.variables[c.place], row)), present|1<<c.place
		c.rows[i] = restoredRow{from: c.number(key, present), to: c.number(with, all), complete: c.whole(all)}
	}
	for row := range s.rows {
		key, present := c.key(s, row)
		if at, ok := c.numbers[key]; ok {
			c.identical[at] += s.rows[row].count
		}
		if c.whole(present) {
			c.join(s, row, s.rows[row].count)
		}
	}
}

// key returns the key of a row and the places that have values in it.
func (c *sharedKeys) key(s *subsetSearch, row int) (key, present uint64) {
	for i, v := range c.variables {
		if code := s.codes[v][row]; code != 0 {
			key += c.steps[i] * uint64(code)
			present |= 1 << i
		}
	}
	return key, present
}

// number returns the place of a key, a new one if need be.
func (c *sharedKeys) number(key, present uint64) int32 {
	at, ok := c.numbers[key]
	if !ok {
		at = int32(len(c.numbers))
		c.numbers[key] = at
		c.identical, c.complete = append(c.identical, 0), append(c.complete, 0)
		if !slices.Contains(c.present, present) {
			c.present = append(c.present, present)
		}
	}
	return at
}

// whole reports whether all places have values.
func (c *sharedKeys) whole(present uint64) bool { return present == 1<<len(c.variables)-1 }

// join adds so many complete records of a row to the keys that they agree with.
func (c *sharedKeys) join(s *subsetSearch, row int, records uint32) {
	for _, present := range c.present {
		key := uint64(0)
		for ; present != 0; present &= present - 1 {
			i := bits.TrailingZeros64(present)
			key += c.steps[i] * uint64(s.source(c.variables[i], row))
		}
		if at, ok := c.numbers[key]; ok {
			c.complete[at] += records
		}
	}
}

// holds reports whether no record violates when so many records of a row have the
// value back: not these, and none of those that shared their key before.
func (c *sharedKeys) holds(at int, records uint32) bool {
	it := c.rows[at]
	with, behind := c.identical[it.to]+records, c.identical[it.from]-records
	if !c.own {
		joined := uint32(0)
		if it.complete {
			joined = records
		} else {
			with += c.complete[it.to]
		}
		if behind > 0 {
			behind += c.complete[it.from] + joined
		}
	}
	return int(with) >= c.k && (behind == 0 || int(behind) >= c.k)
}

// spare returns how many records can leave the key of a row while some stay.
func (c *sharedKeys) spare(at int) uint32 {
	it := c.rows[at]
	in := c.identical[it.from]
	switch {
	case !c.own && it.complete:
		return in // those that leave still agree with those that stay
	case !c.own:
		in += c.complete[it.from]
	}
	return uint32(max(0, int(in)-c.k))
}

// move gives the value back to so many records of a row, which is as it was
// before.
func (c *sharedKeys) move(s *subsetSearch, at, row int, records uint32) {
	it := c.rows[at]
	c.identical[it.from] -= records
	c.identical[it.to] += records
	if it.complete {
		c.join(s, row, records)
	}
}

// source returns the code that a row's records have in the file.
func (s *subsetSearch) source(variable, row int) uint32 {
	return s.stratum.codes[variable][s.rows[row].key]
}
