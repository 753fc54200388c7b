package recode

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// fewestForMean is the minimum number of values whose mean does not reveal them.
const fewestForMean = 3

// replacement returns the level that replaces the values beyond a threshold; an existing level of the same value
// keeps its notation. Without a value beyond the threshold there is no mean. A mean of too few values gives a
// warning, because it reveals them.
func (m *TopBottom) replacement(target *microdata.Column, s side) (_ microdata.Level, warnings []string) {
	levels := target.Categories().Levels
	value, label := *s.threshold, ""
	switch m.Replacement {
	case ReplaceByValue:
		value = *s.value
	case ReplaceByMean, ReplaceByRounded:
		mean, records := s.mean(target)
		switch {
		case records == 0:
		case m.Replacement == ReplaceByRounded:
			value, label = asSpelled(mean, levels)
		default:
			value = mean
		}
		if records == 1 {
			warnings = []string{fmt.Sprintf("only 1 value is %s the %s threshold: its mean is the value itself, so it is not protected", s.beyond, s.name)}
		} else if records > 0 && records < fewestForMean {
			warnings = []string{fmt.Sprintf("only %d values are %s the %s threshold: an intruder who knows one can infer the other from the mean", records, s.beyond, s.name)}
		}
	}
	if i := slices.IndexFunc(levels, func(level microdata.Level) bool { return level.Value == value }); i >= 0 {
		return levels[i], warnings
	}
	return microdata.Level{Label: cmp.Or(label, numberLabel(value)), Value: value}, warnings
}

// mean returns the mean of the values beyond the threshold, rounded for integers, and the number of records with
// such a value.
func (s side) mean(target *microdata.Column) (mean float64, records int) {
	counts := target.Categories().Counts()
	var values, weights []float64
	for i, level := range target.Categories().Levels {
		if s.has(level.Value) {
			values, weights = append(values, level.Value), append(weights, float64(counts[i+1]))
			records += counts[i+1]
		}
	}
	if mean = stat.WeightedMean(values, weights); target.Kind() == microdata.Whole {
		mean = math.Round(mean)
	}
	return mean, records
}

// asSpelled rounds a number to the maximum number of decimals of the levels, and formats it with that number if
// all levels have it. For numbers with too many digits, and levels in scientific notation, it returns x unchanged
// with the label "".
func asSpelled(x float64, levels []microdata.Level) (rounded float64, label string) {
	most, least := 0, math.MaxInt
	for _, level := range levels {
		_, fraction, _ := strings.Cut(level.Label, ".")
		if strings.ContainsAny(level.Label, "eE") {
			return x, ""
		}
		most, least = max(most, len(fraction)), min(least, len(fraction))
	}
	const exactly, decimals = 1 << 51, 15 // limits within which the product is exact enough for rounding
	scale := math.Pow10(most)
	if most > decimals || math.Abs(x*scale) >= exactly {
		return x, ""
	}
	if rounded = math.Round(x*scale)/scale + 0; most == least { // never "-0"
		label = string(microdata.AppendDecimal(nil, rounded, most))
	}
	return rounded, label
}
