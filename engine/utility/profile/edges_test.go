package profile

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sdcdesk/sdcdesk/house/longtests"
)

func TestLogEdges(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		most      int
		want      Edges
	}{
		{0, 450_000, 4, Edges{0, 50_000, 100_000, 200_000, 500_000}},
		{3, 9, 12, Edges{0, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10}},
		{-100, 1000, 6, Edges{-500, 0, 500, 1000, 2000}},
		{-7, -2, 3, Edges{-10, -5, -2, 0}},
		{0, 5, 2, Edges{0, 5, 10}},
		{0, 0, 4, nil},
		{0, math.MaxFloat64, 4, nil},
	} {
		if got := LogEdges(c.low, c.high, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%v to %v, %d: %v, want %v", c.low, c.high, c.most, got, c.want)
		}
	}
	if got := (Edges{-1000, 0, 0.5}); got.Label(0) != "-1,000 to <0" || got.Label(1) != "0 to <0.5" {
		t.Errorf("%s, %s", got.Label(0), got.Label(1))
	}
}

// All numbers from low to high are in one of the intervals, and there are at most as many intervals as asked for.
func TestLogEdgesHoldAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-1e12, 1e12).Draw(t, "low")
		high := max(low, rapid.Float64Range(-1e12, 1e12).Draw(t, "high"))
		most := rapid.IntRange(2, 20).Draw(t, "most")
		edges := LogEdges(low, high, most)
		if edges == nil {
			return
		}
		if low < edges[0] || high >= edges[len(edges)-1] || len(edges)-1 > most || !slices.IsSorted(edges) ||
			len(slices.Compact(slices.Clone(edges))) != len(edges) {
			t.Fatalf("%v to %v, at most %d: %v", low, high, most, edges)
		}
	})
}
