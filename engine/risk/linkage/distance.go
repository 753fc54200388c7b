package linkage

import (
	"context"
	"math"
	"runtime"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// linker has two files, by variable and record, and the true match of each masked record in the known file, or -1
// if it has none.
type linker struct {
	masked, known [][]float64
	truth         []int
}

// each calls link for every masked record, with its values and a buffer for those of another record, on several
// processors.
func (l *linker) each(ctx context.Context, meter *progress.Meter, link func(i int, at, other []float64)) error {
	n := len(l.truth)
	const block = 1 << 10 // records between two checks of the context
	return parallel.Tasks(ctx, (n+block-1)/block, runtime.GOMAXPROCS(0), func(_, task int) {
		at, other := make([]float64, len(l.masked)), make([]float64, len(l.masked))
		from, to := task*block, min((task+1)*block, n)
		for i := from; i < to; i++ {
			for j := range at {
				at[j] = l.masked[j][i]
			}
			link(i, at, other)
		}
		meter.Add(int64(to - from))
	})
}

// of returns the values of a known record in the buffer into.
func (l *linker) of(record int, into []float64) []float64 {
	for j := range l.known {
		into[j] = l.known[j][record]
	}
	return into
}

// byDistance returns, for each masked record, the probability that its nearest known record is the true match: 1
// divided by the number of ties, or 0.
func (l *linker) byDistance(ctx context.Context, meter *progress.Meter) ([]float64, error) {
	tree, out := stat.NewTree(l.known, nil), make([]float64, len(l.truth))
	err := l.each(ctx, meter, func(i int, at, other []float64) {
		if l.truth[i] < 0 {
			return
		}
		own := tree.Distance(at, l.of(l.truth[i], other))
		if nearer, ties := tree.Nearer(at, own, -1); !nearer {
			out[i] = 1 / float64(ties)
		}
	})
	return out, err
}

// share returns the mean of the probabilities of records that have a true match, or NaN if none has one.
func (l *linker) share(found []float64) float64 {
	sum, count := 0.0, 0
	for i, p := range found {
		if l.truth[i] >= 0 {
			sum, count = sum+p, count+1
		}
	}
	if count == 0 {
		return math.NaN()
	}
	return sum / float64(count)
}
