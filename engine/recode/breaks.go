package recode

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// How breaks are chosen where a number of intervals is asked for.
const (
	ByEqualWidths  = "equidistant" // equal widths
	ByLogarithms   = "logarithmic" // equal widths of the logarithms
	ByEqualAmounts = "quantiles"   // equal numbers of records
)

// EquidistantBreaks returns the count+1 ends of count intervals of the same
// width from low to high; nil where count is below 1.
func EquidistantBreaks(low, high float64, count int) []float64 {
	if count < 1 {
		return nil
	}
	breaks := make([]float64, count+1)
	for i := range breaks {
		// The products are rounded before they are added: no fused multiply-add.
		share := float64(i) / float64(count)
		breaks[i] = steady(float64(low*(1-share)) + float64(high*share))
	}
	breaks[0], breaks[count] = low, high
	return breaks
}

// LogarithmicBreaks returns the count+1 ends of count intervals from low to
// high, each as many times as high as the one before; nil where count is below
// 1 or low is not above 0.
func LogarithmicBreaks(low, high float64, count int) []float64 {
	if count < 1 || !(low > 0) {
		return nil
	}
	breaks := make([]float64, count+1)
	for i := range breaks {
		breaks[i] = steady(low * math.Pow(high/low, float64(i)/float64(count)))
	}
	breaks[0], breaks[count] = low, high
	return breaks
}

// QuantileBreaks returns the count+1 quantiles 0, 1/count, ..., 1 of records
// of which counts[i] have the value values[i]; values ascend, missing ones are
// not among them. They are of type 7: between the neighbours of place
// (n-1) p + 1 in the sorted values the quantile is interpolated. Equal ones
// are not merged. Nil where there is no record or count is below 1.
//
// Source: Hyndman and Fan (1996), Sample quantiles in statistical packages.
func QuantileBreaks(values []float64, counts []int, count int) []float64 {
	upTo := make([]int, len(values)) // records with a value up to this one
	records := 0
	for i := range values {
		records += counts[i]
		upTo[i] = records
	}
	if records == 0 || count < 1 {
		return nil
	}
	at := func(place int) float64 { // the value at a place, from 0, in the sorted records
		i, _ := slices.BinarySearch(upTo, min(place, records-1)+1)
		return values[i]
	}
	breaks := make([]float64, count+1)
	for i := range breaks {
		place, rest := (records-1)*i/count, (records-1)*i%count
		lower, upper := at(place), at(place+1)
		breaks[i] = lower
		if rest != 0 && lower != upper {
			share := float64(rest) / float64(count)
			breaks[i] = steady(float64(lower*(1-share)) + float64(upper*share))
		}
	}
	return breaks
}

// steady rounds to 14 significant digits, so that a break which should meet a
// value of the file, such as 0.3, meets it on every machine.
func steady(x float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 13, 64), 64)
	if err != nil {
		return x
	}
	return rounded
}

// TidyBreaks returns breaks that part the same values, spelled as briefly as
// goes: whole numbers where the values are whole, else few decimals. Every
// break but the outer ones moves by less than a tenth of the narrower interval
// beside it, and not across a value; the outer ones move outwards, so that the
// labels need not tell the smallest and the largest value. For whole numbers
// the first break is one below the first interval's numbers. Equal breaks are
// merged: the result can be shorter. values ascend.
func TidyBreaks(breaks, values []float64, whole bool) []float64 {
	breaks = slices.Compact(slices.Clone(breaks))
	if len(breaks) < 2 || len(values) == 0 {
		return breaks
	}
	last := len(breaks) - 1
	tidied := make([]float64, len(breaks))
	for i, b := range breaks {
		width := math.Inf(1)
		if i > 0 {
			width = b - breaks[i-1]
		}
		if i < last {
			width = math.Min(width, breaks[i+1]-b)
		}
		places := decimalPlaces(width, whole)
		switch i {
		case 0:
			tidied[0] = below(b, places)
			if whole {
				tidied[0]--
			}
		case last:
			tidied[last] = -below(-b, places)
		default:
			tidied[i] = between(b, values, places, whole)
		}
	}
	return slices.Compact(tidied)
}

// decimalPlaces returns the number of decimals of steps of a power of ten, at
// most a tenth of the width; below 0 for tens, hundreds and so on. Whole
// numbers have no decimals.
func decimalPlaces(width float64, whole bool) int {
	text := strconv.FormatFloat(width, 'e', -1, 64)
	power, err := strconv.Atoi(text[strings.LastIndexByte(text, 'e')+1:])
	if err != nil {
		return 0
	}
	places := 1 - power
	if whole {
		places = min(places, 0)
	}
	return places
}

// below returns the highest number with so many decimals that is not above x;
// x itself where floating point cannot tell.
func below(x float64, places int) float64 {
	scale := math.Pow10(max(places, -places))
	if math.IsInf(scale, 0) || scale == 0 {
		return x
	}
	down := math.Floor(x/scale) * scale
	if places > 0 {
		down = math.Floor(x*scale) / scale
		if up := (math.Floor(x*scale) + 1) / scale; up <= x {
			down = up
		}
	}
	if math.IsInf(down, 0) || math.IsNaN(down) || down > x {
		return x
	}
	return down
}

// between returns the number with the fewest decimals, from places on, that
// parts the values as b does: the nearest to b of them. Whole numbers are parted
// by the one below b if no round one does.
func between(b float64, values []float64, places int, whole bool) float64 {
	above := sort.Search(len(values), func(i int) bool { return values[i] > b })
	parts := func(x float64) bool {
		return (above == 0 || x >= values[above-1]) && (above == len(values) || x < values[above])
	}
	for ; places <= 15; places++ {
		if whole && places == 0 {
			return math.Floor(b)
		}
		down, up := below(b, places), -below(-b, places)
		switch {
		case parts(up) && (up-b < b-down || !parts(down)):
			return up
		case parts(down):
			return down
		}
	}
	return b
}
