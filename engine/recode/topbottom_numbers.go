package recode

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// fewestForMean is the number of values from which on a mean does not tell them.
const fewestForMean = 3

// tellingMeans warns of means of so few values that they tell them.
func (m *TopBottom) tellingMeans(target *microdata.Column) []string {
	if m.Replacement != ReplaceByMean {
		return nil
	}
	var warnings []string
	for _, s := range []side{m.top(), m.bottom()} {
		_, records := meanBeyond(target.Categories(), s.has)
		switch {
		case records == 1:
			warnings = append(warnings, fmt.Sprintf("1 value lies %s the %s threshold: the mean of 1 value is that value, which protects nothing", s.beyond, s.name))
		case records > 0 && records < fewestForMean:
			warnings = append(warnings, fmt.Sprintf("only %d values lie %s the %s threshold: who knows one of them knows the other by the mean", records, s.beyond, s.name))
		}
	}
	return warnings
}

// replace maps number levels: those beyond a threshold to the replacement.
// Whole numbers stay whole: their mean is rounded.
func (m *TopBottom) replace(categories *microdata.Categories, whole bool) ([]microdata.Level, []uint32) {
	levels := categories.Levels
	above, below := m.top(), m.bottom()
	top, bottom := m.replacement(categories, whole, above), m.replacement(categories, whole, below)
	after := make([]microdata.Level, len(levels))
	for i, level := range levels {
		switch {
		case above.has(level.Value):
			level = top
		case below.has(level.Value):
			level = bottom
		}
		after[i] = level
	}
	return sortLevels(after)
}

// replacement returns the level that the values beyond a threshold become; an
// existing level of the same value keeps its spelling.
func (m *TopBottom) replacement(categories *microdata.Categories, whole bool, s side) microdata.Level {
	if s.threshold == nil {
		return microdata.Level{}
	}
	value := *s.threshold
	switch m.Replacement {
	case ReplaceByValue:
		value = *s.value
	case ReplaceByMean:
		mean, records := meanBeyond(categories, s.has)
		switch {
		case records > 0 && whole:
			value = math.Round(mean)
		case records > 0:
			value = mean
		}
	}
	for _, level := range categories.Levels {
		if level.Value == value {
			return level
		}
	}
	return microdata.Level{Label: numberLabel(value), Value: value}
}

// meanBeyond returns the mean over the records with a value beyond the
// threshold, and their number; without any there is no mean.
func meanBeyond(categories *microdata.Categories, beyond func(float64) bool) (mean float64, records int) {
	sum := 0.0
	counts := categories.Counts()
	for i, level := range categories.Levels {
		if beyond(level.Value) {
			sum += float64(level.Value * float64(counts[i+1])) // rounded before adding: no fused multiply-add
			records += counts[i+1]
		}
	}
	if records == 0 {
		return 0, 0
	}
	return sum / float64(records), records
}

// sortLevels returns the distinct levels by value, of equal values the first
// spelling, and the mapping of codes to them; missing stays missing. Where the
// levels come in order already, as most do, it takes O(n) time.
func sortLevels(after []microdata.Level) ([]microdata.Level, []uint32) {
	runs := make([]microdata.Level, 0, len(after)) // each level once where it comes in a row
	mapping := make([]uint32, len(after)+1)
	sorted := true
	for i, level := range after {
		if last := len(runs) - 1; last < 0 || runs[last].Label != level.Label {
			sorted = sorted && (last < 0 || compareLevels(runs[last], level) < 0)
			runs = append(runs, level)
		}
		mapping[i+1] = uint32(len(runs))
	}
	if sorted {
		return runs, mapping
	}
	distinct := slices.Clone(runs)
	slices.SortStableFunc(distinct, compareLevels)
	distinct = slices.CompactFunc(distinct, func(a, b microdata.Level) bool { return a.Label == b.Label })
	codes := make(map[string]uint32, len(distinct))
	for i, level := range distinct {
		codes[level.Label] = uint32(i + 1)
	}
	for i, run := range mapping[1:] {
		mapping[i+1] = codes[runs[run-1].Label]
	}
	return distinct, mapping
}

// compareLevels orders levels by value, those of equal value by label.
func compareLevels(a, b microdata.Level) int {
	return cmp.Or(cmp.Compare(a.Value, b.Value), strings.Compare(a.Label, b.Label))
}
