package profile

import (
	"context"
	"math"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Bins are equally wide intervals [Start + i*Step, Start + (i+1)*Step) of round
// numbers.
type Bins struct {
	Start, Step float64
	Count       int
}

// RoundBins returns at most so many bins, two or more, that hold all numbers from low
// to high and have the narrowest step of 1, 2 or 5 times a power of ten. Whole
// numbers have no step below 1.
func RoundBins(low, high float64, most int, whole bool) Bins {
	most = max(most, 2) // numbers on both sides of zero are in no single round bin
	step := RoundStep((high - low) / float64(most))
	if whole {
		step = max(step, 1)
	}
	for {
		bins := Bins{Start: math.Floor(low/step) * step, Step: step}
		if bins.Start > low {
			bins.Start -= step // the quotient was rounded up
		}
		if end := bins.Start + float64(most)*step; math.IsInf(bins.Start, 0) || math.IsInf(end, 0) || math.IsNaN(end) {
			return evenBins(low, high, most)
		}
		bins.Count = int(math.Floor((high-bins.Start)/step)) + 1
		if bins.Start <= low && bins.Count <= most { // a step may be lost beside large numbers
			return bins
		}
		step = RoundStep(step * 1.5)
	}
}

// evenBins returns so many bins from low on, which need not be round: round ones would end beyond a double.
func evenBins(low, high float64, most int) Bins {
	step := math.Nextafter(high/float64(most)-low/float64(most), math.Inf(1))
	return Bins{Start: low, Step: step * (1 + 1e-12), Count: most}
}

// RoundStep returns the smallest of 1, 2 and 5 times powers of ten that is not
// below a width, spelled as decimals are; 1 for a width of zero.
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

// decimal returns the number that is written with a few digits: what is computed from
// powers of ten can differ from it in the last bit.
func decimal(x float64) float64 {
	value, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 9, 64), 64)
	if err != nil {
		return x // beyond what floating point can count
	}
	return value
}

// Lower returns the lower end of a bin.
func (b Bins) Lower(bin int) float64 {
	half := b.Start/2 + float64(float64(bin)*(b.Step/2)) // no part of it is beyond a double
	return max(-math.MaxFloat64, min(math.MaxFloat64, 2*half))
}

// Of returns the bin of a number; false: it is in none.
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

// Histogram counts records and weights by bins.
type Histogram struct {
	Bins
	Records []int
	Weights []float64 // nil without weights
	Outside int       // records whose number is in no bin
	Below   int       // of these, those whose number is lower than all
	whole   bool
}

// Overlay is the distribution of a variable now and in the original, by the same bins.
type Overlay struct{ Now, Before *Histogram }

// Overlays counts both versions by at most so many round bins from low to high for each of some
// numbers, which ascend; with weights, where there are some, the weights too. Errors: that of ctx.
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

// Finest returns the last of some distributions with at most so many bins, or the first one.
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

// Label returns what a bin is called: its lower end, and that of the next one, which
// is not in it.
func (b Bins) Label(bin int) string {
	return wording.Thousands(roundText(b.Lower(bin), b.Step)) + " to <" +
		wording.Thousands(roundText(b.Lower(bin+1), b.Step))
}

// Name returns what a bin is called: the one whole number in it, or its ends.
func (h *Histogram) Name(bin int) string {
	if h.whole && h.Step == 1 {
		return h.Single(bin)
	}
	return h.Label(bin)
}

// Single returns what a bin of one whole number is called: that number, as files have it.
func (b Bins) Single(bin int) string { return roundText(b.Lower(bin), 1) }

// roundText writes a multiple of a step with as many decimals as the step has.
func roundText(x, step float64) string {
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	return strconv.FormatFloat(x, 'f', min(decimals, 12), 64)
}
