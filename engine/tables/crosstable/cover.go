package crosstable

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// Covers finds, for the unsafe combinations that a record is in, the variables
// of the least cost that have one in each of them. Of equal costs fewer
// variables count first, then those that come earlier.
type Covers struct {
	cost  []int64 // per variable
	known map[string]Cover
}

// NewCovers returns the covers for a cost per variable.
func NewCovers(cost []int64) *Covers { return &Covers{cost: cost, known: map[string]Cover{}} }

// Cover is a set of variables and what any cover costs at least.
type Cover struct {
	Set   uint64
	Least int64
}

// mostCovers is the number of sets of variables that are tried for one record;
// where that is not enough the best of them is taken.
const mostCovers = 20_000

// Of returns the variables to blank for the unsafe combinations, given in
// ascending order of their numbers of variables.
func (c *Covers) Of(combinations []uint64) Cover {
	var least []uint64 // those that hold no other
	for _, set := range combinations {
		if !slices.ContainsFunc(least, func(other uint64) bool { return set&other == other }) {
			least = append(least, set)
		}
	}
	mark := make([]byte, 0, 8*len(least))
	for _, set := range least {
		mark = binary.LittleEndian.AppendUint64(mark, set)
	}
	found, known := c.known[string(mark)]
	if !known {
		s := coverSearch{Covers: c, sets: least, tries: mostCovers, cost: math.MaxInt64}
		s.extend(0, 0)
		found = Cover{s.best, s.cost}
		if s.tries < 0 {
			found.Least = c.apart(least)
		}
		c.known[string(mark)] = found
	}
	return found
}

// apart returns what sets without a variable in common cost at least: no cover
// of them costs less.
func (c *Covers) apart(sets []uint64) int64 {
	sum, taken := int64(0), uint64(0)
	for _, set := range sets {
		if set&taken == 0 {
			cheapest := int64(math.MaxInt64)
			for rest := set; rest != 0; rest &= rest - 1 {
				cheapest = min(cheapest, c.cost[bits.TrailingZeros64(rest)])
			}
			sum += cheapest
			taken |= set
		}
	}
	return sum
}

// coverSearch goes through the covers of some sets, cheap variables first.
type coverSearch struct {
	*Covers
	sets  []uint64
	tries int
	best  uint64
	cost  int64
}

// extend adds variables to those chosen until every set has one; barred ones
// were tried before.
func (s *coverSearch) extend(chosen, barred uint64) {
	cost := s.costOf(chosen)
	if s.tries--; cost > s.cost || s.tries < 0 && s.best != 0 {
		return
	}
	open, fewest := uint64(0), math.MaxInt
	for _, set := range s.sets {
		if set&chosen != 0 {
			continue
		}
		if n := bits.OnesCount64(set &^ barred); n < fewest {
			open, fewest = set&^barred, n
		}
	}
	if fewest == math.MaxInt {
		if cost < s.cost || cost == s.cost && before(chosen, s.best) {
			s.best, s.cost = chosen, cost
		}
		return
	}
	var variables []int
	for ; open != 0; open &= open - 1 {
		variables = append(variables, bits.TrailingZeros64(open))
	}
	slices.SortStableFunc(variables, func(a, b int) int { return cmp.Compare(s.Covers.cost[a], s.Covers.cost[b]) })
	for _, v := range variables {
		s.extend(chosen|1<<v, barred)
		barred |= 1 << v
	}
}

func (s *coverSearch) costOf(set uint64) int64 {
	cost := int64(0)
	for ; set != 0; set &= set - 1 {
		cost += s.Covers.cost[bits.TrailingZeros64(set)]
	}
	return cost
}

// before reports whether a set of variables is taken rather than another of
// equal cost.
func before(a, b uint64) bool {
	if n := bits.OnesCount64(a) - bits.OnesCount64(b); n != 0 {
		return n < 0
	}
	return bits.Reverse64(a) > bits.Reverse64(b)
}
