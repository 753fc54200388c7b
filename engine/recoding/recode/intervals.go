package recode

import (
	"cmp"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Outer intervals without an outer end.
const (
	OpenNone  = "none"  // none: values outside become missing
	OpenBelow = "below" // the first, which includes all values below
	OpenAbove = "above" // the last, which includes all values above
	OpenBoth  = "both"  // both, so that no value is outside
)

// mostIntervals is the maximum of Count.
const mostIntervals = 100

// Intervals divides a numeric variable into intervals (b0,b1], (b1,b2], ..., or [b0,b1), [b1,b2), ... Values
// outside become missing and are counted, unless the outer interval is open. The breaks are given, or chosen from
// the values for a number of intervals; see Cut.
//
// It starts from the source values, so it replaces an earlier recode; suppressed cells stay suppressed.
type Intervals struct {
	Variable string    // variable whose source values are numbers
	Breaks   []float64 // at least two, or one with OpenBoth, finite and ascending; nil: use Count
	Count    int       // number of intervals; 0: use Breaks
	// how to choose Count intervals: ByEqualWidths, ByLogarithms or ByEqualAmounts; or "" for ByEqualWidths
	By            string
	Labels        []string // one per interval; nil: default labels
	RightOpen     bool     // intervals include their lower end instead of their upper end
	IncludeLowest bool     // the first interval includes the lowest break; with RightOpen the last includes the highest
	Open          string   // intervals without an outer end: OpenNone, OpenBelow, OpenAbove or OpenBoth; or "" for OpenNone
}

// IntervalsSpec describes recode-intervals for the catalog.
func IntervalsSpec() method.Spec {
	return method.Spec{
		Name:  "recode-intervals",
		Title: "Recoding by intervals",
		Help: "Recodes a numeric variable into intervals, such as age into age groups. Breaks 0, 9, 19 give the intervals (0, 9] " +
			"and (9, 19]; with right_open, they give [0, 9) and [9, 19). Values outside all intervals become missing and " +
			"are counted, unless the outer intervals are open. An open interval, such as 80+ or <=9, does not reveal the highest or " +
			"lowest value. Instead of breaks, give count and method. Logarithms need positive values; quantiles (type 7) give fewer " +
			"intervals if many records share a value. The recode starts from the original values and replaces an earlier recode by " +
			"intervals.",
		Cite:    "Hundepool et al. (2012), Statistical Disclosure Control, section 3.4",
		Key:     "r",
		Sample:  `{"variable":"age","breaks":[-1,4,14,24,34,44,54,64,99]}`,
		New:     method.From(Intervals{By: ByEqualWidths, Open: OpenNone}),
		Propose: method.With((*Intervals).propose),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Intervals) Params() []method.Param {
	if m.By == "" || m.Open == "" { // makes the written parameters valid; concurrent calls only read valid ones
		m.By, m.Open = cmp.Or(m.By, ByEqualWidths), cmp.Or(m.Open, OpenNone)
	}
	return []method.Param{
		variableParam(&m.Variable).Among(method.NumericVariables),
		method.Numbers(&m.Breaks, "breaks", "interval bounds, ascending; each interval includes its upper bound. One break with open set to both gives "+
			"two intervals"),
		method.Number(&m.Count, "count", "instead of breaks: the number of intervals; 0 if breaks are given").Between(0, mostIntervals),
		method.Choice(&m.By, "method", "how breaks are chosen: equal widths, equal widths of logarithms, or equal numbers of records",
			ByEqualWidths, ByLogarithms, ByEqualAmounts),
		method.Labels(&m.Labels, "labels", "one label per interval").Empty("derived from the breaks"),
		method.Switch(&m.RightOpen, "right_open", "include the lower bound instead of the upper one"),
		method.Switch(&m.IncludeLowest, "include_lowest",
			"include the lowest break (or the highest, with right_open) in its interval; with count, every value is in an "+
				"interval"),
		method.Choice(&m.Open, "open", "outer intervals without a bound: the first, the last, both or none",
			OpenNone, OpenBelow, OpenAbove, OpenBoth),
	}
}

// Regroup returns the mapping of the source values to the intervals.
func (m *Intervals) Regroup(in method.Input, target *microdata.Column) (r method.Regrouping, err error) {
	cut, err := m.Cut(target)
	if err != nil {
		return r, err
	}
	from := target.Unrecoded()
	labels, err := m.labels(&cut, from.Kind() == microdata.Whole)
	if err != nil {
		return r, err
	}
	source := from.Categories().Levels
	r = into(target, from, levelsCalled(labels), func(place int) uint32 { return cut.interval(source[place].Value) })
	r.Ordered, r.Lost = true, "are outside the intervals"
	m.describe(&r, &cut)
	if len(m.Labels) > 0 {
		named(&r, labels...)
	}
	return r, nil
}

// labels returns the given labels of the intervals, or the default ones. whole is set for integers.
func (m *Intervals) labels(cut *Cut, whole bool) ([]string, error) {
	intervals := len(cut.Breaks) - 1
	switch len(m.Labels) {
	case 0:
		return cut.Labels(whole), nil
	case intervals:
		return cleanLabels("labels", m.Labels)
	default:
		return nil, method.ParamError("\"labels\": %s for %s", wording.Counted(len(m.Labels), "label"),
			wording.Counted(intervals, "interval"))
	}
}

// describe sets the title, which includes all breaks if they were chosen.
func (m *Intervals) describe(r *method.Regrouping, cut *Cut) {
	if m.Count == 0 {
		r.Title = fmt.Sprintf("intervals %s: %s", m.Variable, list(labelsOf(r.Levels)))
		return
	}
	ends := cut.Breaks[1:]
	r.Title = fmt.Sprintf("intervals %s, %d by method %s: up to %s", m.Variable, len(ends), m.By,
		wording.Joined(ends, ", ", numberLabel))
	if cut.Merged > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s instead of %d: too few distinct values, or too many records with the same value",
			wording.Counted(len(ends), "interval"), m.Count))
	}
}

// Narrate states that intervals were formed, and whether cells are outside.
func (m *Intervals) Narrate(*method.Report) string {
	return fmt.Sprintf("The values of %s were recoded into intervals; values outside all intervals are missing.", m.Variable)
}
