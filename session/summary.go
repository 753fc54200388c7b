package session

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// Summary is the result of a run. Its JSON form is the output of --summary.
type Summary struct {
	Records          int           `json:"records"`
	SourceRecords    int           `json:"source_records,omitempty"` // if steps removed records
	Original         Figures       `json:"original"`                 // of the same records as read, under the last scenario
	Current          Figures       `json:"current"`
	Suppressions     method.Counts `json:"suppressions"`      // suppressed cells
	SuppressionsLast method.Counts `json:"suppressions_last"` // those of the last step
	Steps            []SummaryStep `json:"steps"`
	LoadSeconds      float64       `json:"load_seconds"`
	// Scenarios has the figures under each scenario by name, if there are several.
	Scenarios map[string]ScenarioFigures `json:"scenarios,omitempty"`
	// Measures are the requested measures by name.
	Measures map[string]SummaryMeasure `json:"measures,omitempty"`
}

// ScenarioFigures are the figures of the data under one of several scenarios.
type ScenarioFigures struct {
	Keys     []string `json:"keys"`
	Original Figures  `json:"original"`
	Current  Figures  `json:"current"`
}

// SummaryMeasure is the result of a requested measure for the data, and for the original of the same records.
type SummaryMeasure struct {
	NotApplicable string          `json:"not_applicable,omitempty"`
	Original      *measure.Values `json:"original,omitempty"`
	Current       *measure.Values `json:"current,omitempty"`
}

// SummaryStep is one step of a summary.
type SummaryStep struct {
	Step    string        `json:"step"`
	Seconds float64       `json:"seconds"`
	Report  method.Report `json:"report"`
	// NotApplicable is the reason why the violators in the report have no meaning, or "".
	NotApplicable string `json:"not_applicable,omitempty"`
}

// Figures are the figures in every summary, for one version of the data; without key variables they are empty or
// null. If they do not apply, all are null and NotApplicable has the reason.
type Figures struct {
	NotApplicable string
	Set           measure.Set
}

// figuresOf returns the figures of a set.
func figuresOf(set measure.Set) Figures {
	f := Figures{Set: set}
	if at := slices.IndexFunc(set, func(e measure.Entry) bool { return len(e.Spec.Summary) > 0 }); at >= 0 {
		f.NotApplicable = set[at].NotApplicable
	}
	return f
}

// MarshalJSON writes the figures, after the reason if they do not apply.
func (f Figures) MarshalJSON() ([]byte, error) {
	figures, err := f.Set.Summary().MarshalJSON()
	if f.NotApplicable == "" || err != nil {
		return figures, err
	}
	reason, err := marshal(f.NotApplicable)
	return slices.Concat([]byte(`{"not_applicable":`), reason, []byte(","), figures[1:]), err
}

// Summarise computes the summary of a document.
func (d Document) Summarise(ctx context.Context, analyst *Analyst) (*Summary, error) {
	summary := &Summary{Records: d.Data.Records(), Steps: []SummaryStep{}}
	if d.Base.Records() != d.Data.Records() {
		summary.SourceRecords = d.Base.Records()
	}
	original, current, err := analyst.both(ctx, &d, measure.Everywhere)
	if err != nil {
		return nil, err
	}
	summary.Original, summary.Current = figuresOf(original), figuresOf(current)
	before := d.Base
	for i := range d.Steps {
		step := &d.Steps[i]
		summary.Steps = append(summary.Steps, SummaryStep{step.Spec.Step, step.Seconds, step.Report,
			risk.NotApplicable(step.scenario, step.origins)})
		if i+1 < len(d.Steps) && step.data != nil {
			before = step.data
		}
	}
	variables := suppress.Followed(&d.Scenario)
	summary.Suppressions = suppress.SuppressedCells(d.Data, variables)
	summary.SuppressionsLast = newlySuppressed(before, d.Data, variables)
	return summary, d.eachScenario(ctx, analyst, func(one *NamedScenario, original, current measure.Set) {
		if summary.Scenarios == nil {
			summary.Scenarios = map[string]ScenarioFigures{}
		}
		summary.Scenarios[one.Name] = ScenarioFigures{append([]string{}, one.Scenario.Keys...), figuresOf(original),
			figuresOf(current)}
	})
}

// eachScenario computes the figures under each of several scenarios, without roles of variables that the data
// lack.
func (d *Document) eachScenario(ctx context.Context, analyst *Analyst,
	f func(one *NamedScenario, original, current measure.Set)) error {
	if len(d.Scenarios) < 2 {
		return ctx.Err()
	}
	for i := range d.Scenarios {
		one := d.Scenarios[i]
		one.Scenario = *Fitted(&one.Scenario, d.Data)
		under := *d
		under.Scenario = one.Scenario
		original, current, err := analyst.both(ctx, &under, measure.Everywhere)
		if err != nil {
			return err
		}
		f(&one, original, current)
	}
	return ctx.Err()
}

// measure computes the requested measures and adds them to the summary. It returns the figures of the current
// data.
func (s *Summary) measure(ctx context.Context, d *Document, analyst *Analyst, requested []MeasureSpec) (measure.Set, error) {
	var set measure.Set
	for _, one := range requested {
		found, err := analyst.Measure(ctx, d.Data, &d.Scenario, one, nil)
		if err != nil {
			return nil, err
		}
		reported := SummaryMeasure{NotApplicable: found.Current.NotApplicable}
		if reported.NotApplicable == "" {
			reported.Current = &found.Current.Values
		}
		if found.Original.NotApplicable == "" {
			reported.Original = &found.Original.Values
		}
		if s.Measures == nil {
			s.Measures = map[string]SummaryMeasure{}
		}
		s.Measures[one.Name] = reported
		set = append(set, *found.Current)
	}
	return set, nil
}
