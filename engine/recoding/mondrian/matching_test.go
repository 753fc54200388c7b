package mondrian

import (
	"testing"

	"pgregory.net/rapid"
)

// bestSum returns the maximum total gain of disjoint pairs of free vertices by trying all.
func bestSum(gains [][]int64, free uint, known map[uint]int64) int64 {
	if free == 0 {
		return 0
	}
	if best, ok := known[free]; ok {
		return best
	}
	i := 0
	for free>>i&1 == 0 {
		i++
	}
	rest := free &^ (1 << i)
	best := bestSum(gains, rest, known)
	for j := range gains {
		if rest>>j&1 == 1 && gains[i][j] > 0 {
			best = max(best, gains[i][j]+bestSum(gains, rest&^(1<<j), known))
		}
	}
	known[free] = best
	return best
}

// The pairs are disjoint and have maximum gain. With few distinct gains, where many edges are tight together,
// there are nested blossoms.
func TestBestPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "vertices")
		most := rapid.SampledFrom([]int64{1, 3, 10, 1_000_000}).Draw(t, "largest gain")
		gains := make([][]int64, n)
		for i := range gains {
			gains[i] = make([]int64, n)
			for j := range i {
				g := rapid.Int64Range(-1, most).Draw(t, "gain")
				gains[i][j], gains[j][i] = g, g
			}
		}
		sum := int64(0)
		for i, j := range bestPairs(n, func(i, j int) int64 { return gains[i][j] }) {
			if j < 0 {
				continue
			}
			if back := bestPairs(n, func(i, j int) int64 { return gains[i][j] })[j]; back != i || i == j || gains[i][j] <= 0 {
				t.Fatalf("%d is with %d, which is with %d; gain %d", i, j, back, gains[i][j])
			}
			sum += gains[i][j]
		}
		if best := bestSum(gains, 1<<n-1, map[uint]int64{}); sum != 2*best {
			t.Fatalf("the pairs gain %d, the best %d", sum/2, best)
		}
	})
}

func BenchmarkBestPairs(b *testing.B) {
	state := uint64(1)
	gains := make([][]int64, 200)
	for i := range gains {
		gains[i] = make([]int64, len(gains))
		for j := range i {
			state = state*6364136223846793005 + 1442695040888963407
			gains[i][j] = int64(state >> 44)
			gains[j][i] = gains[i][j]
		}
	}
	for b.Loop() {
		bestPairs(len(gains), func(i, j int) int64 { return gains[i][j] })
	}
}
