package diversity

import (
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Diversity holds three kinds of l-diversity of every key pattern.
type Diversity struct {
	Spread    *Spread
	C         float64   // for the recursive kind
	Distinct  []uint32  // distinct values; plus one if some are missing, but not all
	Entropy   []float64 // exp of the entropy over the same categories
	Recursive []uint32  // largest l such that the most frequent value is less frequent than C times the l-th and all less frequent ones together; at least 1
}

// logs has n ln n for the first integers n.
var logs = func() (logs [256]float64) {
	for n := 2; n < len(logs); n++ {
		logs[n] = float64(n) * math.Log(float64(n))
	}
	return logs
}()

func timesLog(n int) float64 {
	if n < len(logs) {
		return logs[n]
	}
	return float64(n) * math.Log(float64(n))
}

// Of returns the l-diversity of all key patterns, in time proportional to the number of their distinct values. It
// returns the error of ctx, if any.
func Of(ctx context.Context, s *Spread, c float64) (*Diversity, error) {
	n := s.Table.Keys()
	d := &Diversity{Spread: s, C: c, Distinct: make([]uint32, n), Entropy: make([]float64, n),
		Recursive: make([]uint32, n)}
	workers := parallel.Workers(n, runtime.GOMAXPROCS(0))
	room := make([][]int, workers)
	err := parallel.Blocks(ctx, n, workers, func(worker, from, to int) {
		for key := from; key < to; key++ {
			room[worker] = d.set(key, room[worker])
		}
	})
	return d, err
}

// set computes the figures of a key pattern. room is a buffer for sorting.
func (d *Diversity) set(key int, room []int) []int {
	codes, count := d.Spread.Of(key)
	d.Distinct[key], d.Entropy[key], d.Recursive[key], room = diversityOf(codes, count, d.C, room)
	return room
}

// diversityOf returns the three kinds for values with their numbers of records. room is a buffer for sorting.
func diversityOf(codes []uint32, count []int, c float64,
	room []int) (distinct uint32, entropy float64, recursion uint32, _ []int) {
	present := count
	if codes[0] == 0 {
		present = count[1:]
	}
	entropy, recursion = 1, 1
	if distinct = uint32(len(count)); len(present) == 0 {
		distinct = 0
	}
	if len(count) > 1 {
		records, sum := 0, 0.0
		for _, n := range count {
			records += n
			sum += timesLog(n)
		}
		entropy = math.Exp((timesLog(records) - sum) / float64(records))
	}
	if len(present) > 1 {
		room = append(room[:0], present...)
		slices.Sort(room)
		recursion = recursive(room, c)
	}
	return distinct, entropy, recursion, room
}

// recursive returns the recursive l, at least 1, for counts in ascending order.
func recursive(counts []int, c float64) uint32 {
	most, rest := float64(counts[len(counts)-1]), 0.0
	for i, n := range counts {
		if rest += float64(n); most < float64(c*rest) {
			return uint32(len(counts) - i)
		}
	}
	return 1
}
