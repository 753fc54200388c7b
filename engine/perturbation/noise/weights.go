package noise

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// Weights adds noise to the sampling weight and preserves its total in every stratum. A weight is multiplied by a
// number from 1 - c to 1 + c, where c is Percent / 100, and all weights of the stratum by a factor that preserves
// their sum. If the new weights of a stratum do not overlap with those of any other, c grows there and in the
// stratum with the nearest mean weight, up to Most percent, so that a weight no longer reveals the stratum.
// Members of a household keep equal weights if theirs are equal.
type Weights struct {
	Strata        []string // nil: those of the scenario
	Percent, Most float64
	Overlap       bool
	numeric.Treatment
}

var _ method.Applier = (*Weights)(nil)

// NewWeights returns the method with its defaults: 10 percent, up to 50 to make intervals overlap.
func NewWeights() *Weights {
	return &Weights{Percent: 10, Most: 50, Overlap: true, Treatment: numeric.DefaultTreatment()}
}

// WeightsSpec describes noise on weights for the catalog.
func WeightsSpec() method.Spec {
	return method.Spec{
		Name:  "noise-weights",
		Title: "Noise on the weight",
		Help: "Multiplies each weight by a random number from 1 - c to 1 + c, where c = percent / 100. Weights that are " +
			"equal within a stratum reveal the stratum. One weight of each stratum is multiplied by 1 - " +
			"c and one by 1 + c. All are then scaled to their original total, so the estimated stratum sizes do " +
			"not change. If weights are rounded, those with the largest remainders are rounded up. With overlap, c " +
			"grows in strata whose new weights do not overlap those of any other stratum, and in " +
			"the stratum with the nearest mean weight. A stratum with one record or household keeps its weights. " +
			"Household members with equal weights keep equal weights, and must then be in the same stratum.",
		Cite:    "mu-ARGUS 5.1 manual, noise on the weight; Hundepool et al. (2012), section 3.4",
		Sample:  `{"strata":["urbrur"]}`,
		New:     func() method.Method { return NewWeights() },
		Version: 3,
		Former:  numeric.FormerDefaults(3),
		Draws:   method.Always,
		Sampled: true,
		Refuses: method.With((*Weights).refusal),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Weights) Params() []method.Param {
	overlaps := func() bool { return m.Overlap }
	return append([]method.Param{
		method.Variables(&m.Strata, "strata", "stratum variables").Empty("the strata of the scenario; without strata, the whole file"),
		method.Number(&m.Percent, "percent", "largest relative change of a weight before scaling").Between(0, 95).By(5),
		method.Switch(&m.Overlap, "overlap", "more noise in strata whose new weights would not overlap those of any other stratum"),
		method.Number(&m.Most, "most", "maximum of percent with overlap").Between(0, 95).By(5).CountsIf(overlaps),
	}, m.Treatment.Params("10 records")...)
}

// refusal returns why there is no weight to mask, or "".
func (m *Weights) refusal(scenario *microdata.Scenario) string {
	if scenario.Weight == "" {
		return "the scenario has no weight"
	}
	return ""
}

// Narrate states what the step did.
func (m *Weights) Narrate(*method.Report) string {
	return "Random noise was added to the weights; their totals by stratum changed at most by rounding."
}

// strata returns the variables of the strata.
func (m *Weights) strata(in method.Input) []string {
	if m.Strata == nil {
		return in.Scenario.Strata
	}
	return m.Strata
}

// Apply adds noise to the weights. An error wraps method.ErrInput if there is no weight, if a weight is not
// positive, or if members of a household with equal weights are in different strata. Time and memory are O(n).
func (m *Weights) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (none method.Output, _ error) {
	if reason := m.refusal(in.Scenario); reason != "" {
		return none, fmt.Errorf("%w: %s", method.ErrInput, reason)
	}
	if _, err := in.Scenario.Weights(in.Data); err != nil {
		return none, fmt.Errorf("%w: %w", method.ErrInput, err)
	}
	strata := m.strata(in)
	table, err := numeric.New(ctx, in, numeric.Request{Param: "weight", Variables: []string{in.Scenario.Weight}, Strata: strata,
		Treatment: m.Treatment})
	if err != nil {
		return none, err
	}
	defer table.Free()
	meter.Start(int64(len(table.Rows)))
	all, err := weighings(in, table)
	if err != nil {
		return none, err
	}
	draws, err := numeric.Draws(ctx, table.Seed(in), "noise on the weight", len(table.Rows), (*rand.Rand).Float64)
	if err != nil {
		return none, err
	}
	for _, w := range all {
		w.draw(draws, m.Percent/100)
	}
	if m.Overlap && len(all) > 1 {
		all.overlap(m.Most / 100)
	}
	masked := table.Copy()
	decimals, rounded := table.Decimals(0)
	for _, w := range all {
		if rounded {
			w.round(decimals)
		}
		w.into(masked[0])
	}
	title := method.ByStrata(fmt.Sprintf("noise on the weight %s: %v %%", in.Scenario.Weight, m.Percent), strata)
	out, err := table.Output(ctx, in, title, masked, (*microdata.Column).PerturbedWith)
	if err != nil {
		return none, err
	}
	out.Report.Effect += ", " + all.summary()
	out.Report.Warnings = append(all.warnings(), out.Report.Warnings...)
	return out, ctx.Err()
}

// summary reports what is preserved, and the amount of noise.
func (all strata) summary() string {
	most, off, kept := 0.0, 0.0, len(all)
	for _, w := range all {
		if len(w.units) > 1 {
			most = max(most, w.share)
		}
		if w.off != 0 {
			off, kept = max(off, math.Abs(w.off)), kept-1
		}
	}
	text := wording.Counted(kept, "total") + " kept"
	if kept < len(all) {
		text += fmt.Sprintf(", %s changed by up to %s because all members of a household have the same weight",
			wording.Number(len(all)-kept), wording.Amount(off))
	}
	return fmt.Sprintf("%s, noise of up to %s", text, wording.Percent(most))
}

// warnings lists strata that a weight still reveals.
func (all strata) warnings() (warnings []string) {
	var one, apart []string
	for i, w := range all {
		if len(w.units) < 2 {
			one = append(one, w.label)
		} else if len(all) > 1 && !all.overlaps(i) {
			apart = append(apart, w.label)
		}
	}
	if len(one) > 0 {
		warnings = append(warnings, fmt.Sprintf("weights stay in %s of one record or household: %s",
			wording.CountedAs(len(one), "stratum", "strata"), wording.Beginning(one, 3)))
	}
	if len(apart) > 0 {
		warnings = append(warnings, fmt.Sprintf("weights reveal %s: %s; more noise would make them overlap with others",
			wording.CountedAs(len(apart), "stratum", "strata"), wording.Beginning(apart, 3)))
	}
	return warnings
}
