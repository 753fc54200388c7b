package recode

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Cut is a division of a variable into intervals (Breaks[0], Breaks[1]], ..., or [Breaks[0], Breaks[1]), ...
type Cut struct {
	Breaks []float64 // finite, ascending, at least two
	Lower  bool      // intervals include their lower end instead of their upper end
	Closed bool      // the outer interval includes the outer break that no interval would include
	Below  bool      // the first interval includes all values below
	Above  bool      // the last interval includes all values above
	Merged int       // number of intervals fewer than requested, because breaks coincided
}

// Open returns which outer intervals have no outer end, in the notation of Intervals.
func (c *Cut) Open() string {
	switch {
	case c.Below && c.Above:
		return OpenBoth
	case c.Below:
		return OpenBelow
	case c.Above:
		return OpenAbove
	}
	return OpenNone
}

// Cut returns the cut of a column: the given breaks, or Count intervals chosen from the source values that are
// neither missing nor suppressed and tidied by tidyBreaks. It returns an error if the column is not numeric, or if
// parameters, each of them valid, conflict with each other or with the values.
func (m *Intervals) Cut(target *microdata.Column) (Cut, error) {
	if !target.Unrecoded().Numeric() {
		more := ""
		if target.Source().Numeric() { // recoded, then perturbed
			more = " any longer"
		}
		return Cut{}, fmt.Errorf("recode-intervals %w: %q is not a numeric variable%s; group its categories instead",
			method.ErrInput, m.Variable, more)
	}
	switch {
	case len(m.Breaks) == 0 && m.Count == 0:
		return Cut{}, method.ParamError("\"breaks\" is missing: give the interval bounds, or \"count\", the number of intervals")
	case len(m.Breaks) > 0 && m.Count != 0:
		return Cut{}, method.ParamError("\"breaks\" and \"count\" are both given; give the interval bounds or the number of intervals")
	}
	cut := Cut{Breaks: m.Breaks, Lower: m.RightOpen, Closed: m.IncludeLowest}
	if m.Count > 0 {
		var err error
		if cut, err = m.choose(target); err != nil {
			return Cut{}, err
		}
	}
	if m.Open == OpenBoth && len(m.Breaks) == 1 {
		at := m.Breaks[0] // outer ends are arbitrary, because both intervals are open
		cut.Breaks = []float64{at - max(1, math.Abs(at)), at, at + max(1, math.Abs(at))}
	}
	cut.Below = m.Open == OpenBelow || m.Open == OpenBoth
	cut.Above = m.Open == OpenAbove || m.Open == OpenBoth
	return cut, checkBreaks(cut.Breaks)
}

// choose returns a cut into Count intervals.
func (m *Intervals) choose(target *microdata.Column) (Cut, error) {
	from := target.Unrecoded()
	values, counts := distribution(from)
	if len(values) < 2 {
		return Cut{}, fmt.Errorf("recode-intervals %w: %q has fewer than two distinct values, so there is nothing to cut",
			method.ErrInput, m.Variable)
	}
	if m.By == ByLogarithms && !(values[0] > 0) {
		return Cut{}, fmt.Errorf("recode-intervals %w: %q has values of 0 or less, which have no logarithm; choose another method, or give "+
			"breaks",
			method.ErrInput, m.Variable)
	}
	whole := from.Kind() == microdata.Whole
	breaks := tidyBreaks(breaksBy(m.By, values, counts, m.Count), values, whole)
	if m.RightOpen && whole { // for the same integers
		for i := range breaks {
			breaks[i]++
		}
	}
	return Cut{Breaks: breaks, Lower: m.RightOpen, Closed: !whole, Merged: m.Count + 1 - len(breaks)}, nil
}

// distribution returns the distinct values of a numeric column that occur, ascending, with their numbers of
// records.
func distribution(column *microdata.Column) (values []float64, counts []int) {
	type counted struct {
		value   float64
		records int
	}
	var found []counted
	all := column.Categories().Counts()
	for i, level := range column.Categories().Levels {
		if all[i+1] > 0 {
			found = append(found, counted{level.Value, all[i+1]})
		}
	}
	slices.SortFunc(found, func(x, y counted) int { return cmp.Compare(x.value, y.value) })
	for _, f := range found {
		if last := len(values) - 1; last >= 0 && values[last] == f.value { // two notations of one number
			counts[last] += f.records
			continue
		}
		values, counts = append(values, f.value), append(counts, f.records)
	}
	return values, counts
}

// interval returns the code of the interval that contains the value, or 0.
func (c *Cut) interval(value float64) uint32 {
	last := len(c.Breaks) - 1
	// The interval ends at the first break not below the value, or above it if intervals include their lower end.
	end := sort.SearchFloat64s(c.Breaks, value)
	closing := 0
	if c.Lower {
		end, closing = sort.Search(last+1, func(i int) bool { return c.Breaks[i] > value }), last
	}
	switch {
	case math.IsNaN(value):
		return 0
	case end == 0 && !c.Below || end > last && !c.Above:
		if !c.Closed || value != c.Breaks[closing] {
			return 0
		}
	}
	return uint32(max(1, min(end, last)))
}

// Labels returns the default labels of the intervals; see labelSpan. The label of an open interval has only its
// inner end, "<=9" and "80+"; that of an interval open at both ends is "all values". whole is set for integers.
func (c *Cut) Labels(whole bool) []string {
	if len(c.Breaks) == 2 && c.Below && c.Above {
		return []string{"all values"}
	}
	var labels []string
	for i := 1; i < len(c.Breaks); i++ {
		s := labelSpan(microdata.Span{Lower: c.Breaks[i-1], Upper: c.Breaks[i], Open: !c.Lower && !(c.Closed && i == 1),
			OpenAbove: c.Lower && !(c.Closed && i == len(c.Breaks)-1)}, whole)
		if i == 1 && c.Below {
			s.First = ""
		}
		if i == len(c.Breaks)-1 && c.Above {
			s.Last = ""
		}
		labels = append(labels, spanLabel(s))
	}
	return labels
}

// checkBreaks reports breaks that do not define intervals.
func checkBreaks(breaks []float64) error {
	if len(breaks) < 2 {
		return method.ParamError("\"breaks\" needs at least two numbers, the bounds of one interval, or one number with \"open\": both")
	}
	for i, b := range breaks {
		if i > 0 && b <= breaks[i-1] {
			return method.ParamError("\"breaks\": number %d (%v) must be greater than the one before (%v)", i+1, b, breaks[i-1])
		}
	}
	return nil
}

// Ways to choose the breaks for a number of intervals.
const (
	ByEqualWidths  = "equidistant" // equal widths
	ByLogarithms   = "logarithmic" // equal widths on a logarithmic scale
	ByEqualAmounts = "quantiles"   // equal numbers of records
)

// breaksBy returns the count+1 ends of count intervals that contain all values. counts[i] records have values[i];
// values are ascending and not missing, and positive for logarithms. Equal breaks are not merged.
func breaksBy(by string, values []float64, counts []int, count int) []float64 {
	low, high := values[0], values[len(values)-1]
	upTo, records := make([]int, len(values)), 0 // cumulative counts
	for i := range counts {
		records += counts[i]
		upTo[i] = records
	}
	breaks := make([]float64, count+1)
	breaks[0], breaks[count] = low, high
	for i := 1; i < count; i++ {
		switch share := float64(i) / float64(count); by {
		case ByEqualAmounts:
			breaks[i] = quantile(values, upTo, i, count)
		case ByLogarithms:
			breaks[i] = steady(low * math.Pow(high/low, share))
		default:
			breaks[i] = steady(weighed(low, high, share))
		}
	}
	return breaks
}

// weighed returns the weighted mean of two numbers; the second has the weight share, from 0 to 1. Products are
// rounded before addition to prevent fused multiply-add.
func weighed(low, high, share float64) float64 {
	return float64(low*(1-share)) + float64(high*share)
}

// quantile returns the quantile p = i/count (type 7): the sorted values interpolated at position (n-1) p + 1.
// upTo[j] records have a value up to values[j].
//
// Source: Hyndman and Fan (1996), Sample quantiles in statistical packages.
func quantile(values []float64, upTo []int, i, count int) float64 {
	records := upTo[len(upTo)-1]
	at := func(place int) float64 { // value at an index, from 0, of the sorted records
		j, _ := slices.BinarySearch(upTo, min(place, records-1)+1)
		return values[j]
	}
	place, rest := (records-1)*i/count, (records-1)*i%count
	lower, upper := at(place), at(place+1)
	if rest == 0 || lower == upper {
		return lower
	}
	return steady(weighed(lower, upper, float64(rest)/float64(count)))
}

// steady rounds to 14 significant digits, so that a break that should equal a value of the file, such as 0.3, does
// so on every machine.
func steady(x float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 13, 64), 64)
	if err != nil {
		return x
	}
	return rounded
}

// tidyBreaks returns breaks that separate the same values with few digits: integers for integers, otherwise few
// decimals. An inner break moves by less than a tenth of the narrower adjacent interval and not across a value.
// The outer breaks move outwards, so that the labels do not reveal the smallest and the largest value. For
// integers the first break is one below the smallest number of the first interval. Equal breaks are merged, so the
// result can be shorter. values are ascending.
func tidyBreaks(breaks, values []float64, whole bool) []float64 {
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

// decimalPlaces returns the decimals of the largest power of ten that is at most a tenth of the width. It is
// negative for tens, hundreds and so on, and at most 0 for integers.
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

// below returns the largest number with the given number of decimals that is not above x, or x if that exceeds
// floating-point precision.
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

// between returns the number with the fewest decimals, from places on, that separates the values as b does, the
// nearest such to b. If no round integer does, it is the integer below b.
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
