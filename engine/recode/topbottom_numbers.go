package recode

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// replace maps number levels: those beyond a threshold to the replacement.
func (m *TopBottom) replace(categories *microdata.Categories) ([]microdata.Level, []uint32) {
	levels := categories.Levels
	above := func(x float64) bool { return m.Top != nil && x > *m.Top }
	below := func(x float64) bool { return m.Bottom != nil && x < *m.Bottom }
	top := m.replacement(categories, m.Top, m.TopValue, above)
	bottom := m.replacement(categories, m.Bottom, m.BottomValue, below)
	after := make([]microdata.Level, len(levels))
	for i, level := range levels {
		switch {
		case above(level.Value):
			level = top
		case below(level.Value):
			level = bottom
		}
		after[i] = level
	}
	return sortLevels(after)
}

// replacement returns the level that the values beyond a threshold become; an
// existing level of the same value keeps its spelling.
func (m *TopBottom) replacement(categories *microdata.Categories, threshold, given *float64, beyond func(float64) bool) microdata.Level {
	if threshold == nil {
		return microdata.Level{}
	}
	value := *threshold
	switch m.Replacement {
	case ReplaceByValue:
		value = *given
	case ReplaceByMean:
		value = meanBeyond(categories, value, beyond)
	}
	for _, level := range categories.Levels {
		if level.Value == value {
			return level
		}
	}
	return microdata.Level{Label: numberLabel(value), Value: value}
}

// meanBeyond returns the mean over the records with a value beyond the
// threshold; the threshold where there are none.
func meanBeyond(categories *microdata.Categories, threshold float64, beyond func(float64) bool) float64 {
	sum, records := 0.0, 0
	counts := categories.Counts()
	for i, level := range categories.Levels {
		if beyond(level.Value) {
			sum += float64(level.Value * float64(counts[i+1])) // rounded before adding: no fused multiply-add
			records += counts[i+1]
		}
	}
	if records == 0 {
		return threshold
	}
	return sum / float64(records)
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
	switch {
	case a.Value < b.Value:
		return -1
	case a.Value > b.Value:
		return 1
	default:
		return strings.Compare(a.Label, b.Label)
	}
}
