package audit

import (
	"math"
	"slices"
)

// change is an unknown with a price as its increase, which has the number of the unknown, and its decrease.
type change struct {
	up, down int32
	price    float64
}

// perturbation is by how much an increase or a decrease may be negative, as a share of the change wanted, so that few
// steps are without a move.
const perturbation = 1e-6

// reach moves an unknown as far towards a value as it can go, each step by the cheapest way, and then lowers the price of
// all changes. It returns the value reached, and the values of all unknowns.
func (s *simplex) reach(unknown int32, to float64, prices []float64) (reached float64, values []float64) {
	up := to > s.value[unknown]
	if up {
		s.upper[unknown] = min(s.upper[unknown], to)
	} else {
		s.lower[unknown] = max(s.lower[unknown], to)
	}
	prices[unknown] = 0
	values = slices.Clone(s.value)
	changes := s.split(prices, perturbation*math.Abs(to-values[unknown]))
	total := s.charge(both(changes, len(s.value)))
	none := func() {}
	reached = s.push(unknown, up, none)
	if math.IsInf(reached, 0) {
		return reached, values
	}
	s.saved = nil
	s.lower[unknown], s.upper[unknown] = reached, reached
	s.push(total, true, none)
	for _, c := range changes {
		s.value[c.up] += values[c.up] - s.value[c.down]
	}
	return reached, s.value[:len(values)]
}

// split replaces each unknown with a price by its increase and its decrease, which may be negative by slack.
func (s *simplex) split(prices []float64, slack float64) (changes []change) {
	columns := len(s.other)
	for u, price := range prices {
		if price > 0 {
			rise, fall := -slack*(1+s.random()), -slack*(1+s.random()) // different: no bounds are met together
			down := s.unknown(0, fall, s.value[u]-s.lower[u])
			s.value[u], s.lower[u], s.upper[u] = 0, rise, s.upper[u]-s.value[u]
			s.other, changes = append(s.other, down), append(changes, change{int32(u), down, price})
		}
	}
	for i, row := range s.rows {
		s.rows[i] = append(row, make([]float64, len(changes))...)
	}
	for k, c := range changes {
		if i := s.rowOf(c.up); i >= 0 {
			s.rows[i][columns+k] = 1
			continue
		}
		at := slices.Index(s.other, c.up)
		for _, row := range s.rows {
			row[columns+k] = -row[at]
		}
	}
	return changes
}

// unknown adds an unknown.
func (s *simplex) unknown(value, lower, upper float64) int32 {
	s.value, s.lower, s.upper = append(s.value, value), append(s.lower, lower), append(s.upper, upper)
	return int32(len(s.value) - 1)
}

// both returns the prices of changes, by unknown.
func both(changes []change, unknowns int) []float64 {
	prices := make([]float64, unknowns)
	for _, c := range changes {
		prices[c.up], prices[c.down] = c.price, c.price
	}
	return prices
}

// charge adds an unknown that is what the present point costs, negative, and 0 at the start. From then on, push takes the
// cheapest way.
func (s *simplex) charge(prices []float64) (total int32) {
	s.saved = make([]float64, len(s.other))
	for j, u := range s.other {
		s.saved[j] = -prices[u]
	}
	for i, row := range s.rows {
		if price := prices[s.basic[i]]; price != 0 {
			for j, factor := range row {
				s.saved[j] -= price * factor
			}
		}
	}
	total = s.unknown(0, math.Inf(-1), math.Inf(1))
	s.rows, s.basic = append(s.rows, s.saved), append(s.basic, total)
	return total
}
