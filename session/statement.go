package session

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// Guarantees returns the k-anonymity that steps guarantee for the protected file that Export would write with the
// options.
func (d Document) Guarantees(o ExportOptions, analyst *Analyst) ([]check.Guarantee, error) {
	in, err := d.checked(o, analyst)
	if err != nil {
		return nil, err
	}
	return check.Guarantees(in), nil
}

// NotAssessed returns in sentences what no figure of the internal report covers.
func (d Document) NotAssessed(ctx context.Context, analyst *Analyst) ([]string, error) {
	r := &reportBuilder{Document: &d, chapter: &report.Section{}, analyst: analyst,
		options: ReportOptions{Audience: Internal, Findings: []check.Finding{}}}
	err := r.unassessed(ctx)
	return r.chapter.Lines, err
}
