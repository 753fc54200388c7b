package stat

import "math"

// Sum adds up numbers together with what rounding takes from them, so that the order in which
// they come hardly matters (Neumaier, 1974). The zero value is the sum of none.
type Sum struct{ value, lost float64 }

// Add adds a number.
func (s *Sum) Add(x float64) {
	t := s.value + x
	if math.Abs(s.value) >= math.Abs(x) {
		s.lost += (s.value - t) + x
	} else {
		s.lost += (x - t) + s.value
	}
	s.value = t
}

// Rounded returns the sum of numbers that have at most so many decimals, as it is written with
// them where a float64 can tell that.
func (s *Sum) Rounded(decimals int) float64 {
	value, scale := s.value+s.lost, math.Pow10(decimals)
	if units := float64(value * scale); math.Abs(units) < 1<<53 {
		return math.RoundToEven(units) / scale
	}
	return value
}
