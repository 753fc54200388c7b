package session

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// Check returns what would be found in the protected file that Export would write with
// the options, before a byte of it is written.
func (d Document) Check(ctx context.Context, o ExportOptions, analyst *Analyst, meter *progress.Meter) ([]check.Finding,
	error) {
	fresh := o
	fresh.RandomOrder = false // what is released stays beside what it was
	data, err := d.randomOrder(fresh)
	if err != nil {
		return nil, err
	}
	data = data.Without(d.dropped())
	scenario := Fitted(&d.Scenario, data)
	in := check.Input{Released: analyst.version(data, scenario), Original: analyst.version(d.original(), &d.Scenario),
		SourceOrder: !o.RandomOrder}
	for i := range d.Steps {
		step := &d.Steps[i]
		in.Steps = append(in.Steps, check.Step{Name: step.Spec.Step, Method: step.method, Report: step.Report})
	}
	return check.Findings(ctx, in, meter)
}
