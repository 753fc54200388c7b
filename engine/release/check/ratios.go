package check

import (
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// ratios compares variables with the weights of some records. A replicate weight is the weight times one of a few
// factors: 0 and 2 (balanced half-samples), 0.5 and 1.5 (Fay), 0, 1 and n/(n-1) (jackknife), 0, 1, 2, ... (bootstrap).
// Calibration moves the factors a little.
type ratios struct {
	rows  []int     // of these records
	logs  []float64 // of the weights of these records
	width float64   // of the windows that factors lie in, as a logarithm; 0: the weights hardly differ
}

const (
	mostCompared = 5000 // records
	mostRatios   = 6
	widestRatio  = 0.1
	leastSpread  = 0.01 // of the logarithms of weights
)

// newRatios takes evenly spread records with a positive weight.
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

// multiple reports whether a variable is 0 or a few multiples of the weight: its ratios to the weight lie in a few
// windows, and its own values in at least twice as many, so that it is no variable with few values.
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
	if 4*len(own) < len(f.rows) { // in every replicate at least a quarter of the records count
		return false
	}
	slices.Sort(own)
	slices.Sort(of)
	needed := f.windows(of, mostRatios)
	return needed <= mostRatios && f.windows(own, 2*needed-1) >= 2*needed
}

// windows returns how many windows hold 95 % of some sorted numbers, the fullest ones first; most + 1 if more than most.
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
