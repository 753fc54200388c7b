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

// AboveRisk blanks one key variable in the records whose individual risk, under
// the scenario's rule and weights, lies above a threshold. Cells that are
// missing already stay so. It promises nothing about the risk afterwards.
// With an importance it blanks one key variable after the other, the least
// important first, each in the records whose risk is then still above.
//
// Risk and threshold are compared with 41 significant bits, about 1e-12 of the
// value: the last digits of a risk differ between machines, and the cells must
// not.
type AboveRisk struct {
	Variable   string
	Threshold  float64
	Importance map[string]int // by key variable, 1 the most important; with one the variable does not count
}

var _ method.Method = (*AboveRisk)(nil)

// NewAboveRisk returns the method with its default, threshold 0.05; the
// variable must be set.
func NewAboveRisk() *AboveRisk { return &AboveRisk{Threshold: 0.05} }

// AboveRiskSpec describes suppress-risk for the catalog.
func AboveRiskSpec() method.Spec {
	return method.Spec{
		Name:  "suppress-risk",
		Title: "Suppression above a risk threshold",
		Help: "Makes one key variable missing in every record whose individual risk lies above a threshold. It is the " +
			"direct way to take away what makes risky records stand out; unlike k-anonymity it does not promise that the " +
			"risk falls below the threshold: look at the risks afterwards. With an importance every key variable can lose cells: the " +
			"least important one first, then the next one in the records whose risk is still above the threshold.",
		Cite:     "Templ (2017), Statistical Disclosure Control for Microdata, section 4.2.2 (local suppression)",
		Sample:   `{"variable":"region","threshold":0.03}`,
		New:      func() method.Method { return NewAboveRisk() },
		Refuses:  NeedsKeys,
		OnGroups: method.AnyRows,
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *AboveRisk) Params() []method.Param {
	return []method.Param{
		method.Variable(&m.Variable, "variable", "the key variable that loses cells").Among(method.KeyVariables).
			Optional("the order of importance").CountsIf(func() bool { return len(m.Importance) == 0 }),
		method.Number(&m.Threshold, "threshold", "individual risk above which a record loses its cell").Between(0, 1),
		method.Importance(&m.Importance, "importance", "key variable to importance, 1 the most important: all of them lose cells, "+
			"the least important first, while a record is above the threshold").Empty("only the variable loses cells"),
	}
}

// Apply suppresses. The violators left in the report are those of the
// scenario's first k.
func (m *AboveRisk) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (none method.Output, _ error) {
	if err := method.Validate(m); err != nil {
		return none, err
	}
	if len(m.Importance) > 0 {
		return m.inOrder(ctx, in, meter)
	}
	if m.Variable == "" {
		return none, method.ParamError("give \"variable\", the key variable that loses cells, or \"importance\"")
	}
	return m.ofOne(ctx, in, meter)
}

// ofOne blanks the variable.
func (m *AboveRisk) ofOne(ctx context.Context, in method.Input, meter *progress.Meter) (none method.Output, _ error) {
	b, err := NewBlanking(ctx, in)
	if err != nil {
		return none, err
	}
	names := in.Scenario.Keys
	variable := slices.Index(names, m.Variable)
	if variable < 0 {
		return none, method.NoKeyVariable("variable", m.Variable, names)
	}
	meter.Start(3)
	weights, err := in.Scenario.Weights(in.Data)
	if err != nil {
		return none, err
	}
	t, err := keys.New(ctx, b.columns, weights)
	if err != nil {
		return none, err
	}
	meter.Add(1)
	assessment, err := risk.Assess(ctx, t, nil, risk.OptionsOf(in.Scenario))
	if err != nil {
		return none, err
	}
	meter.Add(1)
	records, sets := 0, make([]uint64, t.Keys())
	for key, r := range assessment.KeyRisks() {
		if !above(r, m.Threshold) {
			continue
		}
		records += int(t.Counts()[key])
		if t.Codes(variable)[key] != 0 {
			sets[key] = 1 << variable
		}
	}
	b.Blank(t, sets)
	out, err := b.Output(ctx, t)
	if err != nil {
		return none, err
	}
	out.Report.Suppression.Above = records
	out.Report.Title = fmt.Sprintf("suppress %s where the risk is above %s", m.Variable,
		strconv.FormatFloat(m.Threshold, 'g', -1, 64))
	out.Report.Effect += fmt.Sprintf("; %s above the threshold", wording.Counted(records, "record"))
	return out, nil
}

// above reports whether a risk lies above a threshold, on every machine alike.
func above(risk, threshold float64) bool { return rounded(risk) > rounded(threshold) }

// rounded returns a number of 0 or more with 41 significant bits. It keeps the
// order of numbers.
func rounded(x float64) float64 {
	const dropped = 12
	return math.Float64frombits((math.Float64bits(x) + 1<<(dropped-1)) &^ (1<<dropped - 1))
}

// Narrate says how many cells became missing in records of high risk.
func (m *AboveRisk) Narrate(report *method.Report) string {
	return Narrate(report, "in records with a high risk of re-identification")
}
