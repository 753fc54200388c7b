package audit

import (
	"math"
	"slices"
)

// simplex holds the tables that an intruder cannot exclude. An unknown is basic, or has a column: the basic ones are
// linear combinations of the others, but for a constant. Of these combinations only those of unknowns without an equation
// are kept, the rest follows by the equations: a suppressed table has few of the former. The present point is one of the
// tables; at the start it is the true one, and the unknowns without an equation are those that are not basic.
type simplex struct {
	equations []equation  // each after those of its terms
	base      []int32     // unknowns without an equation
	follows   []bool      // per unknown: it has an equation
	rows      [][]float64 // per basic unknown without an equation: its factors of those with columns
	other     []int32     // the unknown of each column
	column    []int32     // per unknown: its column; -1: it is basic
	value     []float64   // the present point, by unknown
	lower     []float64   // by unknown
	upper     []float64
	costs     []cost // by unknown; nil: nothing has a price

	goal    []float64 // the row of what is pushed; nil: the costs are
	prices  []float64 // the row of what the basic unknowns cost; nil: nothing has a price
	leaves  []float64 // work: the row of an unknown that leaves the basis
	touched []int32   // work: columns that it has
	slope   []float64 // work: per unknown, its change with that of a column
	weight  []float64 // work: per unknown
	still   int       // steps without a move
	pivots  int       // since the rows were computed from the equations
	wrong   bool      // the rows have errors
	state   uint64    // of random
}

// equation gives an unknown from others, but for a constant.
type equation struct {
	unknown int32
	terms   []coefficient
}

// coefficient is a real coefficient of an unknown.
type coefficient struct {
	unknown int32
	factor  float64
}

// tiny is the size below which a factor is 0, and the share of a bound by which a value may miss it.
const tiny = 1e-9

// zero is the size below which a factor of a pivot is an error of rounding.
const zero = 1e-13

// least is the size up to which a factor may be the error of others.
const least = 1e-7

// fresh is the number of pivots after which rows are computed from the equations again.
const fresh = 2000

// patience is the number of steps without a move after which columns are chosen at random.
const patience = 20

// place gives an unknown without an equation a column. There must have been no step.
func (s *simplex) place(unknown int32) {
	s.column[unknown] = int32(len(s.other))
	s.base, s.other = append(s.base, unknown), append(s.other, unknown)
}

// unknown adds an unknown.
func (s *simplex) unknown(value, lower, upper float64) int32 {
	s.value, s.lower, s.upper = append(s.value, value), append(s.lower, lower), append(s.upper, upper)
	s.rows, s.column, s.follows = append(s.rows, nil), append(s.column, -1), append(s.follows, false)
	return int32(len(s.value) - 1)
}

// follow adds the equation of an unknown.
func (s *simplex) follow(unknown int32, terms ...coefficient) {
	s.follows[unknown] = true
	s.equations = append(s.equations, equation{unknown, terms})
}

// clone returns a copy.
func (s *simplex) clone() *simplex {
	c := &simplex{equations: slices.Clip(s.equations), base: slices.Clip(s.base), follows: slices.Clip(s.follows),
		rows: make([][]float64, len(s.rows)), state: s.state}
	c.other, c.column = slices.Clone(s.other), slices.Clone(s.column)
	c.value, c.lower, c.upper, c.costs = slices.Clone(s.value), slices.Clone(s.lower), slices.Clone(s.upper), slices.Clone(s.costs)
	for u, row := range s.rows {
		c.rows[u] = slices.Clone(row)
	}
	return c
}

// push moves the present point until an unknown is as large as it can be, or as small, or visit is true, which is called
// at each new point. It returns its value; an unknown without a limit is infinite. Each step is the one that gains most by
// its cost, if there are prices.
func (s *simplex) push(unknown int32, up bool, visit func() bool) float64 {
	if s.run(unknown, up, visit) {
		return s.value[unknown]
	}
	if up {
		return math.Inf(1)
	}
	return math.Inf(-1)
}

// minimise moves the present point until its cost is as small as it can be, or visit is true.
func (s *simplex) minimise(visit func() bool) {
	if s.costs != nil {
		s.run(-1, true, visit)
	}
}

// run pushes an unknown, or minimises if it is -1. It returns false if a step has no limit.
func (s *simplex) run(unknown int32, up bool, visit func() bool) (limited bool) {
	sign := 1.0
	if !up {
		sign = -1
	}
	s.slope, s.weight = resized(s.slope, len(s.value)), resized(s.weight, len(s.value))
	s.leaves, s.still = resized(s.leaves, len(s.other)), 0
	s.start(unknown)
	for unknown < 0 || !s.meets(unknown, up) {
		column, direction := s.entering(sign)
		if column < 0 {
			break
		}
		s.slopes(column)
		leaving, step := s.leaving(column, direction)
		if math.IsInf(step, 1) {
			return false
		}
		s.enter(column, direction)
		s.move(direction * step)
		if leaving >= 0 {
			s.pivot(leaving, column)
		}
		if s.pivots > fresh || s.wrong {
			s.refresh()
			s.start(unknown)
		}
		if s.still++; step > tiny {
			s.still = 0
		}
		if visit() {
			break
		}
	}
	return true
}

// start computes the rows that a run follows.
func (s *simplex) start(unknown int32) {
	if s.goal = nil; unknown >= 0 {
		s.goal = make([]float64, len(s.other))
		s.row(unknown, s.goal)
	}
	if s.prices = nil; s.costs != nil {
		s.prices = make([]float64, len(s.other))
		s.spread(s.prices)
	}
}

// refresh computes the rows again from the equations, so that rounding errors do not add up.
func (s *simplex) refresh() {
	want := s.other
	stays := make([]bool, len(s.value))
	for _, u := range want {
		stays[u], s.column[u] = true, -1
	}
	s.other, s.goal, s.prices = slices.Clone(s.base), nil, nil
	for j, u := range s.base {
		s.column[u], s.rows[u] = int32(j), nil
	}
	for _, u := range want {
		if s.column[u] >= 0 {
			continue
		}
		s.row(u, s.leaves)
		best := -1
		for j, factor := range s.leaves {
			if !stays[s.other[j]] && (best < 0 || math.Abs(factor) > math.Abs(s.leaves[best])) {
				best = j
			}
		}
		s.pivot(u, best)
	}
	s.pivots, s.wrong = 0, false
}

// resized returns numbers that are all 0.
func resized(work []float64, n int) []float64 {
	work = slices.Grow(work[:0], n)[:n]
	clear(work)
	return work
}

// random returns a number below 1, the next of the same numbers for every program.
func (s *simplex) random() float64 {
	s.state = s.state*6364136223846793005 + 1442695040888963407 // Knuth, MMIX
	return float64(s.state>>11) / (1 << 53)
}

// row sets the factors that an unknown has of those with columns.
func (s *simplex) row(unknown int32, row []float64) {
	s.weight[unknown] = 1
	s.combine(row)
}

// combine sets the factors that the sum of all unknowns, each times its weight, has. Afterwards all weights are 0.
func (s *simplex) combine(row []float64) {
	clear(row)
	for i := len(s.equations) - 1; i >= 0; i-- {
		e := &s.equations[i]
		w := s.weight[e.unknown]
		if w == 0 {
			continue
		}
		s.weight[e.unknown] = 0
		if c := s.column[e.unknown]; c >= 0 {
			row[c] += w
			continue
		}
		for _, t := range e.terms {
			s.weight[t.unknown] += w * t.factor
		}
	}
	for _, u := range s.base {
		w := s.weight[u]
		s.weight[u] = 0
		if c := s.column[u]; c >= 0 {
			row[c] += w
		} else if w != 0 {
			add(row, w, s.rows[u])
		}
	}
}

// add adds a row times a factor.
func add(to []float64, times float64, row []float64) {
	to = to[:len(row)]
	for j, factor := range row {
		to[j] += times * factor
	}
}

// slopes finds how all unknowns change with that of a column.
func (s *simplex) slopes(column int) {
	for _, u := range s.base {
		if s.slope[u] = 0; s.rows[u] != nil {
			s.slope[u] = s.rows[u][column]
		}
	}
	entering := s.other[column]
	s.slope[entering] = 1
	for i := range s.equations {
		e := &s.equations[i]
		if s.column[e.unknown] >= 0 {
			if s.slope[e.unknown] = 0; e.unknown == entering {
				s.slope[e.unknown] = 1
			}
			continue
		}
		sum := 0.0
		for _, t := range e.terms {
			sum += t.factor * s.slope[t.unknown]
		}
		s.slope[e.unknown] = sum
	}
}

// entering returns the column that increases the goal most per unit, or at the lowest price, and the direction in which it
// moves, or the one that saves most; -1 if there is none. After steps without a move it lets chance decide, so that no
// cycle comes about.
func (s *simplex) entering(sign float64) (column int, direction float64) {
	column = -1
	best := 0.0
	for j := range s.other {
		towards, gain := s.gain(j, sign)
		if gain <= 0 || s.limit(j, towards) <= tiny*max(1, math.Abs(s.value[s.other[j]])) {
			continue
		}
		if s.still > patience {
			gain *= s.random()
		}
		if gain > best {
			column, direction, best = j, towards, gain
		}
	}
	return column, direction
}

// gain returns the direction in which a column should move, and what this gains; 0 if nothing.
func (s *simplex) gain(column int, sign float64) (direction, gain float64) {
	if s.goal == nil {
		for _, direction = range []float64{1, -1} {
			if gain = -s.rate(column, direction); gain > least {
				return direction, gain
			}
		}
		return 0, 0
	}
	factor := sign * s.goal[column]
	if math.Abs(factor) <= least {
		return 0, 0
	}
	direction, gain = math.Copysign(1, factor), math.Abs(factor)
	if s.prices != nil {
		gain /= tiny + max(0, s.rate(column, direction))
	}
	return direction, gain
}

// limit returns how far a column can move by its own bounds.
func (s *simplex) limit(column int, direction float64) float64 {
	u := s.other[column]
	return s.room(u, direction > 0, s.above(u, direction))
}

// leaving returns how far a column can move, and the basic unknown that stops it; -1: its own bound does.
func (s *simplex) leaving(column int, direction float64) (unknown int32, step float64) {
	unknown, step = -1, s.limit(column, direction)
	size := 0.0
	for u, slope := range s.slope {
		if slope *= direction; math.Abs(slope) <= least || s.column[u] >= 0 {
			continue
		}
		room := s.room(int32(u), slope > 0, s.costs != nil && s.costs[u].above)
		limit := room / math.Abs(slope)
		if room <= tiny*max(1, math.Abs(s.value[u])) {
			limit = 0
		}
		if limit < step || limit == step && math.Abs(slope) > size {
			unknown, step, size = int32(u), limit, math.Abs(slope)
		}
	}
	return unknown, max(0, step)
}

// move moves all unknowns with that of a column.
func (s *simplex) move(by float64) {
	if by == 0 {
		return
	}
	for u, slope := range s.slope {
		if slope != 0 {
			s.value[u] += by * slope
		}
	}
}

// pivot exchanges a basic unknown and one of a column.
func (s *simplex) pivot(leaving int32, column int) {
	s.pivots++
	s.row(leaving, s.leaves)
	entering := s.other[column]
	s.wrong = s.wrong || math.Abs(s.leaves[column]-s.slope[leaving]) > tiny
	scale := 1 / s.leaves[column]
	s.touched = s.touched[:0]
	for j, factor := range s.leaves {
		if s.leaves[j] = -factor * scale; math.Abs(s.leaves[j]) < zero {
			s.leaves[j] = 0
		} else {
			s.touched = append(s.touched, int32(j))
		}
	}
	s.leaves[column] = scale
	exchange := func(row []float64) {
		times := row[column]
		if row[column] = 0; times == 0 {
			return
		}
		for _, j := range s.touched {
			row[j] += times * s.leaves[j]
		}
	}
	s.rows[leaving] = nil
	for _, u := range s.base {
		if s.rows[u] != nil {
			exchange(s.rows[u])
		}
	}
	if s.goal != nil {
		exchange(s.goal)
	}
	if s.prices != nil {
		s.prices[column] += s.slopeOf(entering)
		exchange(s.prices)
		s.prices[column] -= s.slopeOf(leaving)
	}
	s.column[leaving], s.column[entering], s.other[column] = int32(column), -1, leaving
	if !s.follows[entering] {
		s.rows[entering] = slices.Clone(s.leaves)
	}
}

// meets reports whether an unknown is at its upper bound, or at its lower one.
func (s *simplex) meets(unknown int32, up bool) bool {
	value := s.value[unknown]
	off := tiny * max(1, math.Abs(value))
	if up {
		return value >= s.upper[unknown]-off
	}
	return value <= s.lower[unknown]+off
}
