package numericrisk

import (
	"context"
	"math"
	"sort"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// intervals returns, for each pair, the smallest k for which every original value lies within k standard
// deviations of the masked variable from its masked value. If a masked variable is constant, k is 0 for equal
// values and otherwise infinite.
func intervals(p *numeric.Pairs) []float64 {
	out := make([]float64, len(p.Rows))
	for j, masked := range p.Current {
		sd := 0.0
		if len(masked) > 1 {
			sd = stat.StandardDeviation(masked)
		}
		for i, x := range p.Original[j] {
			k := 0.0
			if d := math.Abs(x - masked[i]); d > 0 {
				k = d / sd // +Inf if sd is 0
			}
			out[i] = max(out[i], k)
		}
	}
	return out
}

// rankIntervals returns, for each pair, the smallest percentage of the records for which the rank interval around
// each masked value contains its original value. Equal masked values share their ranks; at the ends the interval
// is open.
func rankIntervals(ctx context.Context, p *numeric.Pairs) ([]float64, error) {
	n := len(p.Rows)
	by := make([][]int, len(p.Names))
	err := parallel.Each(ctx, len(by), func(j int) error {
		by[j] = rankDistances(p.Original[j], p.Current[j])
		return nil
	})
	out := make([]float64, n)
	for i := range out {
		most := 0
		for _, distances := range by {
			most = max(most, distances[i])
		}
		out[i] = 100 * float64(most) / float64(n)
	}
	return out, err
}

// rankDistances returns, for each record, how many ranks the interval around the masked value must extend on
// either side to contain the original value.
func rankDistances(original, masked []float64) []int {
	order, n := stat.Order(masked), len(masked)
	sorted, out := make([]float64, n), make([]int, n)
	for rank, record := range order {
		sorted[rank] = masked[record]
	}
	for from := 0; from < n; {
		to := from + 1
		for to < n && sorted[to] == sorted[from] {
			to++
		}
		for _, record := range order[from:to] {
			switch x := original[record]; {
			case x > sorted[from]:
				above := min(sort.SearchFloat64s(sorted, x), n-1)
				out[record] = above - (to - 1)
			case x < sorted[from]:
				below := max(sort.Search(n, func(i int) bool { return sorted[i] > x })-1, 0)
				out[record] = from - below
			}
		}
		from = to
	}
	return out
}

// outliers counts the records above a percentile of the original data.
type outliers struct {
	original, now, kept int
	of                  []float64 // per pair: 1 if it is an outlier now
}

func (r *Risk) outliers(p *numeric.Pairs) outliers {
	o := outliers{of: make([]float64, len(p.Rows))}
	was := make([]bool, len(p.Rows))
	for j, values := range p.Original {
		limit := stat.Quantile(values, r.Outlier/100)
		for i, x := range values {
			was[i] = was[i] || x > limit
			if p.Current[j][i] > limit {
				o.of[i] = 1
			}
		}
	}
	for i, before := range was {
		if before {
			o.original++
		}
		if o.of[i] > 0 {
			o.now++
		}
		if before && o.of[i] > 0 {
			o.kept++
		}
	}
	return o
}
