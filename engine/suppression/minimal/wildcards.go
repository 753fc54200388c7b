package minimal

import (
	"math/bits"
	"slices"
)

// Under rules that count a missing value as any category, also for other records, a record is safe once it is
// compatible with k records, including itself. With alpha 1, suppressing a cell never lowers a frequency, so
// choosing cells is a covering problem. With a lower alpha, and under CategorySize, records need at least the
// cells that they need with alpha 1.

// Limits on the work under rules that count wildcards, so that results are the same on every machine.
const (
	wildVisits    = 1 << 23 // records visited for the bound, and for the exact search
	wildVariables = 10      // with more variables, sets are not enumerated
	wildRecords   = 64      // with more records, there is no exact search
)

// wildcardBound returns a lower bound on the price of any solution under a rule that counts wildcards.
//
// It is the value of a feasible solution of the dual of the covering problem: every record that a violating
// complete key still needs to be compatible with has the same multiplier. A record that loses variables becomes
// compatible only with violators that agree with it on its remaining variables, and needs no further records
// itself.
func (e *enumeration) wildcardBound() int64 {
	p, table := e.p, groupTable{keys: e.keys}
	patterns := make(map[uint64][]uint32) // keys by the variables missing from the start
	for key, set := range e.missing {
		patterns[set] = append(patterns[set], uint32(key))
	}
	if p.variables() > wildVariables || int64(len(e.in.bundles)+len(patterns))<<p.variables() > wildVisits {
		return 0
	}
	violators, needed, most := e.needing(patterns, &table)
	bound := infinite
	for set := range p.full() + 1 {
		price := infinite // of making a record miss exactly this set
		for lacking := range patterns {
			if lacking&^set == 0 && lacking != set {
				price = min(price, p.price(set&^lacking))
			}
		}
		if price < infinite {
			table.reset(set, len(violators))
			count := most + slices.Max(append(table.count(p, violators), 0))
			bound = min(bound, (needed*price+count-1)/max(1, count))
		}
	}
	if needed == 0 {
		return 0
	}
	step := p.priceStep()
	return (bound + step - 1) / step * step
}

// needing returns the complete keys that violate, the total number of further compatible records that their
// records need, and the maximum that one record needs.
func (e *enumeration) needing(patterns map[uint64][]uint32, table *groupTable) (violators []uint32, needed, most int64) {
	need := make(map[uint32]int64)
	for _, key := range patterns[0] {
		if count := e.p.Count[key]; count < e.p.K {
			need[key] = int64(e.p.K - count)
		}
	}
	for set, keys := range patterns {
		if set == 0 {
			continue
		}
		table.reset(set, len(keys))
		counts := table.count(e.p, keys)
		for key := range need {
			if g := table.find(table.code(key), key); g != unassigned {
				need[key] -= counts[g]
			}
		}
	}
	for _, key := range patterns[0] {
		if n := need[key]; n > 0 {
			violators, needed, most = append(violators, key), needed+n*int64(e.p.Count[key]), max(most, n)
		}
	}
	return violators, needed, most
}

// count adds keys to an empty table and returns the number of records of each group.
func (t *groupTable) count(p *Problem, keys []uint32) (records []int64) {
	for _, key := range keys {
		g := t.enter(key)
		if int(g) == len(records) {
			records = append(records, 0)
		}
		records[g] += int64(p.Count[key])
	}
	return records
}

// wildcardSearch finds the cheapest suppression of few records after which each is compatible with k records. It
// is a depth-first branch and bound, repeated for ascending prices.
type wildcardSearch struct {
	p       *Problem
	price   []int64    // per set of variables
	key     []uint32   // per record
	present []uint64   // per record: variables that are not missing
	barred  []uint64   // per record: variables that it keeps, because suppressing them was already tried
	differ  [][]uint64 // per pair of records: variables on which both have values and these differ
	slack   []int64    // reused: per record and set of variables
	visits  int64
}

// cell identifies a variable of a record.
type cell struct{ record, variable int }

// wildcardOptimum searches for the cheapest solution with alpha 1, at prices from bound up to, but excluding,
// known. It returns the choices if it finds one, and the lower bound that is then proven.
func (e *enumeration) wildcardOptimum(bound, known int64) ([]choice, int64) {
	n := e.p.records()
	if n > wildRecords || e.p.variables() > wildVariables {
		return nil, bound
	}
	s := newWildcardSearch(e.p, e.missing)
	for ; bound < known; bound += e.p.priceStep() {
		if s.solve(bound) {
			choices := make([]choice, n)
			for i, key := range s.key {
				choices[i] = choice{key: key, set: e.p.full() &^ s.present[i], count: 1}
			}
			return gather(choices), bound
		}
		if s.visits < 0 {
			break
		}
	}
	return nil, bound
}

func newWildcardSearch(p *Problem, missing []uint64) *wildcardSearch {
	s := &wildcardSearch{p: p, visits: p.share(wildVisits)}
	for set := range p.full() + 1 {
		s.price = append(s.price, p.price(set))
	}
	for key, count := range p.Count {
		for range count {
			s.key, s.present = append(s.key, uint32(key)), append(s.present, p.full()&^missing[key])
		}
	}
	s.barred, s.slack = make([]uint64, len(s.key)), make([]int64, len(s.key)*len(s.price))
	for i, key := range s.key {
		s.differ = append(s.differ, make([]uint64, len(s.key)))
		for j, other := range s.key {
			for set := s.present[i] & s.present[j]; set != 0; set &= set - 1 {
				if v := bits.TrailingZeros64(set); p.Codes[v][key] != p.Codes[v][other] {
					s.differ[i][j] |= 1 << v
				}
			}
		}
	}
	return s
}

// solve reports whether suppressing cells of price rest is enough; if so, these cells are suppressed.
func (s *wildcardSearch) solve(rest int64) bool {
	need, bound := s.bound()
	switch {
	case bound > rest || s.visits < 0:
		return false
	case bound == 0:
		return true
	}
	var cells []cell
	for i, n := range need {
		if n > 0 {
			if some := s.cells(i, rest); cells == nil || len(some) < len(cells) {
				cells = some
			}
		}
	}
	for _, c := range cells {
		if s.try(c, rest) {
			return true
		}
		s.barred[c.record] |= 1 << c.variable
	}
	for _, c := range cells {
		s.barred[c.record] &^= 1 << c.variable
	}
	return false
}

// try suppresses a cell and reports whether a solution contains it.
func (s *wildcardSearch) try(c cell, rest int64) bool {
	bit, was := uint64(1)<<c.variable, slices.Clone(s.differ[c.record])
	s.present[c.record] &^= bit
	for j, set := range was {
		s.differ[c.record][j], s.differ[j][c.record] = set&^bit, set&^bit
	}
	if s.solve(rest - s.price[bit]) {
		return true
	}
	s.present[c.record] |= bit
	for j, set := range was {
		s.differ[c.record][j], s.differ[j][c.record] = set, set
	}
	return false
}

// bound returns how many more records each record needs to be compatible with, and a lower bound on the price of
// that: the value of a dual solution as in wildcardBound, improved by raising the multipliers of one record after
// the other.
func (s *wildcardSearch) bound() (need []int64, bound int64) {
	n, sets := len(s.key), len(s.price)
	need, sum := make([]int64, n), int64(0)
	for i := range need {
		need[i] = int64(s.p.K)
		for _, differ := range s.differ[i] {
			need[i] -= int64(1 - min(1, differ))
		}
		need[i] = max(0, need[i])
		sum += need[i]
	}
	if sum == 0 {
		return need, 0
	}
	s.visits -= int64(n * n)
	least := s.weigh(need)
	if least == infinite {
		return need, infinite // no record can lose a cell
	}
	for j := range n {
		for set := range sets {
			s.slack[j*sets+set] = s.price[set]*wildScale - least*s.slack[j*sets+set]
		}
	}
	sum *= least
	for i, n := range need {
		if n > 0 {
			sum += n * s.raise(i, n)
		}
	}
	return need, max(1, (sum+wildScale-1)/wildScale)
}

// weigh sets slack to the number of needs that each record would meet, its own and those of others, with each set
// of variables suppressed. It returns the largest multiplier that all can share.
func (s *wildcardSearch) weigh(need []int64) int64 {
	sets, least := len(s.price), infinite
	for j, differ := range s.differ {
		gains := s.slack[j*sets : (j+1)*sets]
		clear(gains)
		for i, n := range need {
			if n > 0 && differ[i] != 0 {
				gains[differ[i]]++
			}
		}
		for bit := 1; bit < sets; bit *= 2 {
			for set := range gains {
				if set&bit != 0 {
					gains[set] += gains[set^bit]
				}
			}
		}
		for set := 1; set < sets; set++ {
			if gains[set] += need[j]; gains[set] > 0 && uint64(set)&^s.open(j) == 0 {
				least = min(least, s.price[set]*wildScale/gains[set])
			}
		}
	}
	return least
}

// open returns the variables that a record can lose.
func (s *wildcardSearch) open(record int) uint64 { return s.present[record] &^ s.barred[record] }

// raise raises the multiplier of a record as far as possible and returns the increase.
func (s *wildcardSearch) raise(record int, need int64) int64 {
	sets, by := len(s.price), infinite
	each := func(visit func(slack *int64, gain int64)) {
		for j, differ := range s.differ[record] {
			gain := int64(1)
			if j == record {
				gain = need
			} else if differ == 0 {
				continue
			}
			rest := s.open(j) &^ differ
			if differ&^s.open(j) != 0 {
				continue
			}
			for more := rest; ; more = (more - 1) & rest {
				if set := differ | more; set != 0 {
					visit(&s.slack[j*sets+int(set)], gain)
				}
				if more == 0 {
					break
				}
			}
		}
	}
	each(func(slack *int64, gain int64) { by = min(by, *slack/gain) })
	if by == infinite {
		return s.price[sets-1] * int64(len(s.key)) * wildScale // no suppression helps
	}
	each(func(slack *int64, gain int64) { *slack -= by * gain })
	return by
}

// wildScale is the number of units per unit of price in which multipliers are counted.
const wildScale = 1 << 16

// cells lists cells of which any solution suppresses at least one for a record: its own, then one of each record
// that becomes compatible with it without suppressing these. Of identical records only the first is listed.
func (s *wildcardSearch) cells(record int, rest int64) (cells []cell) {
	all := uint64(0)
	for _, differ := range s.differ[record] {
		all |= differ
	}
	for all &^= s.barred[record]; all != 0; all &= all - 1 {
		cells = append(cells, cell{record, bits.TrailingZeros64(all)})
	}
	for j, differ := range s.differ[record] {
		alike := j > 0 && s.key[j] == s.key[j-1] && s.present[j] == s.present[j-1] && s.barred[j] == s.barred[j-1]
		if differ != 0 && differ&s.barred[j] == 0 && s.price[differ] <= rest && !alike {
			cells = append(cells, cell{j, bits.TrailingZeros64(differ)})
		}
	}
	return cells
}
