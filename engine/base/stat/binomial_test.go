package stat_test

import (
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// At the lower limit, that many or more successes have probability alpha.
func TestLowerLimit(t *testing.T) {
	for _, c := range [][2]int{{1, 1}, {12, 12}, {617, 617}, {9, 10}, {1, 1000}, {95_000, 100_000}} {
		for _, alpha := range []float64{0.025, 1e-3, 1e-7} {
			p := stat.LowerLimit(c[0], c[1], alpha)
			tail, n := 0.0, float64(c[1])
			logarithm := func(x float64) float64 { y, _ := math.Lgamma(x + 1); return y }
			for k := float64(c[0]); k <= n; k++ {
				log := logarithm(n) - logarithm(k) - logarithm(n-k) + k*math.Log(p)
				if k < n {
					log += (n - k) * math.Log1p(-p)
				}
				tail += math.Exp(log)
			}
			if !(math.Abs(tail/alpha-1) < 1e-5) {
				t.Errorf("%v, %v: limit %v, of which the tail is %v", c, alpha, p, tail)
			}
		}
	}
	if math.Abs(stat.LowerLimit(8, 10, 0.025)-0.4439) > 5e-5 { // the published limit for 8 of 10
		t.Error(stat.LowerLimit(8, 10, 0.025))
	}
	for _, c := range [][2]int{{0, 0}, {0, 5}, {6, 5}, {-1, 3}} {
		if p := stat.LowerLimit(c[0], c[1], 0.001); p != 0 {
			t.Errorf("%v: %v", c, p)
		}
	}
}
