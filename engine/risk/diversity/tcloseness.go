package diversity

import (
	"context"
	"math"
	"runtime"
	"sort"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Closeness holds, for every key, the distance between how the sensitive values are
// spread among its records and in the file, in [0,1]. Of an ordered variable it is
// the earth mover's distance with equal steps between the values that occur, missing
// ones left out: NaN for a key without a value. Of a nominal one it is half the sum of
// the absolute differences of all shares, missing being a category.
type Closeness struct {
	Spread   *Spread
	Distance []float64
}

// Close returns the distances of all keys, in time proportional to the values that
// they have, times the logarithm of the number of levels. The error is that of ctx.
func Close(ctx context.Context, s *Spread) (*Closeness, error) {
	n := s.Table.Keys()
	c := &Closeness{Spread: s, Distance: make([]float64, n)}
	distance := s.distance()
	err := parallel.Blocks(ctx, n, parallel.Workers(n, runtime.GOMAXPROCS(0)), func(_, from, to int) {
		for key := from; key < to; key++ {
			c.Distance[key] = distance(s.Of(key))
		}
	})
	return c, err
}

// distance returns the distance of a key with these values.
func (s *Spread) distance() func(codes []uint32, count []int) float64 {
	if s.Ordered {
		return s.ordered()
	}
	return s.nominal()
}

// nominal returns the distance of a key with these values: categories that it lacks
// add their share of the file.
func (s *Spread) nominal() func(codes []uint32, count []int) float64 {
	total := 0
	for _, n := range s.Counts {
		total += n
	}
	return func(codes []uint32, count []int) float64 {
		records := 0
		for _, n := range count {
			records += n
		}
		sum, lacking := 0.0, total
		for i, code := range codes {
			sum += math.Abs(float64(count[i])/float64(records) - float64(s.Counts[code])/float64(total))
			lacking -= s.Counts[code]
		}
		return (sum + float64(lacking)/float64(total)) / 2
	}
}

// ordered returns the distance of a key with these values: the sum of the
// differences between the two cumulative shares, over the steps between values.
// Between two values of the key its own share is constant and the file's rises:
// where they cross is looked for, and what lies before and behind is known as a sum.
func (s *Spread) ordered() func(codes []uint32, count []int) float64 {
	rank := make([]int, len(s.Counts)) // per code, among the values that occur, from 0
	var below []float64                // share of the file up to each rank
	sums := []float64{0}               // of below, before each rank
	total, so := 0, 0
	for _, n := range s.Counts[1:] {
		total += n
	}
	for code, n := range s.Counts {
		if code == 0 || n == 0 {
			continue
		}
		rank[code] = len(below)
		so += n
		below = append(below, float64(so)/float64(total))
		sums = append(sums, sums[len(sums)-1]+below[len(below)-1])
	}
	steps := len(below) - 1
	between := func(from, to int, share float64) float64 { // over the ranks from up to to
		crossing := from + sort.Search(to-from, func(i int) bool { return below[from+i] >= share })
		return float64(share*float64(crossing-from)) - (sums[crossing] - sums[from]) + (sums[to] - sums[crossing]) -
			float64(share*float64(to-crossing))
	}
	return func(codes []uint32, count []int) float64 {
		if codes[0] == 0 {
			codes, count = codes[1:], count[1:]
		}
		records := 0
		for _, n := range count {
			records += n
		}
		switch {
		case records == 0:
			return math.NaN()
		case steps < 1:
			return 0
		}
		sum, at, have := 0.0, 0, 0
		for i, code := range codes {
			sum += between(at, rank[code], float64(have)/float64(records))
			at = rank[code]
			have += count[i]
		}
		sum += between(at, steps, 1)
		return math.Max(0, sum) / float64(steps)
	}
}
