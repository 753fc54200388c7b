package audit

import "math/bits"

// prime is 2^61-1: equations are solved in the integers modulo a prime, where nothing is rounded.
const prime = 1<<61 - 1

// product returns a*b modulo the prime.
func product(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return reduced(low&prime + (low>>61 | high<<3))
}

// reduced returns a number below twice the prime modulo the prime.
func reduced(a uint64) uint64 {
	if a >= prime {
		a -= prime
	}
	return a
}

// negative returns -a modulo the prime.
func negative(a uint64) uint64 {
	if a == 0 {
		return 0
	}
	return prime - a
}

// inverse returns 1/a modulo the prime; a is not 0.
func inverse(a uint64) uint64 {
	if a == 1 || a == prime-1 {
		return a
	}
	result := uint64(1)
	for e := uint64(prime - 2); e > 0; e >>= 1 {
		if e&1 == 1 {
			result = product(result, a)
		}
		a = product(a, a)
	}
	return result
}

// fraction returns the number with the smallest numerator and denominator that a stands for: what a solution of
// equations with small coefficients is.
func fraction(a uint64) float64 {
	const limit = 1 << 30
	switch {
	case a < limit:
		return float64(a)
	case prime-a < limit:
		return -float64(prime - a)
	}
	r0, r1, s0, s1 := int64(prime), int64(a), int64(0), int64(1)
	for r1 >= limit {
		q := r0 / r1
		r0, r1, s0, s1 = r1, r0-q*r1, s1, s0-q*s1
	}
	return float64(r1) / float64(s1)
}
