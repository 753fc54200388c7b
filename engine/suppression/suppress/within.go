package suppress

import (
	"context"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// SuppressWithin makes a file k-anonymous for the largest k that it can reach while one key variable loses at most a given
// number of cells.
//
// Categories of fewer than k records lose all their cells of the variable, which gives an upper limit of k. SuppressWithin
// searches the range up to that limit by bisection, starting at the limit. For each k it protects each category
// separately, or all categories together if suppressed cells protect other records. That a k is not reached does
// not prove that larger ones cannot be.
type SuppressWithin struct {
	Variable string
	Cells    int
	Rule     string // suppression rule, a microdata.Rule
}

var _ method.Method = (*SuppressWithin)(nil)

// WithinSpec describes suppress-within for the catalog.
func WithinSpec() method.Spec {
	return method.Spec{
		Name:  "suppress-within",
		Title: "k-anonymity within a limit for one variable",
		Help: "Finds the largest k that local suppression reaches while at most a given number of cells of one key variable are suppressed, " +
			"and suppresses for that k. Other key variables are suppressed instead, if necessary completely. The step reports whether a " +
			"larger k is possible; under the default and category-size rules it usually cannot decide this. For large files or a large " +
			"k, the other variables are suppressed together within a category, to save time.",
		Cite:    "Samarati and Sweeney (1998); Templ (2017), Statistical Disclosure Control for Microdata, section 4.2.2",
		Sample:  `{"variable":"educ","cells":300}`,
		New:     func() method.Method { return &SuppressWithin{Rule: string(microdata.RuleConservative)} },
		Refuses: refusesWithin,
	}
}

// Narrate states that cells were suppressed so that records protect each other.
func (m *SuppressWithin) Narrate(report *method.Report) string {
	return (&KAnonymity{}).Narrate(report)
}

// Params returns the parameters, bound to the fields of m.
func (m *SuppressWithin) Params() []method.Param {
	return []method.Param{
		method.Variable(&m.Variable, "variable", "key variable with the limit").Among(method.KeyVariables),
		method.Number(&m.Cells, "cells", "maximum number of cells to suppress in this variable").AtLeast(0),
		ruleParam(&m.Rule, "rule for missing values: how suppressed cells protect"),
	}
}

// refusesWithin returns why the method cannot be used with the scenario, or "" if it can.
func refusesWithin(m method.Method, scenario *microdata.Scenario) string {
	if WholeHouseholds(scenario) {
		return "cannot be used with household-level key variables"
	}
	return NeedsKeys(m, scenario)
}

// Apply finds k and suppresses cells. An error that wraps method.ErrUnreachable reports the number of cells that k
// = 2 needs; one that wraps method.ErrParam describes an invalid parameter.
func (m *SuppressWithin) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (none method.Output, _ error) {
	if err := method.Validate(m); err != nil {
		return none, err
	}
	step, err := m.step(in.Scenario)
	if err != nil {
		return none, err
	}
	if _, err := keyColumns(in); err != nil {
		return none, err
	}
	found, err := m.search(ctx, step, in, meter)
	if err != nil {
		return none, fmt.Errorf("k-anonymity: %w", err)
	}
	step.K = found.k
	out, err := step.output(found.found)
	if err != nil {
		return none, err
	}
	if found.k > 0 {
		out.Report.Title = fmt.Sprintf("k-anonymity k=%d, within %s of %s", found.k, wording.Counted(m.Cells, "cell"),
			m.Variable)
		out.Report.Effect += "; " + found.verdict()
	}
	return out, ctx.Err()
}

// step returns the k-anonymity method for k = 2 that avoids the variable.
func (m *SuppressWithin) step(scenario *microdata.Scenario) (*KAnonymity, error) {
	names := scenario.Keys
	switch {
	case !slices.Contains(names, m.Variable):
		return nil, method.NoKeyVariable("variable", m.Variable, names)
	case WholeHouseholds(scenario):
		return nil, method.ParamError("\"variable\": cannot be limited if a key variable is household-level")
	}
	step := &KAnonymity{K: 2, Algorithm: Minimal, Rule: m.Rule, Importance: make(map[string]int)}
	for _, name := range names {
		step.Importance[name] = len(names)
	}
	step.Importance[m.Variable] = 1
	return step, step.check()
}
