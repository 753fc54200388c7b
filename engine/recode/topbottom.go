package recode

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
)

// What values beyond a threshold become.
const (
	ReplaceByThreshold = "threshold" // the threshold itself
	ReplaceByValue     = "value"     // a given number
	ReplaceByMean      = "mean"      // the unweighted mean of the values beyond the threshold
)

// TopBottom replaces the values above one threshold and below another. A
// variable whose levels are intervals ("60-69", "(60,70]") has the levels that
// lie wholly beyond a threshold grouped instead.
type TopBottom struct {
	Variable    string
	Top, Bottom *float64 // thresholds, left as they are themselves; nil: none
	Replacement string   // ReplaceByThreshold, ReplaceByValue or ReplaceByMean
	TopValue    *float64 // for ReplaceByValue: what values above Top become
	BottomValue *float64 // for ReplaceByValue: what values below Bottom become
}

// TopBottomSpec describes recode-topbottom for the catalog.
func TopBottomSpec() method.Spec {
	return method.Spec{
		Name:  "recode-topbottom",
		Title: "Top and bottom coding",
		Help: "Replaces the values above a threshold, and below another, by the threshold, by a number of your choice " +
			"or by the mean of the values that lie beyond: extreme values are rare and well known. Where the categories " +
			"are intervals, those that lie wholly beyond the threshold are grouped.",
		Cite: "Hundepool et al. (2012), Statistical Disclosure Control, section 3.4 (top and bottom coding)",
		Key:  "r",
		New:  func() method.Method { return &TopBottom{Replacement: ReplaceByThreshold} },
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *TopBottom) Params() []method.Param {
	return []method.Param{
		variableParam(&m.Variable),
		{Name: "top", Help: "values above this are replaced; null for none", Value: &m.Top, Editor: method.EditNumber},
		{Name: "bottom", Help: "values below this are replaced; null for none", Value: &m.Bottom, Editor: method.EditNumber},
		{Name: "replacement", Help: "what values beyond a threshold become", Value: &m.Replacement, Editor: method.EditChoice,
			Choices: []string{ReplaceByThreshold, ReplaceByValue, ReplaceByMean}},
		{Name: "top_value", Help: "what values above the top threshold become, for replacement by value", Value: &m.TopValue,
			Editor: method.EditNumber},
		{Name: "bottom_value", Help: "what values below the bottom threshold become, for replacement by value",
			Value: &m.BottomValue, Editor: method.EditNumber},
	}
}

// Regroup returns the mapping of the values beyond the thresholds of the
// variable as it is now.
func (m *TopBottom) Regroup(in method.Input) (method.Regrouping, bool, error) {
	target, err := column(in.Data, m.Variable)
	if err != nil {
		return method.Regrouping{}, false, err
	}
	if err := m.check(); err != nil {
		return method.Regrouping{}, false, err
	}
	r := method.Regrouping{Target: target, From: target, Ordered: true}
	categories := target.Categories()
	switch {
	case target.Numeric():
		r.Levels, r.Mapping = m.replace(categories)
	case categories.Ordered:
		r.Levels, r.Mapping, err = m.group(categories.Levels)
	default:
		err = fmt.Errorf("recode-topbottom %w: %q has no order; group its levels instead", method.ErrInput, m.Variable)
	}
	return r, err == nil, err
}

// check reports parameters that do not go together.
func (m *TopBottom) check() error {
	byValue := m.Replacement == ReplaceByValue
	switch {
	case m.Top == nil && m.Bottom == nil:
		return fmt.Errorf("%w \"top\" or \"bottom\" must be given", method.ErrParam)
	case m.Top != nil && m.Bottom != nil && !(*m.Bottom <= *m.Top):
		return fmt.Errorf("%w \"bottom\" is %v; it must not be above \"top\", %v", method.ErrParam, *m.Bottom, *m.Top)
	case byValue && m.Top != nil && m.TopValue == nil:
		return fmt.Errorf("%w \"top_value\" is missing: the number that values above %v become", method.ErrParam, *m.Top)
	case byValue && m.Bottom != nil && m.BottomValue == nil:
		return fmt.Errorf("%w \"bottom_value\" is missing: the number that values below %v become", method.ErrParam, *m.Bottom)
	case !slices.Contains([]string{ReplaceByThreshold, ReplaceByValue, ReplaceByMean}, m.Replacement):
		return fmt.Errorf("%w \"replacement\" is %q; it must be threshold, value or mean", method.ErrParam, m.Replacement)
	}
	for _, number := range []*float64{m.Top, m.Bottom, m.TopValue, m.BottomValue} {
		if number != nil && (math.IsNaN(*number) || math.IsInf(*number, 0)) {
			return fmt.Errorf("%w: thresholds and values must be finite numbers", method.ErrParam)
		}
	}
	return nil
}

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
// spelling, and the mapping of codes to them; missing stays missing.
func sortLevels(after []microdata.Level) ([]microdata.Level, []uint32) {
	distinct := slices.Clone(after)
	slices.SortStableFunc(distinct, func(a, b microdata.Level) int {
		switch {
		case a.Value < b.Value:
			return -1
		case a.Value > b.Value:
			return 1
		default:
			return strings.Compare(a.Label, b.Label)
		}
	})
	distinct = slices.CompactFunc(distinct, func(a, b microdata.Level) bool { return a.Label == b.Label })
	codes := make(map[string]uint32, len(distinct))
	for i, level := range distinct {
		codes[level.Label] = uint32(i + 1)
	}
	mapping := make([]uint32, len(after)+1)
	for i, level := range after {
		mapping[i+1] = codes[level.Label]
	}
	return distinct, mapping
}

// group maps interval levels: those wholly beyond a threshold become one.
func (m *TopBottom) group(levels []microdata.Level) ([]microdata.Level, []uint32, error) {
	spans, ok := spansOf(levels)
	if !ok {
		return nil, nil, fmt.Errorf("recode-topbottom %w: the levels of %q are not all numbers or intervals; group them instead",
			method.ErrInput, m.Variable)
	}
	var above, below []int
	for i, s := range spans {
		switch {
		case m.Top != nil && s.above(*m.Top):
			above = append(above, i)
		case m.Bottom != nil && s.below(*m.Bottom):
			below = append(below, i)
		}
	}
	after, mapping, err := joinNeighbours(levels, above)
	if err != nil || len(below) == 0 {
		return after, mapping, err
	}
	after, second, err := joinNeighbours(after, below) // the lower levels have kept their places
	if err != nil {
		return nil, nil, err
	}
	for code := range mapping {
		mapping[code] = second[mapping[code]]
	}
	return after, mapping, nil
}

// joinNeighbours makes one level of the members under the default label of a
// group; without members every level stays.
func joinNeighbours(levels []microdata.Level, members []int) ([]microdata.Level, []uint32, error) {
	if len(members) == 0 {
		mapping := make([]uint32, len(levels)+1)
		for code := range mapping {
			mapping[code] = uint32(code)
		}
		return levels, mapping, nil
	}
	return joinLevels(levels, members, levelOf(groupLabel(levels, members)))
}

// Describe reports what the mapping does; see method.Describer.
func (m *TopBottom) Describe(r *method.Regrouping) method.Report {
	var parts []string
	if m.Bottom != nil {
		parts = append(parts, m.part("below", *m.Bottom, m.BottomValue))
	}
	if m.Top != nil {
		parts = append(parts, m.part("above", *m.Top, m.TopValue))
	}
	title := "top coding"
	switch {
	case m.Top == nil:
		title = "bottom coding"
	case m.Bottom != nil:
		title = "top and bottom coding"
	}
	report := describe(fmt.Sprintf("%s %s: %s", title, m.Variable, strings.Join(parts, ", ")), r)
	report.Effect = fmt.Sprintf("%s replaced", cells(report.Changed))
	return report
}

// part says one side in the title: "above 75 → 75".
func (m *TopBottom) part(side string, threshold float64, given *float64) string {
	becomes := numberLabel(threshold)
	switch m.Replacement {
	case ReplaceByValue:
		becomes = numberLabel(*given)
	case ReplaceByMean:
		becomes = "their mean"
	}
	return fmt.Sprintf("%s %s → %s", side, numberLabel(threshold), becomes)
}

// Apply replaces the values beyond the thresholds; missing stays missing.
func (m *TopBottom) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (method.Output, error) {
	return apply(ctx, m, in, meter)
}
