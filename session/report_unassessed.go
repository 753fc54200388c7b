package session

import (
	"context"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// unassessed lists what no figure of the report covers.
func (r *reportBuilder) unassessed(ctx context.Context) error {
	current, err := r.analyst.Figures(ctx, r.Data, &r.Scenario, measure.Report)
	if err != nil {
		return err
	}
	s := report.Section{}
	if len(r.Scenario.Keys) == 0 {
		s.Add("There are no key variables: the report assumes nothing about what an intruder knows.")
	}
	if r.Scenario.Weight == "" {
		s.Add(risk.NoWeight)
	}
	if r.Scenario.Household == "" {
		s.Add("There is no household ID: risk through other members of a household is not assessed.")
	}
	released := r.released().Columns()
	without := r.variablesThat(func(name string) bool {
		return len(r.Scenario.RolesOf(name)) == 0 && r.Scenario.LinkedTo(name) == ""
	})
	if len(without) > 0 {
		s.Add("%s of %s are released without a role: %s.", wording.Number(len(without)), wording.Counted(len(released), "variable"),
			strings.Join(without, ", "))
	}
	s.Lines = append(s.Lines, inapplicable(current)...)
	var others []string
	for _, spec := range r.analyst.measures {
		if current.Find(spec.Name) == nil && spec.Name != suppress.MissingCellsSpec().Name && !slices.ContainsFunc(r.Measures,
			func(open MeasureSpec) bool { return open.Name == spec.Name }) {
			others = append(others, spec.Title)
		}
	}
	if len(others) > 0 {
		s.Add("Measures that were not active: %s.", strings.Join(others, ", "))
	}
	if r.options.Findings == nil {
		s.Add("The pre-release checks did not run.")
	}
	r.add(s)
	return nil
}

// inapplicable lists why measures do not apply, grouped by reason.
func inapplicable(set measure.Set) []string {
	var lines, reasons []string
	titles := map[string][]string{}
	for i := range set {
		e := &set[i]
		if e.NotApplicable == "" {
			continue
		}
		if titles[e.NotApplicable] == nil {
			reasons = append(reasons, e.NotApplicable)
		}
		titles[e.NotApplicable] = append(titles[e.NotApplicable], e.Spec.Title)
	}
	for _, reason := range reasons {
		lines = append(lines, wording.Capital(strings.Join(titles[reason], ", "))+". Not applicable: "+reason+".")
	}
	return lines
}
