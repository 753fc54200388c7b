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
	if m, err = m.Weigh(in, target); err != nil {
		return r, err
	}
	if err := m.check(); err != nil {
		return r, err
	}
	r = method.Regrouping{Target: target, From: target, Ordered: true, Done: "replaced"}
	switch {
	case !target.Numeric() && target.Categories().Ordered:
		r.Levels, r.Mapping, err = m.group(target)
	case !target.Numeric():
		err = m.noOrder()
	case m.TopLevel+m.BottomLevel != "":
		err = method.ParamError("\"top_level\" and \"bottom_level\" are for categories; %q is a numeric variable: give "+
			"\"top\" or \"bottom\"", m.Variable)
	default:
		m.replace(&r)
	}
	if err == nil {
		m.describe(&r)
	}
	return r, err
}

func (m *TopBottom) noOrder() error {
	return fmt.Errorf("recode-topbottom %w: %q has no order; give its levels one with recode-order, or group them "+
		"instead", method.ErrInput, m.Variable)
}

// side is one end of a variable.
type side struct {
	name, beyond string   // "top", "above"
	sign         float64  // 1 where higher values lie beyond the threshold, else -1
	threshold    *float64 // nil: none
	level        string   // instead of the threshold; "": none
	value        *float64 // for ReplaceByValue
	population   *float64 // instead of the threshold; nil: none
}

func (m *TopBottom) sides() [2]side {
	return [2]side{{"top", "above", 1, m.Top, m.TopLevel, m.TopValue, m.TopPopulation},
		{"bottom", "below", -1, m.Bottom, m.BottomLevel, m.BottomValue, m.BottomPopulation}}
}

// given reports whether there is a threshold on the side.
func (s side) given() bool { return s.threshold != nil || s.level != "" }

// has reports whether a number lies beyond the threshold of the side.
func (s side) has(x float64) bool { return s.threshold != nil && s.sign*x > s.sign**s.threshold }

// check reports parameters that do not go together.
func (m *TopBottom) check() error {
	sides := m.sides()
	switch {
	case !sides[0].given() && !sides[1].given():
		return method.ParamError("\"top\" or \"bottom\" must be given")
	case m.Top != nil && m.Bottom != nil && *m.Bottom > *m.Top:
		return method.ParamError("\"bottom\" is %v; it must not be above \"top\", %v", *m.Bottom, *m.Top)
	}
	for _, s := range sides {
		byValue := m.Replacement == ReplaceByValue
		switch {
		case s.threshold != nil && s.level != "":
			return method.ParamError("%q and \"%s_level\" are both given; give one of them", s.name,
				s.name)
		case byValue && s.given() && s.value == nil:
			return method.ParamError("\"%s_value\" is missing: the number that values beyond the %s threshold become",
				s.name, s.name)
		case s.value != nil && !byValue:
			return method.ParamError("\"%s_value\" is given, but \"replacement\" is %s; make it value, or leave "+
				"\"%s_value\" out", s.name, m.Replacement, s.name)
		case s.value != nil && !s.given():
			return method.ParamError("\"%s_value\" is given without %q, the threshold it belongs to",
				s.name, s.name)
		}
	}
	return nil
}

// describe sets the title, and warns of what the thresholds tell or leave.
func (m *TopBottom) describe(r *method.Regrouping) {
	var names, parts []string
	for _, s := range m.sides() {
		if s.given() {
			names, parts = append(names, s.name), append([]string{m.part(s, s.outermost(r))}, parts...)
		}
	}
	r.Title = fmt.Sprintf("%s coding %s: %s", strings.Join(names, " and "), m.Variable, strings.Join(parts, ", "))
	if n := m.astride(r); n > 0 {
		r.Warnings = append(r.Warnings, wording.Does(n, "level",
			"hold values on both sides of a threshold")+" and "+wording.Verb(n, "stay unchanged"))
	}
}

// outermost returns the label of the group at the end of the levels, if the one
// there was another before; "" for numbers.
func (s side) outermost(r *method.Regrouping) string {
	before := r.From.Categories().Levels
	if r.Target.Numeric() || len(before) == 0 {
		return ""
	}
	was, is := before[0].Label, r.Levels[0].Label
	if s.sign > 0 {
		was, is = before[len(before)-1].Label, r.Levels[len(r.Levels)-1].Label
	}
	if was == is {
		return "no level"
	}
	return is
}

// part says one side in the title: "above 75 → 75"; of categories it names the
// group: "above 79 → 80+".
func (m *TopBottom) part(s side, group string) string {
	beyond, becomes := s.level, group
	if s.threshold != nil {
		beyond = numberLabel(*s.threshold)
		if group == "" {
			becomes = beyond
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
func (m *TopBottom) group(target *microdata.Column) ([]microdata.Level, []uint32, error) {
	if m.Replacement == ReplaceByMean || m.Replacement == ReplaceByRounded {
		return nil, nil, fmt.Errorf("recode-topbottom %w: the levels of %q are categories, which have no mean; make "+
			"\"replacement\" threshold or value",
			method.ErrInput, m.Variable)
	}
	levels := target.Categories().Levels
	top, bottom := m.sides()[0], m.sides()[1]
	lowest, highest, err := m.staying(target)
	if err != nil {
		return nil, nil, err
	}
	after, mapping, err := joinLevels(levels, m.label(top, levels, highest+1),
		func(place int) bool { return place > highest })
	if err != nil {
		return nil, nil, err
	}
	// The lower levels have kept their places.
	after, second, err := joinLevels(after, m.label(bottom, levels, lowest-1),
		func(place int) bool { return place < lowest })
	if err != nil {
		return nil, nil, err
	}
	for code := range mapping {
		mapping[code] = second[mapping[code]]
	}
	return after, mapping, nil
}

// staying returns the places of the lowest and the highest level that stay.
// Where all levels lie beyond one threshold, none stays: then lowest is
// len(levels) or highest is -1.
func (m *TopBottom) staying(target *microdata.Column) (lowest, highest int, err error) {
	levels := target.Categories().Levels
	highest = len(levels) - 1
	for _, named := range []struct {
		param, label string
		place        *int
	}{{"bottom_level", m.BottomLevel, &lowest}, {"top_level", m.TopLevel, &highest}} {
		if named.label == "" {
			continue
		}
		places, err := placesOf(target, named.param, named.label)
		if err != nil {
			return 0, 0, err
		}
		*named.place = places[0]
	}
	if m.Top != nil || m.Bottom != nil {
		spans, ok := microdata.Spans(levels)
		if !ok && len(levels) > 0 {
			return 0, 0, fmt.Errorf("recode-topbottom %w: the levels of %q are not all numbers or intervals; say "+
				"\"top_level\" or \"bottom_level\" instead, or group them",
				method.ErrInput, m.Variable)
		}
		for m.Top != nil && highest >= 0 && spans[highest].Above(*m.Top) {
			highest--
		}
		for m.Bottom != nil && lowest < len(spans) && spans[lowest].Below(*m.Bottom) {
			lowest++
		}
	}
	if m.TopLevel != "" && m.BottomLevel != "" && lowest > highest || lowest > highest+1 {
		return 0, 0, fmt.Errorf("%w: the bottom threshold lies above the top threshold", method.ErrParam)
	}
	return lowest, highest, nil
}

// label returns the label of the group of the levels from the given one, the
// innermost, outwards; "" where there is none.
func (m *TopBottom) label(s side, levels []microdata.Level, innermost int) string {
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
	if r.Target.Numeric() {
		return 0
	}
	count := 0
	for _, level := range r.From.Categories().Levels {
		s, ok := level.Span()
		if !ok {
			continue
		}
		top := m.Top != nil && !s.Above(*m.Top) && s.Upper > *m.Top
		bottom := m.Bottom != nil && !s.Below(*m.Bottom) && s.Lower < *m.Bottom
		if top || bottom {
			count++
		}
	}
	return count
}

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

// placesBy returns the places of levels in the order of a comparison.
func placesBy(levels []microdata.Level, compare func(a, b microdata.Level) int) []int {
	order := make([]int, len(levels))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(levels[a], levels[b]) })
	return order
}

// sortLevels returns the distinct levels by value and the mapping of codes to them;
// missing stays missing.
func sortLevels(after []microdata.Level) (levels []microdata.Level, mapping []uint32) {
	order := placesBy(after, microdata.Level.Compare)
	levels, mapping = make([]microdata.Level, 0, len(after)), make([]uint32, len(after)+1)
	for _, i := range order {
		if last := len(levels) - 1; last < 0 || levels[last].Label != after[i].Label {
			levels = append(levels, after[i])
		}
		mapping[i+1] = uint32(len(levels))
	}
	return levels, mapping
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
	for i, s := range m.sides() {
		if s.given() || s.population != nil {
			ends = append(ends, [...]string{"highest", "the lowest"}[i])
		}
	}
	return fmt.Sprintf("The %s values of %s were replaced by a common one.",
		strings.TrimPrefix(strings.Join(ends, " and "), "the "), m.Variable)
}
