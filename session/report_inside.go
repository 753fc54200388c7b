package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// opened is what the measures that are open tell, with their parameters.
func (r *reporting) opened(ctx context.Context) error {
	for _, spec := range r.Measures {
		found, err := r.analyst.Measure(ctx, r.Data, &r.Scenario, spec, nil)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, ErrMeasures):
			r.add(report.Section{Heading: "Measure " + spec.Name, Lines: []string{err.Error()}})
			continue
		case err != nil:
			return err
		}
		now := *found.Current
		now.Spec.Shown |= measure.Report
		one := measureSections(measure.Set{now}, measure.Set{*found.Original})
		if reason := now.NotApplicable; reason != "" || len(one) == 0 {
			one = []report.Section{{Heading: now.Spec.Heading()}}
			one[0].Add("Not applicable: %s.", reason)
		}
		if len(spec.Params) > 2 { // an object with members
			m, err := DecodeMeasure(now.Spec, spec.Params)
			if err != nil {
				return err
			}
			one[0].Lines = append([]string{"Parameters: " + parameters(m)}, one[0].Lines...)
		}
		r.add(one...)
	}
	return nil
}

// found says what the check found, and which of it was accepted.
func (r *reporting) found(context.Context) error {
	if r.options.Findings == nil {
		return nil
	}
	s := report.Section{Heading: "What the check found",
		Table: [][]string{{"finding", "what was found", "weight", "accepted", "why it matters"}}}
	for _, f := range r.options.Findings {
		weight, accepted := "remark", "–"
		if f.Critical {
			weight, accepted = "critical", "no"
		}
		if about := f.Acceptances(r.options.Accepted); len(about) > 0 {
			accepted = wording.Joined(about, "; ", func(a check.Acceptance) string { return a.String() })
		}
		s.Table = append(s.Table, []string{f.Title, f.Text, weight, accepted, f.Why})
	}
	r.addTable(s, "Nothing.")
	return nil
}

// unassessed says what no figure of the report tells.
func (r *reporting) unassessed(ctx context.Context) error {
	current, err := r.analyst.Figures(ctx, r.Data, &r.Scenario, measure.Report)
	if err != nil {
		return err
	}
	s := report.Section{Heading: "What was not assessed"}
	if len(r.Scenario.Keys) == 0 {
		s.Add("There is no key variable: nothing tells what an intruder may know.")
	}
	if r.Scenario.Weight == "" {
		s.Add(risk.NoWeight)
	}
	if r.Scenario.Household == "" {
		s.Add("There is no household identifier: risk through other members of a household is not counted.")
	}
	released := r.released().Columns()
	var without []string
	for _, column := range released {
		if len(r.Scenario.RolesOf(column.Name())) == 0 && r.Scenario.LinkedTo(column.Name()) == "" {
			without = append(without, column.Name())
		}
	}
	if len(without) > 0 {
		s.Add("In no role, and released: %s of %s: %s.", wording.Number(len(without)),
			wording.Counted(len(released), "variable"), strings.Join(without, ", "))
	}
	s.Lines = append(s.Lines, inapplicable(current)...)
	var others []string
	for _, spec := range r.analyst.measures {
		if current.Find(spec.Name) == nil && spec.Name != suppress.MissingCellsSpec().Name && !slices.ContainsFunc(r.Measures,
			func(open MeasureSpec) bool { return open.Name == spec.Name }) {
			others = append(others, spec.Title)
		}
	}
	if len(others) > 0 {
		s.Add("Measures that were not asked for: %s.", strings.Join(others, ", "))
	}
	if r.options.Findings == nil {
		s.Add("The check before release was not made.")
	}
	r.add(s, r.versions())
	return nil
}

// inapplicable says why measures tell nothing, those with the same reason together.
func inapplicable(set measure.Set) []string {
	var lines, reasons []string
	titles := map[string][]string{}
	for i := range set {
		e := &set[i]
		if e.NotApplicable == "" {
			continue
		}
		if titles[e.NotApplicable] == nil {
			reasons = append(reasons, e.NotApplicable)
		}
		titles[e.NotApplicable] = append(titles[e.NotApplicable], e.Spec.Title)
	}
	for _, reason := range reasons {
		lines = append(lines, wording.Capital(strings.Join(titles[reason], ", "))+". Not applicable: "+reason+".")
	}
	return lines
}

// versions says what made the figures.
func (r *reporting) versions() report.Section {
	s := report.Section{Heading: "Versions"}
	s.Add("Program: sdcdesk %s", cmp.Or(r.options.Program, ProgramVersion()))
	var fixed []string
	for i := range r.Steps {
		if v := r.Steps[i].Spec.Version; v > 0 {
			fixed = append(fixed, fmt.Sprintf("step %d (%s): %d", i+1, r.Steps[i].Spec.Step, v))
		}
	}
	if len(fixed) > 0 {
		s.Add("Versions of methods that were fixed: %s", strings.Join(fixed, ", "))
	}
	return s
}

// parameters says the parameters that count and are not empty, as dialogs do; of one that
// holds the text of a file, that it does.
func parameters(of method.Parameterised) string {
	var said []string
	for _, p := range of.Params() {
		text := p.Shown()
		if text == "" || !p.Counts() {
			continue
		}
		if p.Kind == method.KindFile {
			text = "a file"
		}
		said = append(said, p.Label()+": "+text)
	}
	return strings.Join(said, "; ")
}

func (r *reporting) parameters(context.Context) error {
	s := report.Section{Heading: "Parameters", Table: [][]string{{"step", "method", "parameters"}}}
	for i := range r.Steps {
		s.Table = append(s.Table, []string{strconv.Itoa(i + 1), r.Steps[i].Spec.Step, parameters(r.Steps[i].method)})
	}
	r.addTable(s, "None.")
	return nil
}

// meant says what the first of the variables and categories are that a step names.
func meant(meanings []method.Meaning) string {
	const most = 40
	texts := wording.Joined(meanings[:min(len(meanings), most)], "; ", method.Meaning.String)
	if more := len(meanings) - most; more > 0 {
		texts += "; and " + wording.Number(more) + " more"
	}
	return texts
}
