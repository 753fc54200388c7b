package profile

import (
	"context"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Spread has the quantiles and moments of a variable's numbers. Infinite numbers count as missing.
type Spread struct {
	Count, Missing    int
	Mean, SD          float64 // NaN without numbers; SD divides by Count - 1
	Least, Most       float64
	Q1, Median, Q3    float64 // interpolated between order statistics
	LowTail, HighTail float64 // 0.005 and 0.995 quantiles
}

// NewSpread computes the spread of a numeric variable in O(n log n) time. Weights are ignored. It returns the
// error of ctx, if any.
func NewSpread(ctx context.Context, column *microdata.Column) (*Spread, error) {
	s := &Spread{Mean: math.NaN(), SD: math.NaN(), Least: math.NaN(), Most: math.NaN(), Q1: math.NaN(), Median: math.NaN(),
		Q3:      math.NaN(),
		LowTail: math.NaN(), HighTail: math.NaN()}
	var values []float64
	each(ctx, column, func(row int, x float64) {
		if math.IsInf(x, 0) {
			return
		}
		for range column.RecordsAt(row) {
			values = append(values, x)
		}
	})
	s.Count, s.Missing = len(values), column.Records()-len(values)
	if len(values) == 0 || ctx.Err() != nil {
		return s, ctx.Err()
	}
	s.Mean = stat.Mean(values)
	if len(values) > 1 {
		s.SD = stat.StandardDeviation(values)
	}
	slices.Sort(values)
	s.Least, s.Most = values[0], values[len(values)-1]
	for share, to := range map[float64]*float64{0.005: &s.LowTail, 0.25: &s.Q1, 0.5: &s.Median, 0.75: &s.Q3,
		0.995: &s.HighTail} {
		*to = stat.SortedQuantile(values, share)
	}
	return s, ctx.Err()
}

// Spreads computes the spread of both versions of a numeric variable. It returns the error of ctx, if any.
func (v Versions) Spreads(ctx context.Context) (now, before *Spread, err error) {
	if before, err = NewSpread(ctx, v.Before); err != nil || v.Now == v.Before {
		return before, before, err
	}
	now, err = NewSpread(ctx, v.Now)
	return now, before, err
}

// Correlation returns the correlation of two numeric variables over the records in which both have finite values.
// It is NaN if there are fewer than two, one variable is constant, or squares overflow. It returns the error of
// ctx, if any.
func Correlation(ctx context.Context, a, b *microdata.Column) (float64, error) {
	pairs := func(visit func(n, x, y float64)) {
		each(ctx, a, func(row int, x float64) {
			if y := b.Float(row); !math.IsNaN(y) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
				visit(float64(a.RecordsAt(row)), x, y)
			}
		})
	}
	var count, sumX, sumY, xx, yy, xy float64
	rangeX, rangeY := emptyRange(), emptyRange()
	pairs(func(n, x, y float64) {
		count, sumX, sumY = count+n, sumX+float64(n*x), sumY+float64(n*y)
		rangeX.add(x)
		rangeY.add(y)
	})
	meanX, meanY := sumX/count, sumY/count
	pairs(func(n, x, y float64) {
		dx, dy := x-meanX, y-meanY
		xx, yy, xy = xx+float64(n*dx*dx), yy+float64(n*dy*dy), xy+float64(n*dx*dy)
	})
	if !(rangeX.Low < rangeX.High && rangeY.Low < rangeY.High && xx > 0 && yy > 0) || math.IsInf(xx, 0) ||
		math.IsInf(yy, 0) {
		return math.NaN(), ctx.Err()
	}
	return max(-1, min(1, xy/math.Sqrt(xx)/math.Sqrt(yy))), ctx.Err()
}

// Density counts the records in a grid over the ranges of two variables: columns from the left for the first, rows
// from the bottom for the second.
type Density struct {
	Records [][]int // by row and column
	Inside  int     // records with both numbers inside the ranges
	Outside int     // records with both numbers, but outside
}

// Range is a closed interval of numbers.
type Range struct{ Low, High float64 }

func emptyRange() Range { return Range{math.Inf(1), math.Inf(-1)} }

// add extends the range to include a number.
func (r *Range) add(x float64) { r.Low, r.High = min(r.Low, x), max(r.High, x) }

// part returns the index of the part that contains a number, if the range is divided into count parts.
func (r Range) part(x float64, count int) (int, bool) {
	if !(x >= r.Low && x <= r.High) {
		return 0, false
	}
	if r.High == r.Low {
		return count / 2, true
	}
	share := (x - r.Low) / (r.High - r.Low)
	if math.IsInf(r.High-r.Low, 0) { // the difference of halves does not overflow
		share = (x/2 - r.Low/2) / (r.High/2 - r.Low/2)
	}
	return min(count-1, int(share*float64(count))), true
}

// NewDensity counts the records of two numeric variables in ranges. It returns the error of ctx, if any.
func NewDensity(ctx context.Context, x, y *microdata.Column, across, up Range, columns, rows int) (*Density, error) {
	d := &Density{Records: make([][]int, rows)}
	for i := range d.Records {
		d.Records[i] = make([]int, columns)
	}
	each(ctx, x, func(row int, value float64) {
		other := y.Float(row)
		if math.IsNaN(other) {
			return
		}
		i, inside := across.part(value, columns)
		j, ok := up.part(other, rows)
		if !inside || !ok {
			d.Outside += x.RecordsAt(row)
			return
		}
		d.Records[j][i] += x.RecordsAt(row)
		d.Inside += x.RecordsAt(row)
	})
	return d, ctx.Err()
}
