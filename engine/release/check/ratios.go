package check

import (
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// ratios compares variables with the weights of a sample of records. A replicate weight is the weight multiplied
// by one of a few factors: 0 and 2 (balanced half-samples), 0.5 and 1.5 (Fay), 0, 1 and n/(n-1) (jackknife), 0, 1,
// 2, ... (bootstrap). Calibration changes the factors slightly.
type ratios struct {
	rows  []int     // weights of these rows
	logs  []float64 // logarithms of these weights
	width float64   // width of the windows that contain factors, as a logarithm; 0: the weights hardly differ
}

const (
	mostCompared = 5000 // records
	mostRatios   = 6
	widestRatio  = 0.1
	leastSpread  = 0.01 // minimum spread of the logarithms of weights
)

// newRatios samples equally spaced records with a positive weight.
func newRatios(weight *microdata.Column) *ratios {
	f := &ratios{}
	every := weight.Len()/mostCompared + 1
	for row := 0; row < weight.Len(); row += every {
		if x := weight.Float(row); x > 0 {
			f.rows, f.logs = append(f.rows, row), append(f.logs, math.Log(x))
		}
	}
	if len(f.rows) < leastReplicates {
		return f
	}
	if spread := stat.StandardDeviation(f.logs); spread >= leastSpread {
		f.width = min(widestRatio, spread/2)
	}
	return f
}

// multiple reports whether the values of a variable are 0 or a few multiples of the weight: its ratios to the
// weight lie in a few windows, but its own values in at least twice as many, so that it is not merely a variable
// with few values.
func (f *ratios) multiple(c *microdata.Column) bool {
	own, of := make([]float64, 0, len(f.rows)), make([]float64, 0, len(f.rows))
	for i, row := range f.rows {
		switch x := c.Float(row); {
		case x < 0:
			return false
		case x > 0:
			own, of = append(own, math.Log(x)), append(of, math.Log(x)-f.logs[i])
		}
	}
	if 4*len(own) < len(f.rows) { // every replicate uses at least a quarter of the records
		return false
	}
	slices.Sort(own)
	slices.Sort(of)
	needed := f.windows(of, mostRatios)
	return needed <= mostRatios && f.windows(own, 2*needed-1) >= 2*needed
}

// windows returns the number of windows that contain 95 % of sorted numbers, fullest first, or most + 1 if there
// are more than most.
func (f *ratios) windows(sorted []float64, most int) int {
	left, out := slices.Clone(sorted), len(sorted)/20
	for n := 0; ; n++ {
		switch {
		case len(left) <= out:
			return n
		case n == most:
			return most + 1
		}
		from, to := 0, 0
		for i, end := 0, 0; i < len(left); i++ {
			for end < len(left) && left[end] <= left[i]+f.width {
				end++
			}
			if end-i > to-from {
				from, to = i, end
			}
		}
		left = slices.Delete(left, from, to)
	}
}
