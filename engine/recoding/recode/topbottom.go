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

// Replacements of values beyond a threshold.
const (
	ReplaceByThreshold = "threshold" // the threshold itself
	ReplaceByValue     = "value"     // a given number
	ReplaceByMean      = "mean"      // the unweighted mean of the values beyond the threshold
	ReplaceByRounded   = "rounded"   // the mean, with at most as many decimals as the values
)

// TopBottom replaces the values above one threshold and below another. It uses the current values of the variable.
//
// For an ordered variable with categories it merges the levels that are entirely beyond a threshold: intervals
// ("60-69", "(60,70]") for Top and Bottom, any levels for TopLevel and BottomLevel. The label has only the inner
// end, "80+" (">80" if 80 is not included) and "<=4", because the outer end would reveal the highest or lowest
// value of the file. ReplaceByValue labels the group with the given number; categories have no mean.
type TopBottom struct {
	Variable    string
	Top, Bottom *float64 // thresholds, which are not replaced themselves; nil: none
	TopLevel    string   // highest level of an ordered variable that is kept, or "" to use Top
	BottomLevel string   // lowest level of an ordered variable that is kept, or "" to use Bottom
	Replacement string   // ReplaceByThreshold, ReplaceByValue or ReplaceByMean
	TopValue    *float64 // for ReplaceByValue: replaces values above Top
	BottomValue *float64 // for ReplaceByValue: replaces values below Bottom

	// Instead of Top and Bottom: the minimum estimated population beyond them.
	TopPopulation, BottomPopulation *float64
}

var _ method.Regrouper = (*TopBottom)(nil)

// TopBottomSpec describes recode-topbottom for the catalog.
func TopBottomSpec() method.Spec {
	return method.Spec{
		Name:  "recode-topbottom",
		Title: "Top and bottom coding",
		Help: "Replaces values above a top or below a bottom threshold, because extreme values are rare and well " +
			"known. They become the threshold, a given number, or their mean. If replacement is rounded, the mean gets " +
			"the decimals of the values, which hides the coded records. A mean of fewer than three values reveals the values. " +
			"Intervals wholly beyond the threshold are merged into 80+ or <=4; an interval that contains it is unchanged. " +
			"With a minimum population, the threshold is the most extreme value beyond which the weights (or records) " +
			"sum to at least this number.",
		Cite: "Hundepool et al. (2012), Statistical Disclosure Control, section 3.4; " +
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
		method.Number(&m.Top, "top", "values above this number are replaced").Empty("none"),
		method.Number(&m.Bottom, "bottom", "values below this number are replaced").Empty("none"),
		method.Text(&m.TopLevel, "top_level",
			"highest category to keep").Labelled("top category").Empty("none").CategoryOf(&m.Variable),
		method.Text(&m.BottomLevel, "bottom_level",
			"lowest category to keep").Labelled("bottom category").Empty("none").CategoryOf(&m.Variable),
		method.Number(&m.TopPopulation, "top_population",
			"minimum population above the derived top threshold").Labelled("min. pop. above top").AtLeast(1).Empty("none"),
		method.Number(&m.BottomPopulation, "bottom_population",
			"minimum population below the derived bottom threshold").Labelled("min. pop. below bottom").AtLeast(1).Empty("none"),
		method.Choice(&m.Replacement, "replacement",
			"what replaces values beyond a threshold; categories are always grouped",
			ReplaceByThreshold, ReplaceByValue, ReplaceByMean, ReplaceByRounded).
			Called("threshold", "value", "mean", "mean with the decimals of the values"),
		method.Number(&m.TopValue, "top_value", "replacement above the top threshold, if replacement is value"),
		method.Number(&m.BottomValue, "bottom_value",
			"replacement below the bottom threshold, if replacement is value"),
	}
}

// Regroup returns the mapping of the current values beyond the thresholds: numbers to the replacement, ordered
// categories to one category.
func (m *TopBottom) Regroup(in method.Input, target *microdata.Column) (r method.Regrouping, err error) {
	sides, err := m.sides(in, target)
	if err != nil {
		return r, err
	}
	after, warnings, taken := slices.Clone(target.Categories().Levels), []string(nil), 0
	for _, s := range sides {
		beyond, err := m.beyond(target, s)
		if err != nil {
			return r, err
		}
		if after, err = m.replaced(target, after, s, beyond, &warnings); err != nil {
			return r, err
		}
		taken += len(beyond)
	}
	levels := len(after)
	if taken > levels || taken == levels && m.TopLevel != "" && m.BottomLevel != "" {
		return r, fmt.Errorf("%w: the bottom threshold is above the top threshold", method.ErrParam)
	}
	if target.Numeric() {
		r = numbered(target, after)
	} else {
		r = mapped(target, target, after)
	}
	r.Done, r.Warnings = "replaced", warnings
	describe(&r, m, sides)
	return r, nil
}

func (m *TopBottom) noOrder() error {
	return fmt.Errorf("recode-topbottom %w: the categories of %q have no order; order them with recode-order, or group them instead", method.ErrInput, m.Variable)
}

// side is one end of a variable.
type side struct {
	name, beyond      string   // "top", "above"
	sign              float64  // 1 for the top, -1 for the bottom
	threshold         *float64 // nil: none
	level             string   // instead of the threshold, or ""
	value, population *float64 // for ReplaceByValue; and instead of the threshold
}

// given returns the sides for which parameters are given.
func (m *TopBottom) given() []side {
	return slices.DeleteFunc([]side{{"top", "above", 1, m.Top, m.TopLevel, m.TopValue, m.TopPopulation},
		{"bottom", "below", -1, m.Bottom, m.BottomLevel, m.BottomValue, m.BottomPopulation}},
		func(s side) bool {
			return s.threshold == nil && s.level == "" && s.value == nil && s.population == nil
		})
}

// sides returns the sides with their thresholds, computing those given by a population. It returns an error if
// parameters conflict with each other or with the variable.
func (m *TopBottom) sides(in method.Input, target *microdata.Column) ([]side, error) {
	sides, ordered := m.given(), target.InOrder()
	for i := range sides {
		if sides[i].population == nil {
			continue
		} else if !ordered {
			return nil, m.noOrder()
		}
		if err := m.weigh(in, target, &sides[i]); err != nil {
			return nil, err
		}
	}
	for _, s := range sides {
		if err := s.check(m.Replacement); err != nil {
			return nil, err
		}
	}
	mean := m.Replacement == ReplaceByMean || m.Replacement == ReplaceByRounded
	switch low, high := m.Bottom, m.Top; {
	case len(sides) == 0:
		return nil, method.ParamError("give \"top\" or \"bottom\"")
	case low != nil && high != nil && *low > *high:
		return nil, method.ParamError("\"bottom\" is %v; it must not be above \"top\", %v", *low, *high)
	case target.Numeric() && m.TopLevel+m.BottomLevel != "":
		return nil, method.ParamError("\"top_level\" and \"bottom_level\" are for categories; %q is a numeric variable: give "+
			"\"top\" or \"bottom\"", m.Variable)
	case !ordered:
		return nil, m.noOrder()
	case !target.Numeric() && mean:
		return nil, fmt.Errorf("recode-topbottom %w: %q has categories, which have no mean; set \"replacement\" to threshold or value", method.ErrInput, m.Variable)
	case len(sides) == 2 && target.Numeric() && *sides[1].threshold > *sides[0].threshold:
		return nil, fmt.Errorf("recode-topbottom %w: the population with a value of %q is too small for both thresholds",
			method.ErrInput, m.Variable)
	}
	return sides, nil
}

// check reports conflicting parameters of a side.
func (s side) check(replacement string) error {
	switch byValue, given := replacement == ReplaceByValue, s.threshold != nil || s.level != ""; {
	case s.threshold != nil && s.level != "":
		return method.ParamError("%q and \"%s_level\" are both given; give one of them", s.name, s.name)
	case byValue && s.value == nil:
		return method.ParamError("\"%s_value\" is missing: give the number that replaces values beyond the %s threshold", s.name,
			s.name)
	case s.value != nil && !byValue:
		return method.ParamError("\"%s_value\" is given, but \"replacement\" is %s; set it to value, or omit \"%s_value\"", s.name, replacement, s.name)
	case !given:
		return method.ParamError("\"%s_value\" is given without its threshold %q", s.name, s.name)
	}
	return nil
}

// has reports whether a number is beyond the threshold of the side.
func (s side) has(x float64) bool { return s.threshold != nil && s.sign*x > s.sign**s.threshold }

// hasAll reports whether all values of an interval are beyond the threshold.
func (s side) hasAll(span microdata.Span) bool {
	if s.sign > 0 {
		return span.Above(*s.threshold)
	}
	return span.Below(*s.threshold)
}

// beyond returns the indices of the levels beyond the threshold of a side, the innermost last: any numbers, but
// for ordered categories only consecutive ones from the end.
func (m *TopBottom) beyond(target *microdata.Column, s side) (places []int, err error) {
	levels := target.Categories().Levels
	has := func(place int) bool { return s.has(levels[place].Value) }
	if s.level != "" {
		last, err := placesOf(target, s.name+"_level", s.level)
		if err != nil {
			return nil, err
		}
		has = func(place int) bool { return s.sign*float64(place-last[0]) > 0 }
	} else if !target.Numeric() {
		spans, ok := microdata.Spans(levels)
		if !ok && len(levels) > 0 {
			return nil, fmt.Errorf("recode-topbottom %w: not all categories of %q are numbers or intervals; give \"top_level\" or "+
				"\"bottom_level\" instead, or group them", method.ErrInput, m.Variable)
		}
		has = func(place int) bool { return s.hasAll(spans[place]) }
	}
	for i := range levels {
		if s.sign > 0 {
			i = len(levels) - 1 - i
		}
		if has(i) {
			places = append(places, i)
		} else if !target.Numeric() {
			break
		}
	}
	return places, nil
}

// replaced returns the levels with those at the given indices, the innermost last, replaced by one.
func (m *TopBottom) replaced(target *microdata.Column, after []microdata.Level, s side, places []int,
	warnings *[]string) ([]microdata.Level, error) {
	if target.Numeric() {
		replacement, warning := m.replacement(target, s)
		*warnings = append(*warnings, warning...)
		for _, place := range places {
			after[place] = replacement
		}
		return after, nil
	}
	if len(places) == 0 {
		return after, nil
	}
	label := ""
	switch level := target.Categories().Levels[places[len(places)-1]]; {
	case m.Replacement == ReplaceByValue:
		label = numberLabel(*s.value)
	default:
		label = s.label(level)
	}
	slices.Sort(places)
	return joined(after, places, label)
}

// label returns the label for a level merged with those beyond it.
func (s side) label(innermost microdata.Level) string {
	span, ok := innermost.Span()
	if !ok {
		span = microdata.Span{}
	}
	if s.sign > 0 {
		return spanLabel(microdata.Span{First: cmp.Or(span.First, innermost.Label), Open: span.Open})
	}
	return spanLabel(microdata.Span{Last: cmp.Or(span.Last, innermost.Label), OpenAbove: span.OpenAbove})
}

// describe sets the title, and warns of intervals that contain values on both sides of a threshold.
func describe(r *method.Regrouping, m *TopBottom, sides []side) {
	var names, parts []string
	for _, s := range sides {
		names, parts = append(names, s.name), append([]string{m.part(s, r)}, parts...)
	}
	r.Title = fmt.Sprintf("%s coding %s: %s", strings.Join(names, " and "), m.Variable, strings.Join(parts, ", "))
	if r.Target.Numeric() {
		return
	}
	astride := 0
	for _, level := range r.From.Categories().Levels {
		span, ok := level.Span()
		if ok && slices.ContainsFunc(sides, func(s side) bool {
			return s.threshold != nil && !s.hasAll(span) && (s.has(span.Lower) || s.has(span.Upper))
		}) {
			astride++
		}
	}
	if astride > 0 {
		r.Warnings = append(r.Warnings, wording.Does(astride, "level",
			"contain values on both sides of a threshold")+" and "+wording.Verb(astride, "stay unchanged"))
	}
}

// part describes one side in the title: "above 75 → 75". For categories it names the group if the outer level
// changed: "above 79 → 80+".
func (m *TopBottom) part(s side, r *method.Regrouping) string {
	beyond, before := s.level, r.From.Categories().Levels
	if s.threshold != nil {
		beyond = numberLabel(*s.threshold)
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

// Narrate states which values were replaced and by what, as in the title of the step. It omits a threshold that is
// computed from the data, because that is the value of a record.
func (m *TopBottom) Narrate(report *method.Report) string {
	derived := m.TopPopulation != nil || m.BottomPopulation != nil
	if _, done, ok := strings.Cut(report.Title, ": "); ok && !derived && !strings.Contains(done, "no level") {
		done = strings.NewReplacer(" → ", " became ", "above", "values above", "below", "values below").Replace(done)
		return fmt.Sprintf("Extreme values of %s were replaced: %s.", m.Variable, done)
	}
	var ends []string
	for _, s := range m.given() {
		ends = append(ends, map[string]string{"top": "highest", "bottom": "the lowest"}[s.name])
	}
	return fmt.Sprintf("The %s values of %s were replaced by a common value.",
		strings.TrimPrefix(strings.Join(ends, " and "), "the "), m.Variable)
}
