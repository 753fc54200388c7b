package session

import (
	"context"
	"math"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// Summary is what a run reports. Its JSON form is what --summary writes.
type Summary struct {
	Records          int           `json:"records"`
	SourceRecords    int           `json:"source_records,omitempty"` // where steps took records out
	Original         Figures       `json:"original"`                 // of the source values of these records under the last scenario
	Current          Figures       `json:"current"`
	Suppressions     method.Counts `json:"suppressions"`      // suppressed cells
	SuppressionsLast method.Counts `json:"suppressions_last"` // those of the last step
	Steps            []SummaryStep `json:"steps"`
	LoadSeconds      float64       `json:"load_seconds"`
	// Scenarios has the figures under each scenario by name, where there are several.
	Scenarios map[string]ScenarioFigures `json:"scenarios,omitempty"`
	// Measures are those that were asked for, by name.
	Measures map[string]SummaryMeasure `json:"measures,omitempty"`
}

// ScenarioFigures are the figures of the data under one of several scenarios.
type ScenarioFigures struct {
	Keys     []string `json:"keys"`
	Original Figures  `json:"original"`
	Current  Figures  `json:"current"`
}

// SummaryMeasure is what a measure that was asked for tells of the data, and of
// the same records as they were read.
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
	// NotApplicable says why the violators that the report tells mean nothing.
	NotApplicable string `json:"not_applicable,omitempty"`
}

// Figures are the risk figures of one version of the data; without key
// variables they are empty or null. Where they do not apply all are null, and
// NotApplicable says why.
type Figures struct {
	NotApplicable string            `json:"not_applicable,omitempty"`
	Violators     method.Members    `json:"violators"` // counts by k, in the order of the scenario's k
	Conservative  method.Members    `json:"conservative_violators"`
	OwnCategory   method.Members    `json:"own_category_violators"`
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
		summary.Scenarios[one.Name] = ScenarioFigures{append([]string{}, one.Scenario.Keys...), figuresOf(original), figuresOf(current)}
	})
}

// eachScenario has the figures under each of several scenarios computed. One of
// variables that the data lack is looked at without these.
func (d *Document) eachScenario(ctx context.Context, analyst *Analyst, f func(one *NamedScenario, original, current measure.Set)) error {
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

// figuresOf returns the figures of a set in the form that summaries always had.
func figuresOf(set measure.Set) Figures {
	if violators := set.Find("kanonymity"); violators != nil && violators.NotApplicable != "" {
		return Figures{NotApplicable: violators.NotApplicable}
	}
	f := Figures{Violators: method.Members{}, Conservative: method.Members{}, OwnCategory: method.Members{}}
	lists := map[string]*method.Members{"violators": &f.Violators, "conservative_violators": &f.Conservative, "own_category_violators": &f.OwnCategory}
	number := func(name, value string) *float64 {
		if v := set.Value(name, value, 0); v != nil && !math.IsNaN(v.Number) && !math.IsInf(v.Number, 0) {
			return &v.Number
		}
		return nil
	}
	set.Each(func(_ *measure.Entry, v *measure.Value) {
		if list := lists[v.Name]; list != nil {
			*list = append(*list, method.Member{Name: strconv.Itoa(v.K), Value: int(v.Number)})
		}
	})
	f.Expected, f.Global, f.RiskThreshold = number("risk", "expected_reidentifications"), number("risk", "global_risk"), number("outstanding", "risk_threshold")
	if raised := number("risk", "raised"); raised != nil {
		f.Raised = int(*raised)
	}
	if set.Value("household", "risk", 0) != nil {
		f.Households = &HouseholdFigures{number("household", "expected_reidentifications"), number("household", "risk")}
	}
	return f
}

// measure computes what a run is asked for and adds it to the summary. It returns
// what was found of the current data.
func (s *Summary) measure(ctx context.Context, d *Document, analyst *Analyst, asked asked) (measure.Set, error) {
	if len(asked) == 0 {
		return nil, nil
	}
	s.Measures = map[string]SummaryMeasure{}
	current, original := analyst.version(d.Data, &d.Scenario), analyst.version(d.Data.Source(), &d.Scenario)
	var set measure.Set
	for _, one := range asked {
		found, err := measured(ctx, one.Spec, one.Measure, original, current, nil)
		if err != nil {
			return nil, err
		}
		told := SummaryMeasure{NotApplicable: found.Current.NotApplicable}
		if told.NotApplicable == "" {
			told.Current = &found.Current.Values
		}
		if found.Original.NotApplicable == "" {
			told.Original = &found.Original.Values
		}
		s.Measures[one.Spec.Name] = told
		set = append(set, found.Current)
	}
	return set, nil
}
