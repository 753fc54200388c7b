package recode

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// fewestForMean is the number of values from which on a mean does not tell them.
const fewestForMean = 3

// replace maps the numbers beyond a threshold to the replacement.
func (m *TopBottom) replace(r *method.Regrouping) {
	levels := r.From.Categories().Levels
	after := slices.Clone(levels)
	for _, s := range m.sides() {
		if s.threshold == nil {
			continue
		}
		replacement := m.replacement(r, s)
		for i, level := range levels {
			if s.has(level.Value) {
				after[i] = replacement
			}
		}
	}
	r.Levels, r.Mapping = sortLevels(after)
}

// replacement returns the level that the values beyond a threshold become; an
// existing level of the same value keeps its spelling. The mean of whole numbers is
// rounded; without a value beyond the threshold there is none. A mean of so few
// values that it tells them is warned of.
func (m *TopBottom) replacement(r *method.Regrouping, s side) microdata.Level {
	levels, counts := r.From.Categories().Levels, r.From.Categories().Counts()
	value := *s.threshold
	switch m.Replacement {
	case ReplaceByValue:
		value = *s.value
	case ReplaceByMean:
		sum, records := 0.0, 0
		for i, level := range levels {
			if s.has(level.Value) {
				sum += float64(level.Value * float64(counts[i+1])) // rounded before adding: no fused multiply-add
				records += counts[i+1]
			}
		}
		if records > 0 {
			value = sum / float64(records)
		}
		if records > 0 && r.From.Kind() == microdata.Whole {
			value = math.Round(value)
		}
		switch {
		case records == 1:
			r.Warnings = append(r.Warnings, fmt.Sprintf("1 value lies %s the %s threshold: the mean of 1 value is that value, which protects nothing", s.beyond, s.name))
		case records > 0 && records < fewestForMean:
			r.Warnings = append(r.Warnings, fmt.Sprintf("only %d values lie %s the %s threshold: who knows one of them knows the other by the mean", records, s.beyond, s.name))
		}
	}
	if i := slices.IndexFunc(levels, func(level microdata.Level) bool { return level.Value == value }); i >= 0 {
		return levels[i]
	}
	return microdata.Level{Label: numberLabel(value), Value: value}
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
