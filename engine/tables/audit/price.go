package audit

import (
	"math"
	"slices"
)

// change is the increase and the decrease of an unknown with a price.
type change struct {
	of, up, down int32
	price        float64
}

// perturbation is by how much an increase or a decrease may be negative, as a share of the change wanted, so that few
// steps are without a move.
const perturbation = 1e-6

// reach moves an unknown as far towards a value as it can go, each step by the cheapest way, and then lowers the price of
// all changes. It returns the value reached, and the values of all unknowns. It ends early if stop reports so.
func (s *simplex) reach(unknown int32, to float64, prices []float64, stop func() bool) (reached float64, values []float64) {
	up := to > s.value[unknown]
	if up {
		s.upper[unknown] = min(s.upper[unknown], to)
	} else {
		s.lower[unknown] = max(s.lower[unknown], to)
	}
	prices[unknown] = 0
	split := s.split(prices, perturbation*math.Abs(to-s.value[unknown]))
	total := s.charge(both(split, len(s.value)))
	values = slices.Clone(s.value)
	reached = s.push(unknown, up, total, stop)
	if math.IsInf(reached, 0) {
		return reached, values
	}
	s.lower[unknown], s.upper[unknown] = reached, reached
	s.push(total, true, -1, stop)
	return reached, s.value
}

// split describes each unknown with a price by its increase and its decrease, which may be negative by slack. The bounds
// of the unknown become theirs.
func (s *simplex) split(prices []float64, slack float64) (changes []change) {
	for u, price := range prices {
		if price > 0 {
			rise, fall := -slack*(1+s.random()), -slack*(1+s.random()) // different: no bounds are met together
			c := change{int32(u), s.unknown(0, rise, s.upper[u]-s.value[u]), s.unknown(0, fall, s.value[u]-s.lower[u]), price}
			s.lower[u], s.upper[u] = math.Inf(-1), math.Inf(1)
			s.place(c.down)
			s.follow(c.up, coefficient{c.of, 1}, coefficient{c.down, 1})
			changes = append(changes, c)
		}
	}
	return changes
}

// both returns the prices of changes, by unknown.
func both(changes []change, unknowns int) []float64 {
	prices := make([]float64, unknowns)
	for _, c := range changes {
		prices[c.up], prices[c.down] = c.price, c.price
	}
	return prices
}

// charge adds an unknown that is what the present point costs, negative, and 0 at the start.
func (s *simplex) charge(prices []float64) (total int32) {
	var terms []coefficient
	for u, price := range prices {
		if price != 0 {
			terms = append(terms, coefficient{int32(u), -price})
		}
	}
	total = s.unknown(0, math.Inf(-1), math.Inf(1))
	s.follow(total, terms...)
	return total
}
