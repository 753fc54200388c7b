package session

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/fileio"
	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// Analyst computes figures and remembers them: key tables, household indexes,
// assessments, and what a step gave when it was tried. What it remembers is
// found by the contents and the lineage of the columns that went in, so that
// figures after an undo are there at once. It is bounded and safe for concurrent use. A nil
// Analyst computes everything anew.
type Analyst struct {
	weights     *memory[string, []float64]
	tables      *memory[string, *keys.Table]
	households  *memory[string, *risk.Households]
	assessments *memory[string, *risk.Assessment]
	outcomes    *memory[string, *outcome]
	format      fileio.Format // of the file; without one labels are not checked
}

// Budgets of what is remembered, in bytes.
const (
	tableBudget      = 256 << 20
	assessmentBudget = 256 << 20
	householdBudget  = 64 << 20
	weightBudget     = 64 << 20
	outcomeBudget    = 64 << 20
)

// NewAnalyst returns an analyst that remembers nothing yet.
func NewAnalyst() *Analyst {
	return &Analyst{
		weights: newMemory[string](weightBudget, func(w []float64) int64 { return 64 + 8*int64(len(w)) }),
		tables: newMemory[string](tableBudget, func(t *keys.Table) int64 {
			return 64 + 4*int64(t.Records()) + int64(t.Keys())*int64(24+4*t.Variables())
		}),
		households: newMemory[string](householdBudget, func(h *risk.Households) int64 { return 64 + 32*int64(h.Len()) }),
		assessments: newMemory[string](assessmentBudget, func(a *risk.Assessment) int64 {
			return 64 + 64*int64(a.Table().Keys())
		}),
		outcomes: newMemory[string](outcomeBudget, func(o *outcome) int64 { return 64 + o.bytes }),
	}
}

// For makes the analyst one of a file of the format: its what-ifs refuse labels
// that the file could not hold, as steps do. It returns the analyst.
func (a *Analyst) For(format fileio.Format) *Analyst {
	a.format = format
	return a
}

// Assess returns the figures of the data under the scenario's rule, alpha and
// k; nil without key variables. Records without a household are one each.
// Errors are those of weights and key tables, or of the context.
func (a *Analyst) Assess(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario) (*risk.Assessment, error) {
	if len(scenario.Keys) == 0 {
		return nil, nil
	}
	if a == nil {
		a = NewAnalyst()
	}
	options, err := json.Marshal([]any{scenario.Rule, scenario.Alpha, scenario.K})
	if err != nil {
		return nil, err
	}
	household, err := digest(data, scenario.Household)
	if err != nil {
		return nil, err
	}
	named, err := tableDigest(data, scenario)
	if err != nil {
		return nil, err
	}
	return a.assessments.get(ctx, named+household+string(options), func() (*risk.Assessment, error) {
		table, err := a.table(ctx, data, scenario)
		if err != nil {
			return nil, err
		}
		households, err := a.householdsOf(ctx, data, scenario)
		if err != nil {
			return nil, err
		}
		return risk.Assess(ctx, table, households, risk.OptionsOf(scenario))
	})
}

// applicable is Assess for data that may have been changed so that the figures
// mean nothing: then there are none.
func (a *Analyst) applicable(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario) (*risk.Assessment, error) {
	if risk.NotApplicable(scenario, data.Origins()) != "" {
		return nil, nil
	}
	return a.Assess(ctx, data, scenario)
}

// table returns the key table of the data.
func (a *Analyst) table(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario) (*keys.Table, error) {
	named, err := tableDigest(data, scenario)
	if err != nil {
		return nil, err
	}
	return a.tables.get(ctx, named, func() (*keys.Table, error) {
		columns := make([]*microdata.Column, len(scenario.Keys))
		for i, name := range scenario.Keys {
			columns[i], _ = data.Column(name) // there: its digest was taken
		}
		weights, err := a.weightsOf(ctx, data, scenario)
		if err != nil {
			return nil, err
		}
		return keys.New(ctx, columns, weights)
	})
}

func (a *Analyst) weightsOf(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario) ([]float64, error) {
	if scenario.Weight == "" {
		return nil, nil
	}
	named, err := digest(data, scenario.Weight)
	if err != nil {
		return nil, err
	}
	return a.weights.get(ctx, named, func() ([]float64, error) { return scenario.Weights(data) })
}

func (a *Analyst) householdsOf(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario) (*risk.Households, error) {
	if scenario.Household == "" {
		return nil, nil
	}
	named, err := digest(data, scenario.Household)
	if err != nil {
		return nil, err
	}
	return a.households.get(ctx, named, func() (*risk.Households, error) {
		column, _ := data.Column(scenario.Household)
		return risk.NewHouseholds(column), nil
	})
}

// digest stands for the contents of a variable; "" stands for none.
func digest(data *microdata.Dataset, variable string) (string, error) {
	if variable == "" {
		return "", nil
	}
	column, ok := data.Column(variable)
	if !ok {
		return "", fmt.Errorf("%w: the file has no variable %q", microdata.ErrScenario, variable)
	}
	hash := column.Hash()
	return string(hash[:]), nil
}

// tableDigest stands for the contents of the key variables and the weight.
func tableDigest(data *microdata.Dataset, scenario *microdata.Scenario) (string, error) {
	var all strings.Builder
	for _, name := range append([]string{scenario.Weight}, scenario.Keys...) {
		one, err := digest(data, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&all, "%d:%s", len(one), one)
	}
	return all.String(), nil
}

// outcome is what a step gave, and how long that took.
type outcome struct {
	output  method.Output
	seconds float64
	bytes   int64 // of the columns it made
}

// apply runs a method. A step that was tried as a what-if is not computed a
// second time when it is made.
func (a *Analyst) apply(ctx context.Context, in method.Input, spec StepSpec, m method.Method, meter *progress.Meter) (*outcome, error) {
	return a.outcome(ctx, in, spec, func() (*outcome, error) { return applied(ctx, in, m, meter) })
}

// outcome returns what a step gave when it was tried, or has it computed.
func (a *Analyst) outcome(ctx context.Context, in method.Input, spec StepSpec, compute func() (*outcome, error)) (*outcome, error) {
	if a == nil {
		return compute()
	}
	scenario, err := json.Marshal(in.Scenario)
	if err != nil {
		return nil, err
	}
	step, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	lineage := in.Data.Lineage()
	key := strings.Join([]string{hashText(in.Data), string(lineage[:]), string(scenario), string(step)}, "\n")
	return a.outcomes.get(ctx, key, compute)
}

func applied(ctx context.Context, in method.Input, m method.Method, meter *progress.Meter) (*outcome, error) {
	started := time.Now()
	output, err := m.Apply(ctx, in, meter)
	if err != nil {
		return nil, err
	}
	return newOutcome(in.Data, output, time.Since(started)), nil
}

// newOutcome counts the bytes of the columns that a step made.
func newOutcome(before *microdata.Dataset, output method.Output, elapsed time.Duration) *outcome {
	done := &outcome{output: output, seconds: seconds(elapsed)}
	for i, column := range output.Data.Columns() {
		if columns := before.Columns(); i >= len(columns) || column != columns[i] {
			done.bytes += columnBytes(column)
		}
	}
	return done
}

// seconds returns a duration to the microsecond.
func seconds(d time.Duration) float64 { return math.Round(d.Seconds()*1e6) / 1e6 }
