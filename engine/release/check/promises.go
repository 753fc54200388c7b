package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/mondrian"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/risk/diversity"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// promise is k-anonymity as a step made it.
type promise struct {
	suppress.KAnonymity
	keys []string // those of the step that are released, then its strata
}

// promiseOf returns what a step promises; k 0: nothing.
func (r *release) promiseOf(step *Step) (p promise) {
	scenario := step.Scenario
	if scenario == nil {
		scenario = r.scenario
	}
	p.KAnonymity, p.keys = *suppress.NewKAnonymity(), scenario.Keys
	switch m := step.Method.(type) {
	case *suppress.KAnonymity:
		p.Rule, p.K, p.Strata = m.Rule, m.K, m.Strata
		if m.Budget != nil || len(m.Subsets) > 0 {
			p.K = 0
		} else if p.Strata == nil {
			p.Strata = scenario.Strata
		}
	case *suppress.Within:
		p.Rule, p.K = m.Rule, 0
		if step.Report.Suppression != nil {
			p.K = step.Report.Suppression.K
		}
	case *mondrian.Mondrian:
		p.ofRegions(m)
	case *mondrian.LocalRecoding:
		p.ofRegions(&m.Mondrian)
	default:
		p.K = 0
	}
	p.Strata = slices.DeleteFunc(slices.Clone(p.Strata), r.lacks)
	all := append(slices.Clone(p.keys), p.Strata...)
	slices.Sort(all)
	p.keys = slices.DeleteFunc(slices.Compact(all), r.lacks)
	return p
}

// ofRegions takes the promise of records that share all values with k - 1 others.
func (p *promise) ofRegions(m *mondrian.Mondrian) {
	p.Rule, p.K = string(microdata.RuleOwnCategory), m.K
	if m.Variables != nil {
		p.keys = m.Variables
	}
}

func (r *release) lacks(name string) bool {
	_, ok := r.data.Column(name)
	return !ok
}

// promises finds steps whose k-anonymity does not hold any more.
func (r *release) promises(ctx context.Context) ([]Finding, error) {
	var worst Finding
	for i := range r.Steps {
		p := r.promiseOf(&r.Steps[i])
		if p.K < 2 || len(p.keys) == 0 {
			continue
		}
		count, err := r.violating(ctx, &p)
		if err != nil {
			return nil, err
		}
		if count <= worst.Count {
			continue
		}
		again := p.KAnonymity
		again.Strata = p.Strata
		if again.Strata == nil {
			again.Strata = []string{}
		}
		worst = Finding{Variables: p.keys, Count: count, Of: r.data.Records(), Fixes: []Fix{suppressing(&again)},
			Text: fmt.Sprintf("Step %d made the file k-anonymous with k = %d, and %s it now under its rule, %s.", i+1, p.K,
				wording.Does(count, "record", "violate"), p.Rule)}
	}
	if r.broken = worst.Count > 0; !r.broken {
		return nil, nil
	}
	return []Finding{worst}, nil
}

// violating counts the records that violate a promise; none where counting means nothing.
func (r *release) violating(ctx context.Context, p *promise) (int, error) {
	scenario := r.scenario.Clone()
	scenario.Keys, scenario.Weight = p.keys, ""
	v := r.Released.Under(&scenario)
	if risk.NotApplicable(&scenario, v.Origins()) != "" {
		return 0, nil
	}
	table, err := v.Table(ctx)
	if err != nil {
		return 0, err
	}
	return violators(ctx, table, microdata.Rule(p.Rule), scenario.Alpha, p.K)
}

func violators(ctx context.Context, t *keys.Table, rule microdata.Rule, alpha float64, k int) (int, error) {
	f, err := t.Frequencies(ctx, rule, alpha)
	if err != nil {
		return 0, err
	}
	return t.Violators(f, k), nil
}

func suppressing(m *suppress.KAnonymity) Fix {
	return Fix{Title: fmt.Sprintf("local suppression for k = %d", m.K), Step: suppress.KAnonymitySpec().Name, Method: m}
}

// assessment returns the risks; nil where there are none, or they mean nothing.
func (r *release) assessment(ctx context.Context) (*risk.Assessment, error) {
	if risk.NotApplicable(r.scenario, r.Released.Origins()) != "" {
		return nil, nil
	}
	return risk.Of(ctx, r.Released)
}

// violators finds records that too few others share the key of.
func (r *release) violators(ctx context.Context) ([]Finding, error) {
	a, err := r.assessment(ctx)
	if a == nil || err != nil || r.broken {
		return nil, err
	}
	m := suppress.NewKAnonymity()
	for _, k := range slices.Backward(slices.Sorted(slices.Values(r.scenario.K))) {
		if k >= 3 || m.K < 3 {
			m.K = k
		}
	}
	rules := []microdata.Rule{r.scenario.Rule, microdata.RuleConservative, microdata.RuleOwnCategory}
	var counts []int
	for _, rule := range rules {
		count, err := violators(ctx, a.Table(), rule, r.scenario.Alpha, m.K)
		if err != nil {
			return nil, err
		}
		counts = append(counts, count)
	}
	if counts[0] == 0 && counts[1] == 0 {
		return nil, nil
	}
	if r.scenario.Rule == microdata.RuleOwnCategory || r.scenario.Rule == microdata.RuleConservative2 {
		m.Rule = string(r.scenario.Rule)
	}
	warned := slices.ContainsFunc(r.Steps, func(step Step) bool { // with these words
		suppression := step.Report.Suppression
		return suppression != nil && suppression.K == m.K && suppression.Left.Conservative == max(counts[0], counts[1])
	})
	return []Finding{{Variables: r.scenario.Keys, Count: max(counts[0], counts[1]), Of: r.data.Records(),
		Fixes: []Fix{suppressing(m)}, Warned: warned,
		Text: fmt.Sprintf("%s their key with fewer than %d: %s under the rule %s, %s if a blank protects nobody else, %s if "+
			"blanks are a category.", wording.Does(max(counts[0], counts[1]), "record", "share"), m.K,
			wording.Number(counts[0]), rules[0], wording.Number(counts[1]), wording.Number(counts[2]))}}, nil
}

// risky finds records above the threshold for the global risk that is aimed at.
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
	limit := "a risk above " + wording.Precise(threshold)
	if threshold == 0 {
		limit = "a risk that is too high for that"
	}
	return []Finding{{Variables: r.scenario.Keys, Count: above, Of: r.data.Records(),
		Text: fmt.Sprintf("The global risk is %s, above the %s that is aimed at; %s %s.",
			wording.MeanRisk(a.Global), wording.MeanRisk(target), wording.Does(above, "record", "have"), limit),
		Fixes: []Fix{{Title: "suppress " + m.Variable + " above the threshold", Step: suppress.AboveRiskSpec().Name,
			Method: m}}}}, nil
}

// diverse finds l-diversity that was asked for and is not reached.
func (r *release) diverse(ctx context.Context) ([]Finding, error) {
	for _, asked := range r.Asked {
		m, ok := asked.(*diversity.LDiversity)
		in := measure.Input{Original: r.Original, Current: r.Released}
		if !ok || m.Needs(in) != "" {
			continue
		}
		values, err := m.Compute(ctx, in, nil)
		if err != nil {
			return nil, err
		}
		count := 0
		for _, value := range values.Numbers {
			if strings.HasPrefix(value.Name, "distinct_below") {
				count = max(count, int(value.Number))
			}
		}
		found, ok := values.Result.(*diversity.Diversities)
		if !ok || count == 0 {
			continue
		}
		return []Finding{{Variables: found.Names, Count: count, Of: r.data.Records(), Fixes: []Fix{leaving(found.Names...)},
			Text: fmt.Sprintf("%s a key with fewer than %s different values of %s, as l-diversity asks for.",
				wording.Does(count, "record", "have"), method.FormatNumber(m.L), wording.Listed(found.Names))}}, nil
	}
	return nil, nil
}
