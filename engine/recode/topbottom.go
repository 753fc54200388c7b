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
}

// TopBottomSpec describes recode-topbottom for the catalog.
func TopBottomSpec() method.Spec {
	return method.Spec{
		Name:  "recode-topbottom",
		Title: "Top and bottom coding",
		Help: "Replaces the values above a threshold, and below another, by the threshold, by a number of your choice " +
			"or by the mean of the values that lie beyond, of a variable of whole numbers rounded to one: extreme values are rare " +
			"and well known. The mean of fewer than three values tells them. Where the categories " +
			"are intervals, those that lie wholly beyond the threshold are grouped, and the group is called 80+ or <=4, " +
			"which does not tell the highest or lowest value; an interval that holds the threshold stays as it is. Of " +
			"other ordered categories say the highest or lowest that stays, as top_level or bottom_level: those beyond " +
			"it are grouped.",
		Cite: "Hundepool et al. (2012), Statistical Disclosure Control, section 3.4 (top and bottom coding)",
		Key:  "r",
		New:  func() method.Method { return &TopBottom{Replacement: ReplaceByThreshold} },
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *TopBottom) Params() []method.Param {
	return []method.Param{
		variableParam(&m.Variable, microdata.RoleWeight),
		method.Number(&m.Top, "top", "values above this are replaced").Empty("none"),
		method.Number(&m.Bottom, "bottom", "values below this are replaced").Empty("none"),
		method.Text(&m.TopLevel, "top_level", "instead of top: the highest category that stays").Empty("none"),
		method.Text(&m.BottomLevel, "bottom_level", "instead of bottom: the lowest category that stays").Empty("none"),
		method.Choice(&m.Replacement, "replacement", "what values beyond a threshold become; categories beyond it are grouped",
			ReplaceByThreshold, ReplaceByValue, ReplaceByMean),
		method.Number(&m.TopValue, "top_value", "what values above the top threshold become, for replacement by value"),
		method.Number(&m.BottomValue, "bottom_value", "what values below the bottom threshold become, for replacement by value"),
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
	case !target.Numeric() && categories.Ordered:
		r.Levels, r.Mapping, err = m.group(categories.Levels)
	case !target.Numeric():
		err = fmt.Errorf("recode-topbottom %w: %q has no order; give its levels one with recode-order, or group them instead", method.ErrInput, m.Variable)
	case m.TopLevel != "" || m.BottomLevel != "":
		err = fmt.Errorf("%w \"top_level\" and \"bottom_level\" are for categories; %q is a variable of numbers: give \"top\" or \"bottom\"", method.ErrParam, m.Variable)
	default:
		r.Levels, r.Mapping = m.replace(categories, target.Kind() == microdata.Whole)
	}
	return r, err == nil, err
}

// top and bottom report whether there is a threshold on that side.
func (m *TopBottom) top() bool    { return m.Top != nil || m.TopLevel != "" }
func (m *TopBottom) bottom() bool { return m.Bottom != nil || m.BottomLevel != "" }

// check reports parameters that do not go together.
func (m *TopBottom) check() error {
	switch {
	case !m.top() && !m.bottom():
		return fmt.Errorf("%w \"top\" or \"bottom\" must be given", method.ErrParam)
	case m.Top != nil && m.TopLevel != "":
		return fmt.Errorf("%w \"top\" and \"top_level\" are both given; give one of them", method.ErrParam)
	case m.Bottom != nil && m.BottomLevel != "":
		return fmt.Errorf("%w \"bottom\" and \"bottom_level\" are both given; give one of them", method.ErrParam)
	case m.Top != nil && m.Bottom != nil && !(*m.Bottom <= *m.Top):
		return fmt.Errorf("%w \"bottom\" is %v; it must not be above \"top\", %v", method.ErrParam, *m.Bottom, *m.Top)
	case !slices.Contains([]string{ReplaceByThreshold, ReplaceByValue, ReplaceByMean}, m.Replacement):
		return fmt.Errorf("%w \"replacement\" is %q; it must be threshold, value or mean", method.ErrParam, m.Replacement)
	}
	for _, number := range []*float64{m.Top, m.Bottom, m.TopValue, m.BottomValue} {
		if number != nil && (math.IsNaN(*number) || math.IsInf(*number, 0)) {
			return fmt.Errorf("%w: thresholds and values must be finite numbers", method.ErrParam)
		}
	}
	if err := m.checkValue("top", m.top(), m.TopValue); err != nil {
		return err
	}
	return m.checkValue("bottom", m.bottom(), m.BottomValue)
}

// checkValue reports a replacing number that is missing, or one that would be
// ignored in silence.
func (m *TopBottom) checkValue(side string, threshold bool, value *float64) error {
	byValue := m.Replacement == ReplaceByValue
	switch {
	case byValue && threshold && value == nil:
		return fmt.Errorf("%w \"%s_value\" is missing: the number that values beyond the %s threshold become", method.ErrParam, side, side)
	case value != nil && !byValue:
		return fmt.Errorf("%w \"%s_value\" is given, but \"replacement\" is %s; make it value, or leave \"%s_value\" out",
			method.ErrParam, side, m.Replacement, side)
	case value != nil && !threshold:
		return fmt.Errorf("%w \"%s_value\" is given without \"%s\", the threshold it belongs to", method.ErrParam, side, side)
	}
	return nil
}

// Describe reports what the mapping does; see method.Describer.
func (m *TopBottom) Describe(r *method.Regrouping) method.Report {
	var parts []string
	if m.bottom() {
		parts = append(parts, m.part("below", m.Bottom, m.BottomLevel, m.BottomValue, outermost(r, 0, 0)))
	}
	if m.top() {
		last := len(r.From.Categories().Levels) - 1
		parts = append(parts, m.part("above", m.Top, m.TopLevel, m.TopValue, outermost(r, last, len(r.Levels)-1)))
	}
	title := "top coding"
	switch {
	case !m.top():
		title = "bottom coding"
	case m.bottom():
		title = "top and bottom coding"
	}
	report := describe(fmt.Sprintf("%s %s: %s", title, m.Variable, strings.Join(parts, ", ")), r, nil)
	report.Effect = fmt.Sprintf("%s replaced", cells(report.Changed))
	report.Warnings = append(report.Warnings, m.tellingMeans(r.Target)...)
	if n := m.astride(r); n > 0 {
		report.Warnings = append(report.Warnings, fmt.Sprintf("%s %s values on both sides of a threshold and %s unchanged",
			levels(n), verb(n, "hold"), verb(n, "stay")))
	}
	return report
}

// outermost returns the label of a group at the end of the levels: of
// categories the level there, if it was not so before; "" for numbers.
func outermost(r *method.Regrouping, before, after int) string {
	switch {
	case r.Target.Numeric() || after < 0 || before < 0:
		return ""
	case r.From.Categories().Levels[before].Label == r.Levels[after].Label:
		return "no level"
	}
	return r.Levels[after].Label
}

// part says one side in the title: "above 75 → 75"; of categories it names the
// group: "above 79 → 80+".
func (m *TopBottom) part(side string, threshold *float64, level string, given *float64, group string) string {
	beyond, becomes := level, group
	if threshold != nil {
		beyond = numberLabel(*threshold)
		if group == "" {
			becomes = beyond
		}
	}
	switch m.Replacement {
	case ReplaceByValue:
		becomes = numberLabel(*given)
	case ReplaceByMean:
		becomes = "their mean"
	}
	return fmt.Sprintf("%s %s → %s", side, beyond, becomes)
}

// Apply replaces the values beyond the thresholds; missing stays missing.
func (m *TopBottom) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (method.Output, error) {
	return apply(ctx, m, in, meter)
}
