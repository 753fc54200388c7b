package recode

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Intervals cuts a variable of numbers into right-closed intervals
// (b0,b1], (b1,b2], ...; values outside become missing and are counted.
//
// It always starts from the source values, so that a second one replaces the
// first; suppressed cells stay suppressed.
type Intervals struct {
	Variable      string    // a variable whose source values are numbers
	Breaks        []float64 // at least two, finite, ascending
	Labels        []string  // one per interval; nil: made from the breaks
	IncludeLowest bool      // the lowest break belongs to the first interval
}

// IntervalsSpec describes recode-intervals for the catalog.
func IntervalsSpec() method.Spec {
	return method.Spec{
		Name:  "recode-intervals",
		Title: "Recode by intervals",
		Help: "Cuts the values of a numeric variable into intervals, such as years of age into age groups. " +
			"Breaks 0, 9, 19 give the intervals above 0 up to 9 and above 9 up to 19; values outside all intervals " +
			"become missing, and how many is reported. It always starts from the values in the source file: a second " +
			"recode by intervals replaces the first. Coarser groups mean fewer rare combinations and less detail.",
		Cite: "Hundepool et al. (2012), Statistical Disclosure Control, section 3.4 (global recoding)",
		Key:  "r",
		New:  func() method.Method { return &Intervals{} },
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Intervals) Params() []method.Param {
	return []method.Param{
		variableParam(&m.Variable),
		{Name: "breaks", Help: "ends of the intervals, ascending; each interval includes its upper end",
			Value: &m.Breaks, Editor: method.EditNumbers, Required: true},
		{Name: "labels", Help: "one label per interval; null makes them from the breaks",
			Value: &m.Labels, Editor: method.EditLabels},
		{Name: "include_lowest", Help: "whether the lowest break belongs to the first interval",
			Value: &m.IncludeLowest, Editor: method.EditSwitch},
	}
}

// Regroup returns the mapping of the source values to the intervals.
func (m *Intervals) Regroup(in method.Input) (method.Regrouping, bool, error) {
	target, err := column(in.Data, m.Variable)
	if err != nil {
		return method.Regrouping{}, false, err
	}
	if !target.Source().Numeric() {
		return method.Regrouping{}, false, fmt.Errorf("recode-intervals %w: %q is not a variable of numbers; group its levels instead",
			method.ErrInput, m.Variable)
	}
	if err := m.check(); err != nil {
		return method.Regrouping{}, false, err
	}
	from := target.Unrecoded()
	levels := m.levels(target.Source().Kind() == microdata.Whole)
	source := from.Categories().Levels
	mapping := make([]uint32, len(source)+1)
	for i, level := range source {
		mapping[i+1] = m.interval(level.Value)
	}
	return method.Regrouping{Target: target, From: from, Levels: levels, Mapping: mapping, Ordered: true}, true, nil
}

// interval returns the code of the interval that holds the value; 0 outside.
func (m *Intervals) interval(value float64) uint32 {
	if m.IncludeLowest && value == m.Breaks[0] {
		return 1
	}
	// The first break that is not below the value ends its interval.
	end := sort.SearchFloat64s(m.Breaks, value)
	if end == len(m.Breaks) {
		return 0
	}
	return uint32(end)
}

// levels returns one level per interval; whole says whether the source values
// are whole numbers.
func (m *Intervals) levels(whole bool) []microdata.Level {
	labels := m.Labels
	if len(labels) == 0 {
		labels = IntervalLabels(m.Breaks, whole, m.IncludeLowest)
	}
	levels := make([]microdata.Level, len(labels))
	for i, label := range labels {
		levels[i] = levelOf(label)
	}
	return levels
}

// check reports breaks and labels that give no intervals.
func (m *Intervals) check() error {
	if len(m.Breaks) < 2 {
		return fmt.Errorf("%w \"breaks\" needs at least two numbers, the ends of one interval", method.ErrParam)
	}
	for i, b := range m.Breaks {
		if math.IsNaN(b) || math.IsInf(b, 0) {
			return fmt.Errorf("%w \"breaks\": number %d is not finite", method.ErrParam, i+1)
		}
		if i > 0 && b <= m.Breaks[i-1] {
			return fmt.Errorf("%w \"breaks\": number %d (%v) must be greater than the one before (%v)",
				method.ErrParam, i+1, b, m.Breaks[i-1])
		}
	}
	return m.checkLabels()
}

func (m *Intervals) checkLabels() error {
	if len(m.Labels) == 0 {
		return nil
	}
	if len(m.Labels) != len(m.Breaks)-1 {
		return fmt.Errorf("%w \"labels\": %s for %s", method.ErrParam, wording.Counted(len(m.Labels), "label"), wording.Counted(len(m.Breaks)-1, "interval"))
	}
	for i, label := range m.Labels {
		if label == "" {
			return fmt.Errorf("%w \"labels\": label %d is empty", method.ErrParam, i+1)
		}
		if slices.Contains(m.Labels[:i], label) {
			return fmt.Errorf("%w \"labels\": label %d, %q, is given twice", method.ErrParam, i+1, label)
		}
	}
	return nil
}

// Describe reports what the mapping does; see method.Describer.
func (m *Intervals) Describe(r *method.Regrouping) method.Report {
	labels := make([]string, len(r.Levels))
	for i := range r.Levels {
		labels[i] = r.Levels[i].Label
	}
	return describe(fmt.Sprintf("intervals %s: %s", m.Variable, list(labels)), r)
}

// Apply recodes the variable. Values outside the intervals become missing,
// which Report.Outside counts; missing stays missing.
func (m *Intervals) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (method.Output, error) {
	return apply(ctx, m, in, meter)
}
