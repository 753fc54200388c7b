package tui

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/planning"
	numericview "github.com/sdcdesk/sdcdesk/views/numeric"
)

// numbersPlanned returns the numeric variables to plan for: the marked ones, otherwise the numeric key variables,
// otherwise the current one.
func (m *Model) numbersPlanned() []string {
	if pane, ok := m.bench.pane("numeric-variables").(*numericview.NumericVariables); ok {
		if marked := pane.Marked(m.state()); len(marked) > 0 {
			return marked
		}
	}
	keys := slices.DeleteFunc(slices.Clone(m.bench.scenario.Numeric), func(name string) bool {
		column, ok := m.bench.doc.Data().Column(name)
		return !ok || !column.Numeric()
	})
	if len(keys) > 0 {
		return keys
	}
	return m.numbersMeant()
}

// openNumberPlans opens the masking plans. It shows the earlier ones if the session is where they were searched,
// or in a plan tried from there. Plans tried before the session was resumed are not repeated.
func (m *Model) openNumberPlans() {
	b := m.bench
	m.dropPlans()
	names := m.numbersPlanned()
	if open, ok := b.numberPlans.dialog.(*planning.Numbers); ok && slices.Equal(open.Variables, names) {
		m.open(open)
		return
	}
	doc, analyst, scenario := b.doc, b.analyst, b.scenario
	data := doc.Data()
	steps, err := session.NumberPlans(m.options.Methods, method.Input{Data: data, Scenario: scenario}, names, session.NewSeed())
	if m.failed(err) {
		return
	}
	dialog := planning.NewNumbers(planning.NumbersOf{Data: data, Variables: names, Plans: steps, Kept: doc.TriedOn(data),
		Longest: m.options.Longest,
		Worth: func(ctx context.Context, step session.StepSpec, meter *progress.Meter) (tradeoff.RiskLoss, error) {
			worth, err := analyst.Worth(ctx, data, scenario, names, step, meter)
			if err != nil && ctx.Err() == nil {
				err = m.screenError(err, step)
			}
			return worth, err
		},
		Keep: func(found session.TriedStep) {
			if err := doc.KeepTried(data, found); err != nil {
				m.fail(err)
			}
		}}, doc.Node(), m.tryPlan)
	b.numberPlans = plans{dialog, doc.Base(), scenario}
	m.open(dialog)
}
