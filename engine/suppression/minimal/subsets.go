package minimal

import "math/big"

// subsets enumerates the sets of variables in order of price; sets of equal price are in the order of suppression.
// Prices are counted in steps, their greatest common divisor.
type subsets struct {
	p     *Problem
	step  int64
	sums  []*big.Int // per place in the order of suppression: bit s is set if a set of variables from there on costs s
	steps int        // next price
}

// newSubsets starts with the empty set.
func newSubsets(p *Problem) *subsets {
	q := p.variables()
	s := &subsets{p: p, step: p.priceStep(), sums: make([]*big.Int, q+1)}
	s.sums[q] = big.NewInt(1)
	for place := q - 1; place >= 0; place-- {
		with := new(big.Int).Lsh(s.sums[place+1], uint(s.price(place)))
		s.sums[place] = with.Or(with, s.sums[place+1])
	}
	return s
}

// price returns the price of the variable at a place in the order of suppression.
func (s *subsets) price(place int) int { return int(int64(s.p.Price[s.p.TieOrder[place]]) / s.step) }

// next returns all sets of the next price, but at most limit of them; complete reports whether these are all. It
// returns no sets at the end.
func (s *subsets) next(limit int) (price int64, sets []uint64, complete bool) {
	for ; s.steps < s.sums[0].BitLen(); s.steps++ {
		if s.sums[0].Bit(s.steps) == 1 {
			price = int64(s.steps) * s.step
			sets = s.collect(nil, 0, s.steps, 0, limit+1)
			s.steps++
			break
		}
	}
	return price, sets[:min(limit, len(sets))], len(sets) <= limit
}

// collect appends the sets that extend set by variables from the given place on for exactly the given number of
// steps, up to limit sets.
func (s *subsets) collect(sets []uint64, place, steps int, set uint64, limit int) []uint64 {
	switch {
	case len(sets) == limit || s.sums[place].Bit(steps) == 0:
		return sets
	case steps == 0:
		return append(sets, set)
	}
	if price := s.price(place); price <= steps {
		sets = s.collect(sets, place+1, steps-price, set|1<<s.p.TieOrder[place], limit)
	}
	return s.collect(sets, place+1, steps, set, limit)
}
