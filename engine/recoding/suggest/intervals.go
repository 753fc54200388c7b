package suggest

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// Intervals are tried for variables with at least fewValues values that occur,
// and no more of them than mostIntervals.
const (
	fewValues     = 6
	mostIntervals = 60
)

// RoundIntervals is a recode of a numeric variable by intervals of the same
// round width, and what it makes of the codes.
type RoundIntervals struct {
	Recode  *recode.Intervals
	Width   float64
	Mapping []uint32 // per code, missing at 0, that of its interval
	levels  int
	lost    float64 // bits
}

// Ladder returns the recodes by intervals of round widths that are suggested for
// a variable, the narrowest first; none for a variable that has no numbers, few
// values, or was recoded before.
func Ladder(column *microdata.Column) []RoundIntervals { return newVariable(column, 0).ladder() }

// ladder is Ladder. There are none for a variable that was recoded already: they
// would start from the source values again; and none of numbers that are codes.
func (v *variable) ladder() (out []RoundIntervals) {
	codes := v.occurring()
	if len(codes) < fewValues || !v.column.Numeric() || v.column.Recoded() || v.column.Coded() {
		return nil
	}
	levels := v.column.Categories().Levels
	low, high := levels[codes[0]-1].Value, levels[codes[len(codes)-1]-1].Value
	whole := v.column.Kind() == microdata.Whole
	for _, width := range roundWidths(high-low, whole) {
		m := intervalsOf(v.column.Name(), low, high, width, whole)
		r, err := m.Regroup(method.Input{}, v.column)
		if err != nil || len(r.Mapping) != len(v.counts) {
			continue
		}
		counts := make([]int, len(r.Levels)+1)
		outside := 0
		for code, to := range r.Mapping {
			counts[to] += v.counts[code]
			if to == 0 && code > 0 {
				outside += v.counts[code]
			}
		}
		if outside > 0 {
			continue // numbers too large for such ends
		}
		if lost := v.detail - detail(counts); lost > 0 {
			out = append(out, RoundIntervals{m, width.value(), r.Mapping, len(r.Levels), lost})
		}
	}
	return out
}

// roundWidth is a factor times a power of ten.
type roundWidth struct {
	factor   float64
	exponent int
}

func (w roundWidth) value() float64 { return float64(w.factor * math.Pow10(w.exponent)) }

// times returns a multiple of the width, with no more decimals than it has.
func (w roundWidth) times(n float64) float64 {
	if w.exponent >= 0 {
		return n * w.value()
	}
	return math.Round(n*w.factor) / math.Pow10(-w.exponent)
}

// roundWidths returns the numbers 1, 2 and 5 times powers of ten, and for whole
// numbers 3 and 15 too, that cut a range into 2 to mostIntervals intervals.
func roundWidths(span float64, whole bool) []roundWidth {
	if !(span > 1e-100) || span > 1e100 {
		return nil
	}
	factors := []float64{1, 2, 5}
	if whole {
		factors = []float64{1, 1.5, 2, 3, 5}
	}
	var widths []roundWidth
	first := int(math.Floor(math.Log10(span / mostIntervals)))
	for exponent := first; exponent <= first+3; exponent++ {
		for _, factor := range factors {
			width := roundWidth{factor, exponent}
			value := width.value()
			if whole && (value < 2 || value != math.Trunc(value)) || span/value > mostIntervals || value > span/2 {
				continue
			}
			widths = append(widths, width)
		}
	}
	return widths
}

// intervalsOf returns the recode by intervals of a width, with ends at its
// multiples. For whole numbers each begins with a multiple: 0-4, 5-9.
func intervalsOf(variable string, low, high float64, width roundWidth, whole bool) *recode.Intervals {
	m := &recode.Intervals{Variable: variable, By: recode.ByEqualWidths, Open: recode.OpenNone, IncludeLowest: !whole}
	shift := 0.0
	if whole {
		shift = 1
	}
	first := math.Floor(low / width.value())
	for i := range mostIntervals + 3 {
		end := width.times(first+float64(i)) - shift
		m.Breaks = append(m.Breaks, end)
		if end >= high {
			break
		}
	}
	return m // numbers too large for such steps give breaks that are refused
}
