package suppress

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Within makes a file k-anonymous for a k as large as it can be reached with no
// more than a number of cells of one key variable; see KAnonymity.Reachable.
type Within struct {
	Variable string
	Cells    int
	Rule     string // protection rule, a microdata.Rule
}

var (
	_ method.Method       = (*Within)(nil)
	_ method.Inapplicable = (*Within)(nil)
)

// WithinSpec describes suppress-within for the catalog.
func WithinSpec() method.Spec {
	return method.Spec{
		Name:  "suppress-within",
		Title: "k-anonymity within cells of a variable",
		Help: "Looks for the largest k that local suppression reaches while one key variable loses no more than a number of " +
			"cells, and suppresses for it. The variable counts as the most important one and all others as the least, so that they " +
			"lose cells in its place: all of them, if need be. The k that was reached stands in the title of the step. Under the " +
			"rules conservative, conservative-2 and own-category it is the largest there is, which the step then says: it follows " +
			"from the sizes of the variable's categories. Under the rules default and category-size a larger k is not excluded. In large " +
			"files, and for a large k, the other variables are blanked as a whole within a category, so that it does not take long.",
		Cite: "Samarati and Sweeney (1998); Templ (2017), Statistical Disclosure Control for Microdata, section 4.2.2",
		New:  func() method.Method { return &Within{Rule: string(microdata.RuleConservative)} },
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Within) Params() []method.Param {
	return []method.Param{
		method.Variable(&m.Variable, "variable", "the key variable to spare").Among(method.KeyVariables),
		method.Number(&m.Cells, "cells", "number of cells that the variable may lose").AtLeast(0),
		ruleParam(&m.Rule, "how missing cells count for protection"),
	}
}

// Inapplicable tells why the method cannot be used with the scenario.
func (m *Within) Inapplicable(scenario *microdata.Scenario) string {
	if WholeHouseholds(scenario) {
		return "keys shared by households"
	}
	return NoKeys(scenario)
}

// Apply looks for k and suppresses. Errors are those of KAnonymity.Reachable.
func (m *Within) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (method.Output, error) {
	if err := method.Validate(m); err != nil {
		return method.Output{}, err
	}
	protect := NewKAnonymity()
	protect.Rule = m.Rule
	reach, err := protect.Reachable(ctx, in, m.Variable, m.Cells, meter)
	if err != nil {
		return method.Output{}, err
	}
	out, err := reach.step.output(in, reach.cells, reach.Suppression)
	if err != nil {
		return method.Output{}, err
	}
	if reach.K > 0 {
		out.Report.Title = fmt.Sprintf("k-anonymity k=%d, within %s of %s", reach.K, wording.Counted(m.Cells, "cell"), m.Variable)
		out.Report.Effect += "; " + reach.verdict()
	}
	return out, ctx.Err()
}

// verdict says whether a larger k is possible.
func (r *Reach) verdict() string {
	if r.Largest {
		return fmt.Sprintf("k = %s reached, no larger one can be", wording.Number(r.K))
	}
	return fmt.Sprintf("k = %s reached, a larger one up to %s is not excluded", wording.Number(r.K), wording.Number(r.Most))
}
