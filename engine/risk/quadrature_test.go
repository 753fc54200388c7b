package risk_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// The exact individual risk is the integral of s^(f-1) / (1 + t s) over s in (0,1) with t = (1-p)/p, by Euler's
// representation of 2F1(1, 1; f+1; 1-p). A library's Gauss-Legendre rule, which has no code in common with the
// package's series and recurrences, gives the same.
func TestExactRiskIsItsIntegral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64Range(1, 40).Draw(t, "f")
		p := rapid.Float64Range(0.02, 0.98).Draw(t, "p")
		ratio := (1 - p) / p
		want := quad.Fixed(func(s float64) float64 { return math.Pow(s, f-1) / (1 + ratio*s) }, 0, 1, 400, quad.Legendre{}, 0)
		got := risk.Individual(f, f/p, true)
		// The rule itself is less accurate if f is just above 1, because s^(f-1) has no derivative at 0.
		if math.Abs(got-want) > 2e-6*want {
			t.Fatalf("f = %v, p = %v: risk %v, integral %v", f, p, got, want)
		}
	})
}
