package suda

import (
	"context"
	"math"
	"math/bits"
	"runtime"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Scores of an MSU of s out of q variables. M is the maximum size of the search or q-1.
const (
	Elliot = "elliot" // the product of q - i for i from s to M
	IHSN   = "ihsn"   // (2^(q-s) - 1) s! (q-s)! / q!
)

// Options are the parameters of Find.
type Options struct {
	Score    string  // Elliot or IHSN, or "" for Elliot
	MaxSize  int     // maximum number of variables of an MSU; 0: see LargestSize
	Fraction float64 // sampling fraction, in (0,1)
}

// mostSets is the maximum number of sets of variables searched if no maximum size is given.
const mostSets = 1 << 14

// LargestSize returns the default maximum size of MSUs: all q variables up to q = 14, else the largest size for
// which there are at most 16,384 sets.
func LargestSize(q int) int {
	sets, choose := 0.0, 1.0
	for size := 1; size <= q; size++ {
		choose *= float64(q-size+1) / float64(size)
		if sets += choose; math.Round(sets) >= mostSets {
			return size - 1
		}
	}
	return q
}

// Result holds the MSUs of all key patterns and the scores computed from them. It is immutable.
type Result struct {
	Options   Options // with the maximum size searched
	Variables int
	U         int     // records that are unique on all key variables
	P         int     // records that share their key pattern with exactly one other
	Rate      float64 // DIS: probability that a unique match is correct; NaN without uniques
	Scored    int     // records with an MSU
	Highest   float64 // highest score
	BySize    []int   // number of MSUs by size, from 0
	// Variable holds, per variable, the share of all scores that comes from MSUs with the variable, in [0,1]; the
	// shares add up to more than 1. Category does so per category; code 0 is missing.
	Variable []float64
	Category [][]float64

	table   *keys.Table
	uniques *uniques
	weights []float64 // score of an MSU by size
	scores  []float64 // per key pattern
	dis     []float64 // per key pattern
	sum     float64   // A, the sum of s^-Q over the records with a score s
}

// Find finds the MSUs of every record of a key table. The time is at most proportional to the number of sets of up
// to MaxSize variables times the number of key patterns, and usually much less. It returns errors in the options,
// ErrTooMany or the error of ctx.
func Find(ctx context.Context, t *keys.Table, o Options, meter *progress.Meter) (*Result, error) {
	q := t.Variables()
	if !(o.Fraction > 0 && o.Fraction < 1) {
		return nil, method.ParamError("\"fraction\" is %v; it must be above 0 and below 1", o.Fraction)
	}
	if o.MaxSize == 0 {
		o.MaxSize = LargestSize(q)
	}
	o.MaxSize = min(o.MaxSize, q)
	r := &Result{Options: o, Variables: q, table: t}
	for _, count := range t.Counts() {
		switch count {
		case 1:
			r.U++
		case 2:
			r.P += 2
		}
	}
	s := newSearch(t, o.MaxSize)
	lists, err := s.run(ctx, t.Counts(), meter)
	if err != nil {
		return nil, err
	}
	if r.uniques, err = s.gather(ctx, t.Keys(), lists); err != nil {
		return nil, err
	}
	r.score()
	err = r.count(ctx)
	r.disclosure()
	return r, err
}

// score computes the score of an MSU of each size.
func (r *Result) score() {
	q := r.Variables
	r.weights = make([]float64, q+1)
	choose := 1.0
	for s := 1; s <= q; s++ {
		choose *= float64(q-s+1) / float64(s)
		if r.Options.Score == IHSN {
			r.weights[s] = (math.Ldexp(1, q-s) - 1) / choose
			continue
		}
		r.weights[s] = 1
		for i := s; i <= min(r.Options.MaxSize, q-1); i++ {
			r.weights[s] *= float64(q - i)
		}
	}
}

// tally counts MSUs by size: all, and those of each category.
type tally struct {
	all      []int
	category [][][]int // [variable][code][size]
}

func (r *Result) newTally() *tally {
	t := &tally{all: make([]int, r.Variables+1)}
	for v := range r.Variables {
		codes := make([][]int, r.table.Levels(v)+1)
		for code := range codes {
			codes[code] = make([]int, r.Variables+1)
		}
		t.category = append(t.category, codes)
	}
	return t
}

// count computes the score of each key pattern, and the shares of variables and categories. MSUs are counted by
// size and weighted at the end, so that the result does not depend on the number of workers.
func (r *Result) count(ctx context.Context) error {
	n := r.table.Keys()
	r.scores = make([]float64, n)
	codes := make([][]uint32, r.Variables)
	for v := range codes {
		codes[v] = r.table.Codes(v)
	}
	workers := parallel.Workers(n, runtime.GOMAXPROCS(0))
	tallies := make([]*tally, workers)
	for w := range tallies {
		tallies[w] = r.newTally()
	}
	err := parallel.Blocks(ctx, n, workers, func(worker, from, to int) {
		t := tallies[worker]
		for key := from; key < to; key++ {
			for _, set := range r.uniques.of(key) {
				size := bits.OnesCount64(set)
				r.scores[key] += r.weights[size]
				t.all[size]++
				for ; set != 0; set &= set - 1 {
					v := bits.TrailingZeros64(set)
					t.category[v][codes[v][key]][size]++
				}
			}
		}
	})
	r.BySize = sums(tallies, func(t *tally) []int { return t.all })
	total := r.weigh(r.BySize)
	for v := range r.Variables {
		bySize := make([]int, r.Variables+1)
		shares := make([]float64, r.table.Levels(v)+1)
		for code := range shares {
			of := sums(tallies, func(t *tally) []int { return t.category[v][code] })
			for size, count := range of {
				bySize[size] += count
			}
			shares[code] = share(r.weigh(of), total)
		}
		r.Variable, r.Category = append(r.Variable, share(r.weigh(bySize), total)), append(r.Category, shares)
	}
	for key, score := range r.scores {
		if len(r.uniques.of(key)) > 0 {
			r.Scored++
		}
		r.Highest = max(r.Highest, score)
	}
	return err
}

func sums(tallies []*tally, of func(*tally) []int) []int {
	all := slices.Clone(of(tallies[0]))
	for _, t := range tallies[1:] {
		for size, count := range of(t) {
			all[size] += count
		}
	}
	return all
}

func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

// weigh returns the score of MSUs counted by size.
func (r *Result) weigh(bySize []int) float64 {
	sum := 0.0
	for size, count := range bySize {
		sum += float64(float64(count) * r.weights[size])
	}
	return sum
}

// disclosure computes DIS and the DIS-SUDA score of every key pattern. [Elliot 2000]
func (r *Result) disclosure() {
	d := r.Options.Fraction
	u, pairs := float64(r.U)*d, float64(r.P)*(1-d)
	r.Rate = u / (u + pairs)
	if r.U == 0 {
		r.Rate = math.NaN()
	}
	power := r.power()
	r.dis = make([]float64, len(r.scores))
	last, raised := 0.0, 0.0
	for key, s := range r.scores {
		if s > 0 {
			if s != last {
				last, raised = s, math.Pow(s, power)
			}
			r.dis[key] = raised
			r.sum += 1 / raised
		}
	}
	odds := float64(r.P) * (1 - d) / d
	for key, raised := range r.dis {
		if raised > 0 {
			r.dis[key] = 1 / (1 + odds/(raised*r.sum))
		}
	}
}

// power is the exponent of scores in DIS-SUDA.
func (r *Result) power() float64 { return 1 + float64(8-r.Variables)/20 }

// Table returns the key table that was searched.
func (r *Result) Table() *keys.Table { return r.table }

// MSUs returns the minimal sample uniques of a key pattern, each a set with bit v for variable v, those of few
// variables first.
func (r *Result) MSUs(key int) []uint64 {
	sets := slices.Clone(r.uniques.of(key))
	slices.SortFunc(sets, compareSets)
	return sets
}

// Score returns the SUDA score of a key pattern, or 0 if it has no MSU.
func (r *Result) Score(key int) float64 { return r.scores[key] }

// DIS returns the DIS-SUDA score of a key pattern, in [0,1], or 0 if its score is 0.
func (r *Result) DIS(key int) float64 { return r.dis[key] }
