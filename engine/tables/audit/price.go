package audit

import "math"

// cost says what it costs to move an unknown away from a value, its home: a price for each unit. While an unknown is basic
// it keeps to one side, where the cost is linear.
type cost struct {
	price     float64
	home      float64 // negative infinity: the cost is linear, and the price may be negative
	low, high float64 // how far the unknown may be on the other side, so that few steps are without a move
	above     bool    // it is, or was when it became basic, above its home
}

// perturbation is how far an unknown may be on the other side of its home, as a share of the change wanted.
const perturbation = 1e-6

// charge gives each unit of an unknown a price.
func (s *simplex) charge(unknown int32, price float64) {
	far := math.Inf(-1)
	s.setCost(unknown, cost{price: price, home: far, low: far, high: far, above: true})
}

// chargeChanges gives each unit by which an unknown differs from its present value a price.
func (s *simplex) chargeChanges(unknown int32, price, slack float64) {
	home := s.value[unknown]
	low, high := home-slack*(1+s.random()), home+slack*(1+s.random()) // different: no bounds are met together
	s.setCost(unknown, cost{price: price, home: home, low: low, high: high, above: true})
}

func (s *simplex) setCost(unknown int32, c cost) {
	if s.costs == nil {
		s.costs = make([]cost, len(s.value))
	}
	s.costs[unknown] = c
}

// slopeOf returns what a unit of a basic unknown costs.
func (s *simplex) slopeOf(unknown int32) float64 {
	c := &s.costs[unknown]
	if c.above {
		return c.price
	}
	return -c.price
}

// above reports whether an unknown with a column is above its home as soon as it moves in a direction.
func (s *simplex) above(unknown int32, direction float64) bool {
	if s.costs == nil {
		return false
	}
	c, value := &s.costs[unknown], s.value[unknown]
	switch width := c.high - c.low; {
	case math.IsInf(c.home, -1):
		return true
	case direction > 0:
		return value >= c.low-width
	default:
		return value > c.high+width
	}
}

// rate returns what it costs to move a column by a unit.
func (s *simplex) rate(column int, direction float64) float64 {
	u := s.other[column]
	own := s.costs[u].price
	if !s.above(u, direction) {
		own = -own
	}
	return direction * (s.prices[column] + own)
}

// enter makes an unknown keep to the side to which it moves.
func (s *simplex) enter(column int, direction float64) {
	if s.costs != nil {
		u := s.other[column]
		s.costs[u].above = s.above(u, direction)
	}
}

// spread sets the factors of what the basic unknowns cost.
func (s *simplex) spread(row []float64) {
	for u := range s.costs {
		if s.column[u] < 0 {
			s.weight[u] = s.slopeOf(int32(u))
		}
	}
	s.combine(row)
}

// room returns how far an unknown can move up, or down, on one side of its home.
func (s *simplex) room(unknown int32, up, above bool) float64 {
	value, lower, upper := s.value[unknown], s.lower[unknown], s.upper[unknown]
	if s.costs != nil {
		switch c := &s.costs[unknown]; {
		case c.price == 0:
		case above && c.home >= lower:
			lower = c.low
		case !above && c.home <= upper:
			upper = c.high
		}
	}
	if up {
		return upper - value
	}
	return value - lower
}

// reach moves an unknown as far towards a value as it can go, each step by the cheapest way, and then lowers the price of
// all changes. It returns the value reached, and the values of all unknowns. It ends early if stop reports so.
func (s *simplex) reach(unknown int32, to float64, prices []float64, stop func() bool) (reached float64, values []float64) {
	up := to > s.value[unknown]
	slack := perturbation * math.Abs(to-s.value[unknown])
	if up {
		s.upper[unknown] = min(s.upper[unknown], to)
	} else {
		s.lower[unknown] = max(s.lower[unknown], to)
	}
	for u, price := range prices {
		if price > 0 && int32(u) != unknown {
			s.chargeChanges(int32(u), price, slack)
		}
	}
	if reached = s.push(unknown, up, stop); !math.IsInf(reached, 0) {
		s.lower[unknown], s.upper[unknown] = reached, reached
		s.minimise(stop)
	}
	return reached, s.value
}
