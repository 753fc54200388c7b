package crosstable

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// Covers finds covers of the unsafe combinations of a record: the cheapest variables that include at least one
// variable of each combination. Ties are broken by fewer variables, then by their order.
type Covers struct {
	cost  []int64 // per variable
	known map[string]Cover
}

// NewCovers returns a Covers for the given cost of each variable.
func NewCovers(cost []int64) *Covers { return &Covers{cost: cost, known: map[string]Cover{}} }

// Cover is a set of variables, and a lower bound on the cost of any cover.
type Cover struct {
	Set   uint64
	Least int64
}

// mostCovers is the maximum number of sets of variables tried for one record. Beyond it, the best one found is
// used.
const mostCovers = 20_000

// Of returns the variables to suppress for the unsafe combinations, which must be in ascending order of size.
func (c *Covers) Of(combinations []uint64) Cover {
	var least []uint64 // minimal sets
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

// apart returns a lower bound on the cost of any cover, computed from sets without common variables.
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

// coverSearch enumerates covers of sets, cheap variables first.
type coverSearch struct {
	*Covers
	sets  []uint64
	tries int
	best  uint64
	cost  int64
}

// extend adds variables to those chosen until every set is covered. It does not use barred variables, which were
// tried before.
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

// before reports whether a set of variables is preferred to another with equal cost.
func before(a, b uint64) bool {
	if n := bits.OnesCount64(a) - bits.OnesCount64(b); n != 0 {
		return n < 0
	}
	return bits.Reverse64(a) > bits.Reverse64(b)
}
