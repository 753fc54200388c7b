package profile

import (
	"context"
	"math"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Bins are intervals [Start + i*Step, Start + (i+1)*Step) of equal width with round ends.
type Bins struct {
	Start, Step float64
	Count       int
}

// RoundBins returns at most most bins, but at least two, that contain all numbers from low to high. The width is
// the smallest possible of 1, 2 or 5 times a power of ten, and at least 1 for integers.
func RoundBins(low, high float64, most int, whole bool) Bins {
	most = max(most, 2) // no single round bin contains numbers on both sides of zero
	step := RoundStep((high - low) / float64(most))
	if whole {
		step = max(step, 1)
	}
	for {
		bins := Bins{Start: math.Floor(low/step) * step, Step: step}
		if bins.Start > low {
			bins.Start -= step // corrects a quotient that was rounded up
		}
		if end := bins.Start + float64(most)*step; math.IsInf(bins.Start, 0) || math.IsInf(end, 0) || math.IsNaN(end) {
			return evenBins(low, high, most)
		}
		bins.Count = int(math.Floor((high-bins.Start)/step)) + 1
		if bins.Start <= low && bins.Count <= most { // a small step may have no effect on large numbers
			return bins
		}
		step = RoundStep(step * 1.5)
	}
}

// evenBins returns the given number of bins from low on, which need not be round, because the end of round ones
// would overflow.
func evenBins(low, high float64, most int) Bins {
	step := math.Nextafter(high/float64(most)-low/float64(most), math.Inf(1))
	return Bins{Start: low, Step: step * (1 + 1e-12), Count: most}
}

// RoundStep returns the smallest of 1, 2 and 5 times powers of ten that is at least the given width, exact as a
// decimal literal, or 1 for width zero.
func RoundStep(width float64) float64 {
	if !(width > 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(width)))
	for _, times := range []float64{1, 2, 5} {
		if times*power >= width*(1-1e-12) {
			return decimal(times * power)
		}
	}
	return decimal(10 * power)
}

// decimal returns the number closest to the short decimal representation of x, because results computed from
// powers of ten can differ from it in the last bit.
func decimal(x float64) float64 {
	value, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 9, 64), 64)
	if err != nil {
		return x // exceeds floating-point precision
	}
	return value
}

// Lower returns the lower end of a bin.
func (b Bins) Lower(bin int) float64 {
	half := b.Start/2 + float64(float64(bin)*(b.Step/2)) // halves do not overflow
	return max(-math.MaxFloat64, min(math.MaxFloat64, 2*half))
}

// Of returns the bin of a number, or false if it is in none.
func (b Bins) Of(x float64) (int, bool) {
	place := math.Floor((x - b.Start) / b.Step)
	if math.IsInf(x-b.Start, 0) {
		place = math.Floor(x/b.Step - b.Start/b.Step)
	}
	if !(place >= 0 && place < float64(b.Count)) {
		return 0, false
	}
	return int(place), true
}

// Histogram has the records and weights by bin.
type Histogram struct {
	Bins
	Records []int
	Weights []float64 // nil without weights
	Outside int       // records with a number in no bin
	Below   int       // of these, records with a number below all bins
	whole   bool
}

// Overlay has the distribution of a variable now and in the original, with the same bins.
type Overlay struct{ Now, Before *Histogram }

// Overlays counts both versions by round bins from low to high, once for each maximum number of bins, which are
// ascending. If there are weights, it also sums these. It returns the error of ctx, if any.
func (v Versions) Overlays(ctx context.Context, weights []float64, low, high float64, most ...int) ([]Overlay, error) {
	all := make([]Overlay, len(most))
	for i := range all {
		bins := RoundBins(low, high, most[i], v.Now.Kind() == microdata.Whole && v.Before.Kind() == microdata.Whole)
		var err error
		if all[i].Now, err = histogram(ctx, v.Now, bins, weights); err != nil {
			return nil, err
		}
		if all[i].Before = all[i].Now; v.Before != v.Now {
			if all[i].Before, err = histogram(ctx, v.Before, bins, weights); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// Finest returns the last of the distributions with at most most bins, or else the first.
func Finest(all []Overlay, most int) (finest Overlay) {
	for i, o := range all {
		if i == 0 || o.Now.Count <= most {
			finest = o
		}
	}
	return finest
}

func histogram(ctx context.Context, column *microdata.Column, bins Bins, weights []float64) (*Histogram, error) {
	h := &Histogram{Bins: bins, Records: make([]int, bins.Count), whole: column.Kind() == microdata.Whole}
	if weights != nil {
		h.Weights = make([]float64, bins.Count)
	}
	each(ctx, column, func(row int, x float64) {
		bin, ok := bins.Of(x)
		if !ok {
			h.Outside += column.RecordsAt(row)
			if x < bins.Start {
				h.Below += column.RecordsAt(row)
			}
			return
		}
		h.Records[bin] += column.RecordsAt(row)
		if weights != nil {
			h.Weights[bin] += weights[row]
		}
	})
	return h, ctx.Err()
}

// Label returns the label of a bin: its lower end, and the lower end of the next bin, which it does not include.
func (b Bins) Label(bin int) string {
	return wording.Thousands(roundText(b.Lower(bin), b.Step)) + " to <" +
		wording.Thousands(roundText(b.Lower(bin+1), b.Step))
}

// Name returns the name of a bin: the only integer in it, or its ends.
func (h *Histogram) Name(bin int) string {
	if h.whole && h.Step == 1 {
		return h.Single(bin)
	}
	return h.Label(bin)
}

// Single returns the name of a bin with a single integer: that integer, in the notation of files.
func (b Bins) Single(bin int) string { return roundText(b.Lower(bin), 1) }

// roundText formats a multiple of a step with as many decimals as the step has.
func roundText(x, step float64) string {
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	return strconv.FormatFloat(x, 'f', min(decimals, 12), 64)
}
