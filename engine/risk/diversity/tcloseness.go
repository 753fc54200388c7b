package diversity

import (
	"context"
	"math"
	"runtime"
	"sort"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Closeness holds, for every key pattern, the distance in [0,1] between the distribution of the sensitive values
// among its records and in the file. For an ordered variable it is the earth mover's distance with equal steps
// between the values that occur, ignoring missing ones; it is NaN for a key pattern without a value. For a nominal
// variable it is half the sum of the absolute differences of all shares, with missing as a category.
type Closeness struct {
	Spread   *Spread
	Distance []float64
}

// Close returns the distances of all key patterns, in time proportional to the number of their distinct values
// times the logarithm of the number of levels. It returns the error of ctx, if any.
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

// distance returns the distance function of the variable.
func (s *Spread) distance() func(codes []uint32, count []int) float64 {
	if s.Ordered {
		return s.ordered()
	}
	return s.nominal()
}

// nominal returns the distance function of a nominal variable. Categories that a key pattern lacks add their share
// of the file.
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

// ordered returns the distance function of an ordered variable: the sum of the differences between the two
// cumulative shares, divided by the number of steps between values. Between two values of the key pattern its own
// share is constant and the file's increases. The function finds where they cross by bisection and uses prefix
// sums on both sides.
func (s *Spread) ordered() func(codes []uint32, count []int) float64 {
	rank := make([]int, len(s.Counts)) // per code: rank among the values that occur, from 0
	var below []float64                // cumulative share of the file at each rank
	sums := []float64{0}               // prefix sums of below
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
	between := func(from, to int, share float64) float64 { // sum over the ranks in [from, to)
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
