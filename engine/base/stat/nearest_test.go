package stat_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// The tree finds the same points as a comparison with every point, including ties and duplicates.
func TestTreeFindsTheNearest(t *testing.T) {
	steps := func(_ int, d float64) float64 { return math.Floor(d / 2) }
	rapid.Check(t, func(t *rapid.T) {
		p, n := rapid.IntRange(1, 3).Draw(t, "p"), rapid.IntRange(0, 60).Draw(t, "n")
		variables := make([][]float64, p)
		coordinate := rapid.Custom(func(t *rapid.T) float64 {
			return float64(rapid.IntRange(0, rapid.IntRange(0, 9).Draw(t, "most")).Draw(t, "x")) / 3
		})
		for j := range variables {
			variables[j] = rapid.SliceOfN(coordinate, n, n).Draw(t, "values")
		}
		var cost func(int, float64) float64
		if rapid.Bool().Draw(t, "steps") {
			cost = steps
		}
		tree := stat.NewTree(variables, cost)
		at := rapid.SliceOfN(coordinate, p, p).Draw(t, "at")
		except := rapid.IntRange(-1, n-1).Draw(t, "except")
		limit := float64(rapid.IntRange(0, 12).Draw(t, "limit")) / 9
		want, nearer, ties := stat.Nearest{Record: -1, Distance: math.Inf(1)}, false, 0
		for i := range n {
			if i == except {
				continue
			}
			point := make([]float64, p)
			for j := range p {
				point[j] = variables[j][i]
			}
			d := tree.Distance(at, point)
			switch {
			case d < want.Distance:
				want = stat.Nearest{Record: i, Distance: d, Ties: 1}
			case d == want.Distance:
				want.Ties++
			}
			nearer = nearer || d < limit
			if d == limit {
				ties++
			}
		}
		if got := tree.Nearest(at, except); got != want {
			t.Fatalf("nearest %+v, want %+v", got, want)
		}
		if gotNearer, gotTies := tree.Nearer(at, limit, except); gotNearer != nearer || !nearer && gotTies != ties {
			t.Fatalf("nearer than %v: %v and %d as near, want %v and %d", limit, gotNearer, gotTies, nearer, ties)
		}
	})
}
