package audit

import "math"

// simplex holds the tables that an intruder cannot exclude, as a dictionary: each basic unknown is a constant plus a
// linear combination of the others. The present point is one of these tables; at the start it is the true one.
type simplex struct {
	rows  [][]float64 // per basic unknown: factors of the others
	basic []int32     // the unknown of each row
	other []int32     // the unknown of each column
	value []float64   // the present point, by unknown
	lower []float64   // by unknown
	upper []float64

	saved []float64 // the row of what changes save, if they have prices

	touched []int32 // work: columns of a row that are not 0
	still   int     // steps without a move
	state   uint64  // of random
}

// tiny is the size below which a factor is 0, and the share of a bound by which a value may miss it.
const tiny = 1e-9

// least is the size up to which a factor may be the error of others.
const least = 1e-7

// patience is the number of steps without a move after which columns are chosen at random.
const patience = 20

// push moves the present point until an unknown is as large as it can be, or as small, and returns its value; an
// unknown without a limit is infinite. visit is called at each new point.
func (s *simplex) push(unknown int32, up bool, visit func()) float64 {
	sign := 1.0
	if !up {
		sign = -1
	}
	s.still = 0
	for {
		if s.meets(unknown, up) {
			return s.value[unknown]
		}
		row := s.rowOf(unknown)
		column, direction := s.entering(row, unknown, sign)
		if column < 0 {
			return s.value[unknown]
		}
		leaving, step := s.leaving(column, direction)
		if math.IsInf(step, 1) {
			return math.Inf(int(sign))
		}
		s.move(column, direction*step)
		if leaving >= 0 {
			s.pivot(leaving, column)
		}
		if s.still++; step > tiny {
			s.still = 0
			visit()
		}
	}
}

// random returns a number below 1, the next of the same numbers for every program.
func (s *simplex) random() float64 {
	s.state = s.state*6364136223846793005 + 1442695040888963407 // Knuth, MMIX
	return float64(s.state>>11) / (1 << 53)
}

// rowOf returns the row of an unknown; -1: it is not basic.
func (s *simplex) rowOf(unknown int32) int {
	for i, b := range s.basic {
		if b == unknown {
			return i
		}
	}
	return -1
}

// entering returns the column that increases the objective most per unit, or at the lowest price, and the direction in
// which it moves; -1 if there is none. After steps without a move it lets chance decide, so that no cycle
// comes about.
func (s *simplex) entering(row int, unknown int32, sign float64) (column int, direction float64) {
	column = -1
	best := 0.0
	for j, other := range s.other {
		factor := 0.0
		switch {
		case row >= 0:
			factor = sign * s.rows[row][j]
		case other == unknown:
			factor = sign
		}
		if math.Abs(factor) <= least || s.meets(other, factor > 0) {
			continue
		}
		gain := math.Abs(factor)
		if s.saved != nil {
			gain /= tiny + max(0, math.Copysign(1, -factor)*s.saved[j])
		}
		if s.still > patience {
			gain *= s.random()
		}
		if gain > best {
			column, direction, best = j, math.Copysign(1, factor), gain
		}
	}
	return column, direction
}

// leaving returns how far a column can move, and the row that stops it; -1: its own bound does.
func (s *simplex) leaving(column int, direction float64) (row int, step float64) {
	row = -1
	own := s.other[column]
	if step = s.upper[own] - s.value[own]; direction < 0 {
		step = s.value[own] - s.lower[own]
	}
	size := 0.0
	for i, r := range s.rows {
		slope := direction * r[column]
		if math.Abs(slope) <= least {
			continue
		}
		basic := s.basic[i]
		room := s.upper[basic] - s.value[basic]
		if slope < 0 {
			room = s.value[basic] - s.lower[basic]
		}
		limit := room / math.Abs(slope)
		if room <= tiny*max(1, math.Abs(s.value[basic])) {
			limit = 0
		}
		if limit < step || limit == step && math.Abs(slope) > size {
			row, step, size = i, limit, math.Abs(slope)
		}
	}
	return row, max(0, step)
}

// move moves an unknown of a column, and with it the basic ones.
func (s *simplex) move(column int, by float64) {
	if by == 0 {
		return
	}
	s.value[s.other[column]] += by
	for i, r := range s.rows {
		if r[column] != 0 {
			s.value[s.basic[i]] += by * r[column]
		}
	}
}

// pivot exchanges a basic unknown and one of a column.
func (s *simplex) pivot(at, column int) {
	row := s.rows[at]
	scale := 1 / row[column]
	s.touched = s.touched[:0]
	for j, factor := range row {
		if j != column && factor != 0 {
			row[j] = -factor * scale
			s.touched = append(s.touched, int32(j))
		}
	}
	row[column] = scale
	for i, r := range s.rows {
		times := r[column]
		if i == at || times == 0 {
			continue
		}
		r[column] = times * scale
		for _, j := range s.touched {
			if r[j] += times * row[j]; math.Abs(r[j]) < tiny {
				r[j] = 0
			}
		}
	}
	s.basic[at], s.other[column] = s.other[column], s.basic[at]
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
