package risk

import (
	"math"
	"sync"
)

// exactRisk returns (p^f / f) 2F1(f, f; f+1; 1-p) for f >= 1 and 0 < p < 1, with a relative error of about 1e-13.
// By Euler's transformation it is (p/f) 2F1(1, 1; f+1; q), and with t = q/p the integral of s^(f-1) / (1 + t s)
// over s in [0,1].
func exactRisk(f, p float64) float64 {
	q := 1 - p
	switch {
	case q <= 0.7 || f >= 20:
		return p / f * seriesOne(f+1, q)
	case math.Abs(f-math.RoundToEven(f)) <= whole:
		return byRecurrence(int(math.RoundToEven(f)), q/p)
	default:
		return byQuadrature(f, q/p)
	}
}

// seriesOne sums the series of 2F1(1, 1; c; z): terms n! z^n / (c)_n. It converges fast if z is small or c is
// large.
func seriesOne(c, z float64) float64 {
	sum, term := 1.0, 1.0
	for n := 0.0; term > 1e-17*sum && n < 1000; n++ {
		term = float64(term * ((n + 1) / (c + n) * z))
		sum += term
	}
	return sum
}

// byRecurrence integrates by parts from f = 1, where the integral is ln(1+t)/t. It is stable for t above 1.
func byRecurrence(f int, t float64) float64 {
	r := math.Log1p(t) / t
	for g := 1; g < f; g++ {
		r = (1/float64(g) - r) / t
	}
	return r
}

// node is an abscissa s = exp(-x) of the quadrature with its weight.
type node struct{ x, s, weight float64 }

// nodes are those of the double exponential rule for integrals over s in (0,1): with s = 1 / (1 + exp(pi sinh u))
// the trapezoid rule in u converges fast.
var nodes = sync.OnceValue(func() []node {
	const step, last = 1.0 / 24, 3.6
	var all []node
	for u := -last; u <= last; u += step {
		g := math.Pi * math.Sinh(u)
		s := 1 / (1 + math.Exp(g))
		all = append(all,
			node{x: math.Log1p(math.Exp(g)), s: s, weight: step * math.Pi * math.Cosh(u) * s / (1 + math.Exp(-g))})
	}
	return all
})

// byQuadrature integrates s^(f-1) / (1 + t s) over (0,1).
func byQuadrature(f, t float64) float64 {
	sum := 0.0
	for _, n := range nodes() {
		sum += n.weight * math.Exp(-(f-1)*n.x) / (1 + float64(t*n.s))
	}
	return sum
}
