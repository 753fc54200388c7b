package suppress

import (
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/suppress/minimal"
)

// company counts, within one combination, the records that rows without a value
// of one of its variables are like, and those that they would be like with it.
// A cell is the sum of a row's codes times their steps, 0 for a missing value.
type company struct {
	combination
	place int // of the variable whose values may be given back
	own   bool
	steps []uint64

	slots     map[uint64]int32 // per cell: its place in what follows
	values    []uint64         // the sets of places that have values in the cells, each once
	identical []uint32         // records with the same cell
	complete  []uint32         // complete records that agree with it
	losers    []seat
}

// seat is where a row without the value stands and would stand with it.
type seat struct {
	from, to int32
	complete bool // with it
}

// mostCompany is the number of rows in combinations that are counted at most:
// where they are more, cells stay blank.
const mostCompany = 1 << 25

// companies returns the combinations with a variable, nothing counted yet; none
// where there is too much to count.
func (s *subsetSearch) companies(variable int) []*company {
	var all []*company
	for _, c := range s.combinations {
		place := slices.Index(c.variables, variable)
		if place < 0 {
			continue
		}
		steps, ok := s.steps(c)
		if !ok {
			return nil
		}
		all = append(all, &company{combination: c, place: place, steps: steps, own: s.rule == minimal.OwnCategory})
	}
	if len(all)*len(s.rows) > mostCompany {
		return nil
	}
	return all
}

// steps returns what a code of each variable of a combination adds to a cell;
// ok is false where there are more cells than numbers.
func (s *subsetSearch) steps(c combination) (steps []uint64, ok bool) {
	steps = make([]uint64, len(c.variables))
	cells, over := uint64(1), uint64(0)
	for i, v := range c.variables {
		steps[i] = cells
		if over, cells = bits.Mul64(cells, uint64(s.stratum.levels[v])+1); over != 0 {
			return nil, false
		}
	}
	return steps, true
}

// count seats the losers, rows without the value, and counts the records of
// their cells.
func (c *company) count(s *subsetSearch, losers []int) {
	c.slots, c.losers = make(map[uint64]int32), make([]seat, len(losers))
	for i, row := range losers {
		cell, values := c.cell(s, row)
		with, all := cell+c.steps[c.place]*uint64(s.source(c.variables[c.place], row)), values|1<<c.place
		c.losers[i] = seat{from: c.slot(cell, values), to: c.slot(with, all), complete: c.whole(all)}
	}
	for row := range s.rows {
		cell, values := c.cell(s, row)
		if slot, ok := c.slots[cell]; ok {
			c.identical[slot] += s.rows[row].count
		}
		if c.whole(values) {
			c.join(s, row, s.rows[row].count)
		}
	}
}

// cell returns the cell of a row and the places that have values in it.
func (c *company) cell(s *subsetSearch, row int) (cell, values uint64) {
	for i, v := range c.variables {
		if code := s.codes[v][row]; code != 0 {
			cell += c.steps[i] * uint64(code)
			values |= 1 << i
		}
	}
	return cell, values
}

// slot returns the slot of a cell, a new one if need be.
func (c *company) slot(cell, values uint64) int32 {
	slot, ok := c.slots[cell]
	if !ok {
		slot = int32(len(c.slots))
		c.slots[cell] = slot
		c.identical, c.complete = append(c.identical, 0), append(c.complete, 0)
		if !slices.Contains(c.values, values) {
			c.values = append(c.values, values)
		}
	}
	return slot
}

// whole reports whether all places have values.
func (c *company) whole(values uint64) bool { return values == 1<<len(c.variables)-1 }

// join adds so many complete records of a row to the cells that they agree with.
func (c *company) join(s *subsetSearch, row int, records uint32) {
	for _, values := range c.values {
		cell := uint64(0)
		for ; values != 0; values &= values - 1 {
			i := bits.TrailingZeros64(values)
			cell += c.steps[i] * uint64(s.source(c.variables[i], row))
		}
		if slot, ok := c.slots[cell]; ok {
			c.complete[slot] += records
		}
	}
}

// holds reports whether nobody violates when so many of a loser's records have
// the value back: not these, and none of those that they leave behind.
func (c *company) holds(loser int, records uint32) bool {
	it := c.losers[loser]
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

// spare returns how many records can leave a loser's cell while some stay.
func (c *company) spare(loser int) uint32 {
	it := c.losers[loser]
	in := c.identical[it.from]
	switch {
	case !c.own && it.complete:
		return in // those that leave still agree with those that stay
	case !c.own:
		in += c.complete[it.from]
	}
	return uint32(max(0, int(in)-c.k))
}

// move gives the value back to so many records of a loser, whose row is as it
// was before.
func (c *company) move(s *subsetSearch, loser, row int, records uint32) {
	it := c.losers[loser]
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
