package suppress

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// AboveRisk suppresses one key variable in the records whose individual risk, under the scenario's rule and
// weights, is above a threshold. Cells that are already missing stay missing. It gives no guarantee about the risk
// afterwards. With an importance it suppresses one key variable after the other, least important first, each in
// the records whose risk is then still above the threshold.
//
// Risk and threshold are compared with 41 significant bits, about 1e-12 of the value, because the last digits of a
// risk differ between machines and the suppressed cells must not.
type AboveRisk struct {
	Variable   string
	Threshold  float64
	Importance map[string]int // by key variable, 1 the most important; if set, Variable is ignored
}

var _ method.Method = (*AboveRisk)(nil)

// NewAboveRisk returns the method with its default threshold of 0.05. The variable must be set.
func NewAboveRisk() *AboveRisk { return &AboveRisk{Threshold: 0.05} }

// AboveRiskSpec describes suppress-risk for the catalog.
func AboveRiskSpec() method.Spec {
	return method.Spec{
		Name:  "suppress-risk",
		Title: "Suppression above a risk threshold",
		Help: "Suppresses one key variable in every record whose individual risk is above a threshold. Check the risks " +
			"afterwards: unlike k-anonymity, the method does not guarantee that they fall below the threshold. With an " +
			"importance, every key variable can be suppressed: the least important first, then the next one in records that " +
			"are still above the threshold.",
		Cite:     "Templ (2017), Statistical Disclosure Control for Microdata, section 4.2.2",
		Sample:   `{"variable":"region","threshold":0.03}`,
		New:      func() method.Method { return NewAboveRisk() },
		Refuses:  NeedsKeys,
		OnGroups: method.AnyRows,
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *AboveRisk) Params() []method.Param {
	return []method.Param{
		method.Variable(&m.Variable, "variable", "key variable to suppress").Among(method.KeyVariables).
			Optional("given by the importance").CountsIf(func() bool { return len(m.Importance) == 0 }),
		method.Number(&m.Threshold, "threshold", "individual risk above which a cell is suppressed").Between(0, 1),
		method.Importance(&m.Importance, "importance", "importance of each key variable; 1 is suppressed last").Empty("suppress only the variable"),
	}
}

// Apply suppresses cells. The report counts violators at the scenario's first k.
func (m *AboveRisk) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (none method.Output, _ error) {
	if err := method.Validate(m); err != nil {
		return none, err
	}
	b, err := NewCollector(in)
	if err != nil {
		return none, err
	}
	r := &riskRounds{Collector: b, m: m}
	if r.weights, err = in.Scenario.Weights(in.Data); err != nil {
		return none, err
	}
	if r.before, err = keys.New(ctx, b.columns, r.weights); err != nil {
		return none, err
	}
	if r.ranks, err = m.order(in.Scenario.Keys, r.before); err != nil {
		return none, err
	}
	if err := r.run(ctx, meter); err != nil {
		return none, err
	}
	return r.output(ctx)
}

// order returns the variables in the order of suppression.
func (m *AboveRisk) order(names []string, t *keys.Table) (*importance, error) {
	if len(m.Importance) > 0 {
		return rankVariables(names, categories(t, len(names)), m.Importance)
	}
	if m.Variable == "" {
		return nil, method.ParamError("give \"variable\", the key variable to suppress, or \"importance\"")
	}
	variable := slices.Index(names, m.Variable)
	if variable < 0 {
		return nil, method.NoKeyVariable("variable", m.Variable, names)
	}
	return &importance{order: []int{variable}, price: slices.Repeat([]int{1}, len(names))}, nil
}

// riskRounds suppresses one variable after the other in the records whose risk is then above the threshold.
type riskRounds struct {
	*Collector
	m       *AboveRisk
	ranks   *importance
	weights []float64
	before  *keys.Table
	above   int // records above the threshold before suppression
}

// run suppresses the variables.
func (r *riskRounds) run(ctx context.Context, meter *progress.Meter) error {
	meter.Start(int64(len(r.ranks.order)))
	t := r.before
	for round, v := range r.ranks.order {
		if round > 0 {
			var err error
			if t, err = r.table(ctx, r.weights); err != nil {
				return err
			}
		}
		risky, records, err := r.risky(ctx, t)
		if err != nil {
			return err
		}
		if round == 0 {
			r.above = records
		}
		sets, codes := make([]uint64, t.Keys()), t.Codes(v)
		for _, key := range risky {
			if codes[key] != 0 {
				sets[key] = 1 << v
			}
		}
		r.Suppress(t, sets)
		meter.Add(1)
	}
	return nil
}

// risky returns the key patterns of a table with a risk above the threshold, and the number of their records.
func (r *riskRounds) risky(ctx context.Context, t *keys.Table) (risky []int, records int, err error) {
	assessment, err := risk.Assess(ctx, t, nil, risk.OptionsOf(r.in.Scenario))
	if err != nil {
		return nil, 0, err
	}
	for key, it := range assessment.KeyRisks() {
		if above(it, r.m.Threshold) {
			risky = append(risky, key)
			records += t.Counts()[key]
		}
	}
	return risky, records, nil
}

// output returns the protected data and the report.
func (r *riskRounds) output(ctx context.Context) (method.Output, error) {
	out, err := r.Output(ctx, r.before)
	if err != nil {
		return out, err
	}
	report := &out.Report
	report.Suppression.Above, report.Price = r.above, 0
	for v, cells := range report.Cells {
		report.Price += cells.Count * r.ranks.price[v]
	}
	threshold := strconv.FormatFloat(r.m.Threshold, 'g', -1, 64)
	report.Effect += fmt.Sprintf("; %s above the threshold", wording.Counted(r.above, "record"))
	if len(r.m.Importance) == 0 {
		report.Title = fmt.Sprintf("suppress %s if the risk is above %s", r.m.Variable, threshold)
		return out, nil
	}
	report.Title = fmt.Sprintf("suppress if the risk is above %s, importance %s", threshold,
		wording.Beginning(byImportance(r.in.Scenario.Keys, r.m.Importance), 2))
	after, err := r.table(ctx, r.weights)
	if err != nil {
		return out, err
	}
	_, still, err := r.risky(ctx, after)
	report.Effect += fmt.Sprintf(", %s still", wording.Number(still))
	return out, err
}

// above reports whether a risk is above a threshold, with the same result on every machine.
func above(risk, threshold float64) bool { return rounded(risk) > rounded(threshold) }

// rounded rounds a non-negative number to 41 significant bits. It is monotonic.
func rounded(x float64) float64 {
	const dropped = 12
	return math.Float64frombits((math.Float64bits(x) + 1<<(dropped-1)) &^ (1<<dropped - 1))
}

// Narrate states that cells were suppressed in records of high risk.
func (m *AboveRisk) Narrate(report *method.Report) string {
	return Narrate(report, "in records with a high risk of re-identification")
}
