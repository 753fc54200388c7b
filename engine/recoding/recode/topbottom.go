package recode

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// What values beyond a threshold become.
const (
	ReplaceByThreshold = "threshold" // the threshold itself
	ReplaceByValue     = "value"     // a given number
	ReplaceByMean      = "mean"      // the unweighted mean of the values beyond the threshold
	ReplaceByRounded   = "rounded"   // that mean, with no more decimals than the values have
)

// TopBottom replaces the values above one threshold and below another. It
// works on the variable as it is now.
//
// Of an ordered variable of categories the levels that lie wholly beyond a
// threshold are grouped instead: intervals ("60-69", "(60,70]") by Top and
// Bottom, any levels by TopLevel and BottomLevel. The group is named by the end
// that is no secret, "80+" (">80" where 80 does not belong to it) and "<=4": its
// other end would be the highest or lowest value of the file. ReplaceByValue
// names it by the given number; there is no mean of categories.
type TopBottom struct {
	Variable    string
	Top, Bottom *float64 // thresholds, left as they are themselves; nil: none
	TopLevel    string   // the highest level of an ordered variable that stays; "": Top holds
	BottomLevel string   // the lowest level of an ordered variable that stays; "": Bottom holds
	Replacement string   // ReplaceByThreshold, ReplaceByValue or ReplaceByMean
	TopValue    *float64 // for ReplaceByValue: what values above Top become
	BottomValue *float64 // for ReplaceByValue: what values below Bottom become

	// Instead of Top and Bottom: the least estimated population beyond them.
	TopPopulation, BottomPopulation *float64
}

var _ method.Regrouper = (*TopBottom)(nil)

// TopBottomSpec describes recode-topbottom for the catalog.
func TopBottomSpec() method.Spec {
	return method.Spec{
		Name:  "recode-topbottom",
		Title: "Top and bottom coding",
		Help: "Replaces the values above a threshold, and below another, by the threshold, by a number of your choice " +
			"or by the mean of the values that lie beyond, of a variable of whole numbers rounded to one, or rounded to the " +
			"decimals that the values have, which do not tell then who was coded: extreme " +
			"values are rare and well known. The mean of fewer than three values tells them. Where the categories are " +
			"intervals, those that lie wholly beyond the threshold are grouped, and the group is called 80+ or <=4, " +
			"which does not tell the highest or lowest value; an interval that holds the threshold stays as it is. Of " +
			"other ordered categories say the highest or lowest that stays, as top_level or bottom_level: those " +
			"beyond it are grouped. Instead of a threshold give the population that at least is to lie beyond it: the " +
			"threshold becomes the highest value (at the bottom the lowest) beyond which the weights add up to so " +
			"many; without weights records count.",
		Cite: "Hundepool et al. (2012), Statistical Disclosure Control, section 3.4 (top and bottom coding); " +
			"mu-ARGUS 5.1 manual",
		Key:     "r",
		Sample:  `{"variable":"age","top":80}`,
		New:     method.From(TopBottom{Replacement: ReplaceByThreshold}),
		Propose: method.With((*TopBottom).propose),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *TopBottom) Params() []method.Param {
	return []method.Param{
		variableParam(&m.Variable, microdata.RoleWeight).Among(method.OrderedVariables),
		method.Number(&m.Top, "top", "values above this are replaced").Empty("none"),
		method.Number(&m.Bottom, "bottom", "values below this are replaced").Empty("none"),
		method.Text(&m.TopLevel, "top_level",
			"instead of top: the highest category that stays").Empty("none").CategoryOf(&m.Variable),
		method.Text(&m.BottomLevel, "bottom_level",
			"instead of bottom: the lowest category that stays").Empty("none").CategoryOf(&m.Variable),
		method.Number(&m.TopPopulation, "top_population",
			"instead of top: above the threshold are at least so many of the population").AtLeast(1).Empty("none"),
		method.Number(&m.BottomPopulation, "bottom_population",
			"instead of bottom: below the threshold are at least so many of the population").AtLeast(1).Empty("none"),
		method.Choice(&m.Replacement, "replacement",
			"what values beyond a threshold become; categories beyond it are grouped",
			ReplaceByThreshold, ReplaceByValue, ReplaceByMean, ReplaceByRounded).
			Called("threshold", "value", "mean", "mean with the decimals of the values"),
		method.Number(&m.TopValue, "top_value", "what values above the top threshold become, for replacement by value"),
		method.Number(&m.BottomValue, "bottom_value",
			"what values below the bottom threshold become, for replacement by value"),
	}
}

// Regroup returns the mapping of the values beyond the thresholds of the
// variable as it is now.
func (m *TopBottom) Regroup(in method.Input, target *microdata.Column) (r method.Regrouping, err error) {
	if m, err = m.Weigh(in, target); err == nil {
		err = m.check(target)
	}
	switch {
	case err != nil:
	case target.Numeric():
		r = m.replace(target)
	default:
		r, err = m.group(target)
	}
	if err != nil {
		return r, err
	}
	r.Done = "replaced"
	m.describe(&r)
	return r, nil
}

func (m *TopBottom) noOrder() error {
	return fmt.Errorf("recode-topbottom %w: %q has no order; give its levels one with recode-order, or group them "+
		"instead", method.ErrInput, m.Variable)
}

// Side is one end of a variable, in the fields of the method.
type Side struct {
	Name, beyond      string    // "top", "above"
	sign              float64   // 1 where higher values lie beyond the threshold, else -1
	Threshold         **float64 // nil: none
	Level             *string   // instead of the threshold; "": none
	value, population *float64  // for ReplaceByValue; instead of the threshold
}

// Sides returns the top and the bottom.
func (m *TopBottom) Sides() []Side {
	return []Side{{"top", "above", 1, &m.Top, &m.TopLevel, m.TopValue, m.TopPopulation},
		{"bottom", "below", -1, &m.Bottom, &m.BottomLevel, m.BottomValue, m.BottomPopulation}}
}

// Given reports whether there is a threshold on the side.
func (s Side) Given() bool { return *s.Threshold != nil || *s.Level != "" }

// has reports whether a number lies beyond the threshold of the side.
func (s Side) has(x float64) bool { return *s.Threshold != nil && s.sign*x > s.sign***s.Threshold }

// hasAll reports whether all values of an interval lie beyond the threshold.
func (s Side) hasAll(span microdata.Span) bool {
	if s.sign > 0 {
		return span.Above(**s.Threshold)
	}
	return span.Below(**s.Threshold)
}

// check reports parameters that do not go together, or not with the variable.
func (m *TopBottom) check(target *microdata.Column) error {
	sides := m.Sides()
	switch {
	case !sides[0].Given() && !sides[1].Given():
		return method.ParamError("\"top\" or \"bottom\" must be given")
	case m.Top != nil && m.Bottom != nil && *m.Bottom > *m.Top:
		return method.ParamError("\"bottom\" is %v; it must not be above \"top\", %v", *m.Bottom, *m.Top)
	}
	for _, s := range sides {
		byValue := m.Replacement == ReplaceByValue
		switch {
		case *s.Threshold != nil && *s.Level != "":
			return method.ParamError("%q and \"%s_level\" are both given; give one of them", s.Name,
				s.Name)
		case byValue && s.Given() && s.value == nil:
			return method.ParamError("\"%s_value\" is missing: the number that values beyond the %s threshold become",
				s.Name, s.Name)
		case s.value != nil && !byValue:
			return method.ParamError("\"%s_value\" is given, but \"replacement\" is %s; make it value, or leave "+
				"\"%s_value\" out", s.Name, m.Replacement, s.Name)
		case s.value != nil && !s.Given():
			return method.ParamError("\"%s_value\" is given without %q, the threshold it belongs to",
				s.Name, s.Name)
		}
	}
	switch mean := m.Replacement == ReplaceByMean || m.Replacement == ReplaceByRounded; {
	case target.Numeric() && m.TopLevel+m.BottomLevel != "":
		return method.ParamError("\"top_level\" and \"bottom_level\" are for categories; %q is a numeric variable: give "+
			"\"top\" or \"bottom\"", m.Variable)
	case !target.Numeric() && !target.Categories().Ordered:
		return m.noOrder()
	case !target.Numeric() && mean:
		return fmt.Errorf("recode-topbottom %w: the levels of %q are categories, which have no mean; make "+
			"\"replacement\" threshold or value", method.ErrInput, m.Variable)
	}
	return nil
}

// describe sets the title, and warns of what the thresholds leave.
func (m *TopBottom) describe(r *method.Regrouping) {
	var names, parts []string
	for _, s := range m.Sides() {
		if s.Given() {
			names, parts = append(names, s.Name), append([]string{m.part(s, r)}, parts...)
		}
	}
	r.Title = fmt.Sprintf("%s coding %s: %s", strings.Join(names, " and "), m.Variable, strings.Join(parts, ", "))
	if n := m.astride(r); n > 0 {
		r.Warnings = append(r.Warnings, wording.Does(n, "level",
			"hold values on both sides of a threshold")+" and "+wording.Verb(n, "stay unchanged"))
	}
}

// part says one side in the title: "above 75 → 75"; of categories it names the
// group, if the level there was another before: "above 79 → 80+".
func (m *TopBottom) part(s Side, r *method.Regrouping) string {
	beyond, before := *s.Level, r.From.Categories().Levels
	if *s.Threshold != nil {
		beyond = numberLabel(**s.Threshold)
	}
	becomes := beyond
	if !r.Target.Numeric() && len(before) > 0 {
		was, is := before[0].Label, r.Levels[0].Label
		if s.sign > 0 {
			was, is = before[len(before)-1].Label, r.Levels[len(r.Levels)-1].Label
		}
		if becomes = is; was == is {
			becomes = "no level"
		}
	}
	switch m.Replacement {
	case ReplaceByValue:
		becomes = numberLabel(*s.value)
	case ReplaceByMean, ReplaceByRounded:
		becomes = "their mean"
	}
	return fmt.Sprintf("%s %s → %s", s.beyond, beyond, becomes)
}

// group maps the levels of an ordered variable: those wholly beyond a threshold
// become one.
func (m *TopBottom) group(target *microdata.Column) (r method.Regrouping, err error) {
	var last [2]int
	for i, s := range m.Sides() {
		if last[i], err = m.Last(target, s); err != nil {
			return r, err
		}
	}
	if highest, lowest := last[0], last[1]; m.TopLevel != "" && m.BottomLevel != "" && lowest > highest || lowest > highest+1 {
		return r, fmt.Errorf("%w: the bottom threshold lies above the top threshold", method.ErrParam)
	}
	levels := target.Categories().Levels
	after := levels
	for i, s := range m.Sides() {
		var beyond []int
		for place := range levels {
			if float64(place-last[i])*s.sign > 0 {
				beyond = append(beyond, place)
			}
		}
		if after, err = joined(after, beyond, m.label(s, levels, last[i]+int(s.sign))); err != nil {
			return r, err
		}
	}
	return mapped(target, target, after), nil
}

// Last returns the place of the last level of ordered categories that stays on a side. Where all lie beyond the
// threshold none stays: then it is the place behind the other end.
func (m *TopBottom) Last(target *microdata.Column, s Side) (place int, err error) {
	levels := target.Categories().Levels
	if s.sign > 0 {
		place = len(levels) - 1
	}
	if *s.Level != "" {
		var places []int
		if places, err = placesOf(target, s.Name+"_level", *s.Level); err == nil {
			place = places[0]
		}
		return place, err
	}
	if *s.Threshold == nil {
		return place, nil
	}
	spans, ok := microdata.Spans(levels)
	if !ok && len(levels) > 0 {
		return 0, fmt.Errorf("recode-topbottom %w: the levels of %q are not all numbers or intervals; say "+
			"\"top_level\" or \"bottom_level\" instead, or group them",
			method.ErrInput, m.Variable)
	}
	for place >= 0 && place < len(spans) && s.hasAll(spans[place]) {
		place -= int(s.sign)
	}
	return place, nil
}

// label returns the label of the group of the levels from the given one, the
// innermost, outwards; "" where there is none.
func (m *TopBottom) label(s Side, levels []microdata.Level, innermost int) string {
	switch {
	case innermost < 0 || innermost >= len(levels):
		return ""
	case m.Replacement == ReplaceByValue:
		return numberLabel(*s.value)
	}
	level := levels[innermost]
	span, ok := level.Span()
	if !ok {
		span = microdata.Span{}
	}
	if s.sign > 0 {
		return spanLabel(microdata.Span{First: cmp.Or(span.First, level.Label), Open: span.Open})
	}
	return "<=" + cmp.Or(span.Last, level.Label)
}

// astride returns the number of levels of intervals that hold a threshold and
// values beyond it.
func (m *TopBottom) astride(r *method.Regrouping) int {
	count := 0
	for _, level := range r.From.Categories().Levels {
		span, ok := level.Span()
		if ok && !r.Target.Numeric() && slices.ContainsFunc(m.Sides(), func(s Side) bool {
			return !(*s.Threshold == nil || s.hasAll(span)) && (s.has(span.Lower) || s.has(span.Upper))
		}) {
			count++
		}
	}
	return count
}

// replace maps the numbers beyond a threshold to the replacement.
func (m *TopBottom) replace(target *microdata.Column) method.Regrouping {
	levels := target.Categories().Levels
	after := slices.Clone(levels)
	var warnings []string
	for _, s := range m.Sides() {
		if *s.Threshold == nil {
			continue
		}
		replacement, warning := m.replacement(target, s)
		for i, level := range levels {
			if s.has(level.Value) {
				after[i] = replacement
			}
		}
		warnings = append(warnings, warning...)
	}
	r := numbered(target, after)
	r.Warnings = warnings
	return r
}

// Narrate says which values were coded and what they became, as the title of the step has it.
// A threshold that follows from the data is not shown: it is the value of a record.
func (m *TopBottom) Narrate(report *method.Report) string {
	derived := m.TopPopulation != nil || m.BottomPopulation != nil
	if _, done, ok := strings.Cut(report.Title, ": "); ok && !derived && !strings.Contains(done, "no level") {
		done = strings.NewReplacer(" → ", " became ", "above", "values above", "below", "values below").Replace(done)
		return fmt.Sprintf("Extreme values of %s were replaced: %s.", m.Variable, done)
	}
	var ends []string
	for i, s := range m.Sides() {
		if s.Given() || s.population != nil {
			ends = append(ends, [...]string{"highest", "the lowest"}[i])
		}
	}
	return fmt.Sprintf("The %s values of %s were replaced by a common one.",
		strings.TrimPrefix(strings.Join(ends, " and "), "the "), m.Variable)
}
