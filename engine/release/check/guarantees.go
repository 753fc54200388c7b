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

// guarantee is the k-anonymity guaranteed by a step.
type guarantee struct {
	suppress.KAnonymity
	step int      // number of the step, from 1
	keys []string // released key variables of the step, then its strata
}

// guaranteeOf returns the guarantee of a step, with k 0 if it gives none.
func (r *release) guaranteeOf(number int) (g guarantee) {
	step := &r.Steps[number-1]
	scenario := step.Scenario
	if scenario == nil {
		scenario = r.scenario
	}
	g.KAnonymity, g.step, g.keys = *suppress.NewKAnonymity(), number, scenario.Keys
	switch m := step.Method.(type) {
	case *suppress.KAnonymity:
		g.Rule, g.K, g.Strata = m.Rule, m.K, m.Strata
		g.Households = slices.DeleteFunc(slices.Clone(m.Households), r.lacks)
		if m.Budget != nil || len(m.Subsets) > 0 {
			g.K = 0
		} else if g.Strata == nil {
			g.Strata = scenario.Strata
		}
	case *suppress.SuppressWithin:
		g.Rule, g.K = m.Rule, 0
		if step.Report.Suppression != nil {
			g.K = step.Report.Suppression.K
		}
	case *mondrian.Mondrian:
		g.ofRegions(m)
	case *mondrian.LocalRecoding:
		g.ofRegions(&m.Mondrian)
	default:
		g.K = 0
	}
	g.Strata = slices.DeleteFunc(slices.Clone(g.Strata), r.lacks)
	all := append(slices.Clone(g.keys), g.Strata...)
	slices.Sort(all)
	g.keys = slices.DeleteFunc(slices.Compact(all), r.lacks)
	return g
}

// ofRegions sets the guarantee that records share all values with k - 1 others.
func (g *guarantee) ofRegions(m *mondrian.Mondrian) {
	g.Rule, g.K = string(microdata.RuleOwnCategory), m.K
	if m.Variables != nil {
		g.keys = m.Variables
	}
}

// guarantees finds the step whose k-anonymity most records of the file violate. If there is none, it checks the
// guarantees with suppressed cells filled in.
func (r *release) guarantees(ctx context.Context) ([]Finding, error) {
	var kept []*guarantee
	var worst Finding
	for i := range r.Steps {
		g := r.guaranteeOf(i + 1)
		if g.K < 2 || len(g.keys) == 0 {
			continue
		}
		count, _, err := r.violatingOf(ctx, &g, r.data)
		if err != nil {
			return nil, err
		}
		if kept = append(kept, &g); count > worst.Count {
			worst = r.broke(&g, count)
		}
	}
	if r.broken = worst.Count > 0; r.broken {
		return []Finding{worst}, nil
	}
	return r.undone(ctx, kept)
}

// broke returns the finding of a violated guarantee.
func (r *release) broke(g *guarantee, count int) Finding {
	text := fmt.Sprintf("Step %d made the file k-anonymous with k = %d, but now %s it under its rule, %s", g.step, g.K,
		wording.Does(count, "record", "violate"), g.Rule)
	again := g.KAnonymity
	if again.Strata == nil {
		again.Strata = []string{}
	}
	fix := suppressing(&again)
	scenario := r.scenario.Clone()
	scenario.Keys = g.keys
	if reason := risk.NotApplicable(&scenario, r.Released.Origins()); reason != "" {
		masked := r.Released.Origins().Having(microdata.Drawn|microdata.Perturbed|microdata.Synthetic, g.keys)
		text, fix = text+": "+reason, leaving(masked...)
	}
	return r.finding(g.keys, count, text+".", fix)
}

// violatingOf returns the number of records of data that violate a guarantee under its rule, and the number of
// those that are unique.
func (r *release) violatingOf(ctx context.Context, g *guarantee, data *microdata.Dataset) (count, unique int, err error) {
	scenario := r.scenario.Clone()
	scenario.Keys, scenario.Weight = g.keys, ""
	var table *keys.Table
	if data == r.data {
		table, err = r.Released.Under(&scenario).Table(ctx)
	} else { // not used elsewhere, so not cached
		var columns []*microdata.Column
		for _, name := range g.keys {
			column, _ := data.Column(name)
			columns = append(columns, column)
		}
		table, err = keys.New(ctx, columns, nil)
	}
	if err != nil {
		return 0, 0, err
	}
	f, err := table.Frequencies(ctx, microdata.Rule(g.Rule), scenario.Alpha)
	if err != nil {
		return 0, 0, err
	}
	return table.Violators(f, g.K), table.Violators(f, 2), nil
}

// diverse finds l-diversity that the user measured and that does not hold.
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
		return []Finding{r.finding(found.Names, count, fmt.Sprintf("%s a key pattern with fewer than %s distinct values of %s, which violates l-diversity.",
			wording.Does(count, "record", "have"), method.FormatNumber(m.L), wording.Listed(found.Names)), leaving(found.Names...))}, nil
	}
	return nil, nil
}

// Guarantee is the k-anonymity guaranteed by a step.
type Guarantee struct {
	Step int            `json:"step"` // number of the step, from 1
	K    int            `json:"k"`
	Rule microdata.Rule `json:"rule"` // rule for missing values
}

// Guarantees returns the guarantees of the steps, whether or not they still hold.
func Guarantees(in Input) (all []Guarantee) {
	r := releaseOf(in)
	for i := range r.Steps {
		if g := r.guaranteeOf(i + 1); g.K > 1 && len(g.keys) > 0 {
			all = append(all, Guarantee{i + 1, g.K, microdata.Rule(g.Rule)})
		}
	}
	return all
}
