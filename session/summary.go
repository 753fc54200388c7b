package session

import (
	"context"
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// riskTarget is the global risk that a summary's threshold is for.
const riskTarget = 0.01

// Summary is what a run reports. Its JSON form is what --summary writes.
type Summary struct {
	Records          int           `json:"records"`
	SourceRecords    int           `json:"source_records,omitempty"` // where steps took records out
	Original         Figures       `json:"original"`                 // of the source values of these records under the last scenario
	Current          Figures       `json:"current"`
	Suppressions     method.Cells  `json:"suppressions"`      // suppressed cells
	SuppressionsLast method.Cells  `json:"suppressions_last"` // those of the last step
	Steps            []SummaryStep `json:"steps"`
	LoadSeconds      float64       `json:"load_seconds"`
}

// SummaryStep is one step of a summary.
type SummaryStep struct {
	Step    string        `json:"step"`
	Seconds float64       `json:"seconds"`
	Report  method.Report `json:"report"`
	// NotApplicable says why the violators that the report tells mean nothing.
	NotApplicable string `json:"not_applicable,omitempty"`
}

// KCount is a number of violators of one k.
type KCount struct{ K, Count int }

// ByK counts violators per k. In JSON it is an object from k to count that
// keeps the order of the scenario's k.
type ByK []KCount

// MarshalJSON writes the counts as an object; null where there are none to
// tell, as opposed to none that are asked for.
func (b ByK) MarshalJSON() ([]byte, error) {
	if b == nil {
		return []byte("null"), nil
	}
	text := []byte{'{'}
	for i, v := range b {
		if i > 0 {
			text = append(text, ',')
		}
		text = fmt.Appendf(text, `"%d":%d`, v.K, v.Count)
	}
	return append(text, '}'), nil
}

// Figures are the risk figures of one version of the data; without key
// variables they are empty or null. Where they do not apply all are null, and
// NotApplicable says why.
type Figures struct {
	NotApplicable string            `json:"not_applicable,omitempty"`
	Violators     ByK               `json:"violators"`
	Conservative  ByK               `json:"conservative_violators"`
	OwnCategory   ByK               `json:"own_category_violators"`
	Expected      *float64          `json:"expected_reidentifications"`
	Global        *float64          `json:"global_risk"`
	Raised        int               `json:"raised"`         // records whose population frequency is below the sample frequency, which counts in its place
	RiskThreshold *float64          `json:"risk_threshold"` // null: the file is below the target
	Households    *HouseholdFigures `json:"households"`     // null without households
}

// HouseholdFigures are the risk figures through households.
type HouseholdFigures struct {
	Expected *float64 `json:"expected_reidentifications"`
	Risk     *float64 `json:"risk"`
}

// Summarise computes the summary of a document.
func (d Document) Summarise(ctx context.Context, analyst *Analyst) (*Summary, error) {
	summary := &Summary{Records: d.Data.Len(), Steps: []SummaryStep{}}
	if d.Base.Len() != d.Data.Len() {
		summary.SourceRecords = d.Base.Len()
	}
	for _, version := range []struct {
		data    *microdata.Dataset
		figures *Figures
	}{{d.original(), &summary.Original}, {d.Data, &summary.Current}} {
		assessment, err := analyst.Assess(ctx, version.data, &d.Scenario)
		if err != nil {
			return nil, err
		}
		*version.figures = figuresOf(assessment)
	}
	if reason := d.notApplicable(); reason != "" {
		summary.Current = Figures{NotApplicable: reason}
	}
	before := d.Base
	for i := range d.Steps {
		step := &d.Steps[i]
		summary.Steps = append(summary.Steps, SummaryStep{step.Spec.Step, step.Seconds, step.Report,
			risk.NotApplicable(step.scenario, step.origins)})
		if i+1 < len(d.Steps) && step.data != nil {
			before = step.data
		}
	}
	variables := followed(&d.Scenario)
	summary.Suppressions = suppressedCells(d.Data, variables)
	summary.SuppressionsLast = newlySuppressed(before, d.Data, variables)
	return summary, ctx.Err()
}

func figuresOf(a *risk.Assessment) Figures {
	f := Figures{Violators: ByK{}, Conservative: ByK{}, OwnCategory: ByK{}}
	if a == nil {
		return f
	}
	for _, v := range a.Violators {
		f.Violators = append(f.Violators, KCount{v.K, v.Count})
		f.Conservative = append(f.Conservative, KCount{v.K, v.Conservative})
		f.OwnCategory = append(f.OwnCategory, KCount{v.K, v.OwnCategory})
	}
	f.Expected, f.Global, f.Raised = finite(a.Expected), finite(a.Global), a.Raised
	if threshold, needed := a.Threshold(riskTarget); needed {
		f.RiskThreshold = finite(threshold)
	}
	if a.Households != nil {
		f.Households = &HouseholdFigures{finite(a.Households.Expected), finite(a.Households.Global)}
	}
	return f
}

// finite returns a pointer to x; nil where x is no number that JSON can say.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
