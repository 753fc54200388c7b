package recode

import (
	"cmp"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Which of the outer intervals have no outer end.
const (
	OpenNone  = "none"  // none: values outside become missing
	OpenBelow = "below" // the first: it holds every value below it too
	OpenAbove = "above" // the last: it holds every value above it too
	OpenBoth  = "both"  // both: no value lies outside
)

// mostIntervals is the largest number of intervals that can be asked for.
const mostIntervals = 100

// Intervals cuts a numeric variable into intervals (b0,b1], (b1,b2], ..., or
// [b0,b1), [b1,b2), ...; values outside become missing and are counted, unless
// the first or the last interval is open. Either the breaks are given, or a
// number of intervals, whose breaks are then chosen from the values; see Cut.
//
// It always starts from the source values, so that a second one replaces the
// first; suppressed cells stay suppressed.
type Intervals struct {
	Variable string    // a variable whose source values are numbers
	Breaks   []float64 // at least two, or one with OpenBoth, finite, ascending; nil: Count is given
	Count    int       // number of intervals; 0: Breaks are given
	// how Count intervals are chosen: ByEqualWidths, ByLogarithms or ByEqualAmounts; "": ByEqualWidths
	By            string
	Labels        []string // one per interval; nil: made from the breaks
	RightOpen     bool     // intervals include their lower end and not the upper one
	IncludeLowest bool     // the lowest break given belongs to the first interval; with RightOpen the highest to the last
	Open          string   // intervals without an outer end: OpenNone, OpenBelow, OpenAbove or OpenBoth; "": OpenNone
}

// IntervalsSpec describes recode-intervals for the catalog.
func IntervalsSpec() method.Spec {
	return method.Spec{
		Name:  "recode-intervals",
		Title: "Recode by intervals",
		Help: "Cuts the values of a numeric variable into intervals, such as years of age into age groups. Breaks 0, " +
			"9, 19 give the intervals above 0 up to 9 and above 9 up to 19, with right_open 0 to below 9 and 9 to below 19; values outside all intervals become " +
			"missing, and how many is reported, unless the first interval is open below or the last one above: then " +
			"it takes them, also those of other files, and its label, such as <=9 or 80+, does not tell the lowest or " +
			"highest value. Instead of breaks a number of intervals can be given: of equal width (equidistant), of " +
			"equal width in logarithms (logarithmic; values above 0 only), or with about equally many records " +
			"(quantiles, type 7). Their breaks come from the values in the source file, are rounded where that moves " +
			"no record, and stand in the step's title; where many records share a value, breaks can fall together, " +
			"and there are fewer intervals. It always starts from the values in the source file: a second recode by " +
			"intervals replaces the first. Coarser groups mean fewer rare combinations and less detail.",
		Cite:    "Hundepool et al. (2012), Statistical Disclosure Control, section 3.4 (global recoding)",
		Key:     "r",
		Sample:  `{"variable":"age","breaks":[-1,4,14,24,34,44,54,64,99]}`,
		New:     method.From(Intervals{By: ByEqualWidths, Open: OpenNone}),
		Propose: method.With((*Intervals).propose),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Intervals) Params() []method.Param {
	m.By, m.Open = cmp.Or(m.By, ByEqualWidths), cmp.Or(m.Open, OpenNone) // so that what is written can be read
	return []method.Param{
		variableParam(&m.Variable).Among(method.NumericVariables),
		method.Numbers(&m.Breaks, "breaks", "ends of the intervals, ascending; each interval includes its upper end, or its lower one where right open is on. A single one with open both makes two"),
		method.Number(&m.Count, "count", "instead of breaks: the number of intervals; 0 where breaks are "+
			"given").Between(0, mostIntervals),
		method.Choice(&m.By, "method", "how a number of intervals is chosen: equal widths, equal widths of logarithms, "+
			"equal numbers of records",
			ByEqualWidths, ByLogarithms, ByEqualAmounts),
		method.Labels(&m.Labels, "labels", "one label per interval").Empty("made from the breaks"),
		method.Switch(&m.RightOpen, "right_open", "whether intervals include their lower end instead of the upper one, "+
			"from 1000 to below 2000"),
		method.Switch(&m.IncludeLowest, "include_lowest",
			"whether the lowest break belongs to the first interval, where right open is on the highest to the last one; with "+
				"a number of intervals every value belongs to one"),
		method.Choice(&m.Open, "open", "which of the outer intervals take the values outside: the first (below), the "+
			"last (above), both or none",
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
	r.Ordered, r.Lost = true, "lie outside the intervals"
	m.describe(&r, &cut)
	if len(m.Labels) > 0 {
		named(&r, labels...)
	}
	return r, nil
}

// labels returns the labels of the intervals, of whole numbers or not: those that
// are given, or those made from the breaks.
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

// describe sets the title, which says all breaks where they were chosen.
func (m *Intervals) describe(r *method.Regrouping, cut *Cut) {
	if m.Count == 0 {
		r.Title = fmt.Sprintf("intervals %s: %s", m.Variable, list(labelsOf(r.Levels)))
		return
	}
	ends := cut.Breaks[1:]
	r.Title = fmt.Sprintf("intervals %s, %d by method %s: up to %s", m.Variable, len(ends), m.By,
		wording.Joined(ends, ", ", numberLabel))
	if cut.Merged > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s instead of %d: too few different values, or too many records "+
			"with the same one, to part them further",
			wording.Counted(len(ends), "interval"), m.Count))
	}
}

// Narrate says that there are intervals, and whether cells lie outside.
func (m *Intervals) Narrate(*method.Report) string {
	return fmt.Sprintf("The values of %s were recoded into intervals; values outside all intervals are missing.", m.Variable)
}
