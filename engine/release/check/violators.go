package check

import (
	"context"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// leastK is the k that a file must reach if its scenario has no higher k. A lower k of the scenario is used only
// if it is the only one.
const leastK = 3

// kOf returns the k that a file must reach under a scenario.
func kOf(scenario *microdata.Scenario) int {
	k := leastK
	for i, of := range slices.Backward(slices.Sorted(slices.Values(scenario.K))) {
		if of >= leastK || i == len(scenario.K)-1 {
			k = of
		}
	}
	return k
}

func violators(ctx context.Context, t *keys.Table, rule microdata.Rule, alpha float64, k int) (int, error) {
	f, err := t.Frequencies(ctx, rule, alpha)
	if err != nil {
		return 0, err
	}
	return t.Violators(f, k), nil
}

// suppressing returns the fix that suppresses cells of key variables.
func suppressing(m *suppress.KAnonymity) Fix {
	return Fix{Title: fmt.Sprintf("apply local suppression for k = %d", m.K), Step: suppress.KAnonymitySpec().Name, Method: m}
}

// assessment returns the risks, or nil if there are none or they do not apply.
func (r *release) assessment(ctx context.Context) (*risk.Assessment, error) {
	if risk.NotApplicable(r.scenario, r.Released.Origins()) != "" {
		return nil, nil
	}
	return risk.Of(ctx, r.Released)
}

// violatorCounts has the violators of k-anonymity under the rule of the scenario and under the
// conservative rule, in which a suppressed cell protects only its own record.
type violatorCounts struct{ k, ruled, conservative int }

// violating counts violators. ok is false if k-anonymity does not apply to the file.
func (r *release) violating(ctx context.Context) (v violatorCounts, ok bool, err error) {
	a, err := r.assessment(ctx)
	if a == nil || err != nil {
		return v, false, err
	}
	v.k = kOf(r.scenario)
	if v.ruled, err = violators(ctx, a.Table(), r.scenario.Rule, r.scenario.Alpha, v.k); err != nil {
		return v, false, err
	}
	v.conservative, err = violators(ctx, a.Table(), microdata.RuleConservative, r.scenario.Alpha, v.k)
	return v, err == nil, err
}

// suppressing returns the fix for violators of the scenario, or none if there are fewer than k records.
func (r *release) suppressing(k int) []Fix {
	if r.data.Records() < k {
		return nil
	}
	m := suppress.NewKAnonymity()
	m.K = k
	if r.scenario.Rule == microdata.RuleOwnCategory || r.scenario.Rule == microdata.RuleConservative2 {
		m.Rule = string(r.scenario.Rule)
	}
	return []Fix{suppressing(m)}
}

// unprotected reports that no step changed a value.
func (r *release) unprotected(ctx context.Context) ([]Finding, error) {
	if !r.Untouched {
		return nil, nil
	}
	v, ok, err := r.violating(ctx)
	switch {
	case err != nil:
		return nil, err
	case ok && v.ruled > 0:
		f := r.finding(r.scenario.Keys, v.ruled, fmt.Sprintf("%s of %s %s %d-anonymity; no protection has been applied.",
			wording.Number(v.ruled), wording.Counted(r.data.Records(), "record"), wording.Verb(v.ruled, "violate"), v.k), r.suppressing(v.k)...)
		f.does = fmt.Sprintf("violate %d-anonymity", v.k)
		return []Finding{f}, nil
	case len(r.scenario.Keys)+len(r.scenario.Numeric) == 0:
		return []Finding{{Text: "No protection has been applied, and the file has no key variable: choose key variables to " +
			"measure its risk."}}, nil
	}
	return []Finding{{Text: "No protection has been applied: no step changed a value."}}, nil
}

// violators finds records with a key pattern that too few records share. If they violate k-anonymity only under the
// conservative rule, the finding is a warning.
func (r *release) violators(ctx context.Context) ([]Finding, error) {
	v, ok, err := r.violating(ctx)
	if !ok || err != nil || r.broken || r.Untouched && v.ruled > 0 || v.ruled+v.conservative == 0 {
		return nil, err
	}
	f := r.finding(r.scenario.Keys, v.ruled, fmt.Sprintf("%s %d-anonymity under the %s rule", wording.Does(v.ruled, "record", "violate"),
		v.k, r.scenario.Rule), r.suppressing(v.k)...)
	if v.conservative > v.ruled {
		f.Text += fmt.Sprintf(", and %s under the conservative rule", wording.Number(v.conservative))
	}
	if f.warning = v.ruled == 0; f.warning {
		f.Count = v.conservative
		f.Text = fmt.Sprintf("No record violates %d-anonymity under the %s rule, but %s under the conservative rule", v.k,
			r.scenario.Rule, wording.Does(v.conservative, "record", "do"))
		f.Warned = slices.ContainsFunc(r.Steps, func(step Step) bool {
			left := step.Report.Suppression
			return left != nil && left.K == v.k && left.Left.Conservative == v.conservative
		})
	}
	f.Text += "."
	return []Finding{f}, nil
}

// risky finds records above the risk threshold for the target global risk.
func (r *release) risky(ctx context.Context) ([]Finding, error) {
	a, err := r.assessment(ctx)
	if a == nil || err != nil || r.scenario.Weight == "" {
		return nil, err
	}
	target := r.scenario.GlobalRiskTarget()
	threshold, needed := a.Threshold(target)
	if !needed {
		return nil, nil
	}
	above := 0
	for key, count := range a.Table().Counts() {
		if a.KeyRisks()[key] > threshold {
			above += int(count)
		}
	}
	m := suppress.NewAboveRisk()
	m.Threshold = threshold
	for most, variable := 0, 0; variable < a.Table().Variables(); variable++ {
		if levels := a.Table().Levels(variable); levels > most {
			most, m.Variable = levels, r.scenario.Keys[variable]
		}
	}
	limit := "a risk above " + wording.Amount(threshold)
	if threshold == 0 {
		limit = "a risk that is too high for the target"
	}
	return []Finding{r.finding(r.scenario.Keys, above, fmt.Sprintf("The global risk is %s, above its target of %s; %s %s.",
		wording.PercentAgainst(a.Global, target), wording.PercentAgainst(target, a.Global), wording.Does(above, "record", "have"), limit),
		Fix{Title: "suppress " + m.Variable + " in records above the risk threshold", Step: suppress.AboveRiskSpec().Name, Method: m})}, nil
}
