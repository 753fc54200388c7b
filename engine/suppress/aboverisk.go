package suppress

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// AboveRisk blanks one key variable in the records whose individual risk, under
// the scenario's rule and weights, lies above a threshold. Cells that are
// missing already stay so. It promises nothing about the risk afterwards.
//
// Risk and threshold are compared with 41 significant bits, about 1e-12 of the
// value: the last digits of a risk differ between machines, and the cells must
// not.
type AboveRisk struct {
	Variable  string
	Threshold float64
}

var (
	_ method.Method       = (*AboveRisk)(nil)
	_ method.Inapplicable = (*AboveRisk)(nil)
)

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
			"risk falls below the threshold: look at the risks afterwards.",
		Cite: "Templ (2017), Statistical Disclosure Control for Microdata, section 4.2.2 (local suppression)",
		New:  func() method.Method { return NewAboveRisk() },
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *AboveRisk) Params() []method.Param {
	return []method.Param{
		{Name: "variable", Help: "the key variable that loses cells", Value: &m.Variable, Editor: method.EditVariable, Required: true},
		{Name: "threshold", Help: "individual risk above which a record loses its cell", Value: &m.Threshold,
			Editor: method.EditNumber, Min: method.Bound(0), Max: method.Bound(1)},
	}
}

// Inapplicable tells why the method cannot be used with the scenario.
func (m *AboveRisk) Inapplicable(scenario *microdata.Scenario) string { return noKeys(scenario) }

// Apply suppresses. The violators left in the report are those of the
// scenario's first k.
func (m *AboveRisk) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (method.Output, error) {
	if err := method.Validate(m); err != nil {
		return method.Output{}, err
	}
	columns, err := keyColumns(in)
	if err != nil {
		return method.Output{}, err
	}
	names := in.Scenario.Keys
	variable := slices.Index(names, m.Variable)
	if variable < 0 {
		return method.Output{}, fmt.Errorf("%w \"variable\": %q is no key variable; key variables are %s",
			method.ErrParam, m.Variable, strings.Join(names, ", "))
	}
	meter.Start(3)
	weights, err := in.Scenario.Weights(in.Data)
	if err != nil {
		return method.Output{}, err
	}
	t, err := keys.New(ctx, columns, weights)
	if err != nil {
		return method.Output{}, err
	}
	meter.Add(1)
	assessment, err := risk.Assess(ctx, t, nil, risk.OptionsOf(in.Scenario))
	if err != nil {
		return method.Output{}, err
	}
	meter.Add(1)
	cells := make(blanks, len(names))
	m.parts(t, assessment.KeyRisks(), variable).blank(wholeFile(t, t.RecordKeys()), cells, t.Records())
	records := 0
	for key, r := range assessment.KeyRisks() {
		if above(r, m.Threshold) {
			records += int(t.Counts()[key])
		}
	}
	return m.output(ctx, in, t, cells, records)
}

// above reports whether a risk lies above a threshold, on every machine alike.
func above(risk, threshold float64) bool { return rounded(risk) > rounded(threshold) }

// rounded returns a number of 0 or more with 41 significant bits. It keeps the
// order of numbers.
func rounded(x float64) float64 {
	const dropped = 12
	return math.Float64frombits((math.Float64bits(x) + 1<<(dropped-1)) &^ (1<<dropped - 1))
}

// parts returns the keys with a higher risk: all their records lose the cell.
func (m *AboveRisk) parts(t *keys.Table, risks []float64, variable int) parts {
	var p parts
	for key, code := range t.Codes(variable) {
		if code != 0 && above(risks[key], m.Threshold) {
			p = append(p, part{key: uint32(key), set: 1 << variable, count: t.Counts()[key]})
		}
	}
	return p
}

// output carries the suppression out and accounts for it; above is the number
// of records with a higher risk.
func (m *AboveRisk) output(ctx context.Context, in method.Input, t *keys.Table, cells blanks, above int) (method.Output, error) {
	var h *households
	if WholeHouseholds(in.Scenario) {
		var err error
		if h, err = householdsOf(in); err != nil {
			return method.Output{}, err
		}
		cells = h.spread(cells)
	}
	names, file := in.Scenario.Keys, wholeFile(t, t.RecordKeys())
	s, p := emptyAccount(names), cells.parts(file)
	s.Above = above
	p.count(s, slices.Repeat([]int{1}, len(names)))
	if s.Rule = string(in.Scenario.Rule); len(in.Scenario.K) > 0 {
		s.K = in.Scenario.K[0]
	}
	var err error
	if s.Left, err = p.left(ctx, file, s.K, in.Scenario.Alpha); err != nil {
		return method.Output{}, err
	}
	data, linked, err := cells.apply(in)
	if err != nil {
		return method.Output{}, err
	}
	s.Linked = linked
	report := method.Report{
		Title:       fmt.Sprintf("suppress %s where the risk is above %s", m.Variable, strconv.FormatFloat(m.Threshold, 'g', -1, 64)),
		Effect:      fmt.Sprintf("%s; %s above the threshold", effect(s), wording.Counted(above, "record")),
		Changed:     s.Total + s.Linked.Sum(),
		Suppression: s,
		Warnings:    h.warnings(),
	}
	if s.Total == 0 {
		report.Warnings = append(report.Warnings, method.WarnNothing)
	}
	return method.Output{Data: data, Report: report}, ctx.Err()
}
