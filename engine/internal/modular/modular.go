// Package modular computes in the integers modulo a prime, without rounding errors.
//
//	x := modular.Product(a, modular.Inverse(b)) // a/b
package modular

import "math/bits"

// Prime is 2^61-1. All numbers are below it.
const Prime = 1<<61 - 1

// One and Minus are 1 and -1.
const (
	One   = 1
	Minus = Prime - 1
)

// Product returns a*b modulo the prime.
func Product(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return reduced(low&Prime + (low>>61 | high<<3))
}

// Sum returns a+b modulo the prime.
func Sum(a, b uint64) uint64 { return reduced(a + b) }

// reduced returns a number below twice the prime modulo the prime.
func reduced(a uint64) uint64 {
	if a >= Prime {
		a -= Prime
	}
	return a
}

// Negative returns -a modulo the prime.
func Negative(a uint64) uint64 {
	if a == 0 {
		return 0
	}
	return Prime - a
}

// Inverse returns 1/a modulo the prime; a is not 0.
func Inverse(a uint64) uint64 {
	if a == 1 || a == Prime-1 {
		return a
	}
	result := uint64(1)
	for e := uint64(Prime - 2); e > 0; e >>= 1 {
		if e&1 == 1 {
			result = Product(result, a)
		}
		a = Product(a, a)
	}
	return result
}

// Fraction returns the rational number with the smallest numerator and denominator that is congruent to a, such as
// the solution of equations with small coefficients.
func Fraction(a uint64) float64 {
	const limit = 1 << 30
	switch {
	case a < limit:
		return float64(a)
	case Prime-a < limit:
		return -float64(Prime - a)
	}
	r0, r1, s0, s1 := int64(Prime), int64(a), int64(0), int64(1)
	for r1 >= limit {
		q := r0 / r1
		r0, r1, s0, s1 = r1, r0-q*r1, s1, s0-q*s1
	}
	return float64(r1) / float64(s1)
}
