package tradeoff_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
)

// No point on the frontier is dominated, every other point is, and each risk measure has its own frontier.
func TestFrontier(t *testing.T) {
	all := []tradeoff.RiskLoss{
		{Linkage: 0.5, Interval: 0.1, Loss: 1}, {Linkage: 0.2, Interval: 0.4, Loss: 2}, {Linkage: 0.2, Interval: 0.3, Loss: 2},
		{Linkage: 0.3, Interval: 0.05, Loss: 3}, {Linkage: 1, Interval: 1}, {Linkage: math.NaN(), Interval: 0, Loss: 0},
		{Linkage: 0, Interval: 0, Loss: math.Inf(1)}, {Linkage: 0.1, Interval: 0.9, Loss: 4},
	}
	for by, want := range map[string][]int{tradeoff.ByLinkage: {4, 0, 1, 7}, tradeoff.ByInterval: {4, 0, 3}} {
		got := tradeoff.Frontier(all, by)
		if !slices.Equal(got, want) {
			t.Errorf("by %s: %v, want %v", by, got, want)
		}
		for i, w := range all {
			dominated := slices.ContainsFunc(all, func(o tradeoff.RiskLoss) bool {
				return o.Known() && o.Loss <= w.Loss && o.Risk(by) <= w.Risk(by) && (o.Loss < w.Loss || o.Risk(by) < w.Risk(by))
			})
			if on := slices.Contains(got, i); on && dominated {
				t.Errorf("by %s: %d is dominated", by, i)
			}
		}
	}
	frontier := tradeoff.Frontier(all, tradeoff.ByLinkage)
	for limit, want := range map[float64]int{1: 0, 0.5: 1, 0.49: 2, 0.1: 3, 0.05: -1} {
		if got := tradeoff.Within(all, frontier, tradeoff.ByLinkage, limit); got != want {
			t.Errorf("within %v: %d, want %d", limit, got, want)
		}
	}
	if got := tradeoff.Frontier(nil, tradeoff.ByLinkage); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}
