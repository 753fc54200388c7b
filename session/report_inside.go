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
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// openSections are what the measures that are open tell, with their parameters.
func (d *Document) openSections(ctx context.Context, analyst *Analyst) ([]report.Section, error) {
	var sections []report.Section
	for _, spec := range d.Measures {
		found, err := analyst.Measure(ctx, d.Data, &d.Scenario, spec, nil)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, ErrMeasures):
			sections = append(sections, report.Section{Heading: "Measure " + spec.Name, Lines: []string{err.Error()}})
			continue
		case err != nil:
			return nil, err
		}
		now := found.Current
		now.Spec.Shown |= measure.Report
		one := measureSections(measure.Set{now}, measure.Set{found.Original})
		if reason := now.NotApplicable; reason != "" || len(one) == 0 {
			one = []report.Section{{Heading: now.Spec.Heading()}}
			one[0].Add("Not applicable: %s.", reason)
		}
		if len(spec.Params) > 2 { // an object with members
			m, err := DecodeMeasure(now.Spec, spec.Params)
			if err != nil {
				return nil, err
			}
			one[0].Lines = append([]string{"Parameters: " + parameters(m)}, one[0].Lines...)
		}
		sections = append(sections, one...)
	}
	return sections, nil
}

// findingSection says what the check found, and which of it was accepted.
func findingSection(o *ReportOptions) report.Section {
	s := report.Section{Heading: "What the check found"}
	if len(o.Findings) == 0 {
		s.Add("Nothing.")
		return s
	}
	s.Table = [][]string{{"finding", "what was found", "weight", "accepted", "why it matters"}}
	for _, f := range o.Findings {
		weight, accepted := "remark", "–"
		if f.Grave {
			weight, accepted = "grave", "no"
		}
		if by, ok := o.Accepted[f.Name]; ok {
			accepted = strings.TrimSuffix("yes, by "+by, ", by ")
		}
		s.Table = append(s.Table, []string{f.Title, f.Text, weight, accepted, f.Why})
	}
	return s
}

// lastSections tell what the check found, what was not assessed, and versions.
func (d *Document) lastSections(ctx context.Context, o *ReportOptions, analyst *Analyst) ([]report.Section, error) {
	current, err := analyst.Figures(ctx, d.Data, &d.Scenario, measure.Report)
	if err != nil {
		return nil, err
	}
	last := []report.Section{d.unassessedSection(current, analyst), d.versionSection(o)}
	if o.Findings != nil {
		return append([]report.Section{findingSection(o)}, last...), nil
	}
	last[0].Add("The check before release was not made.")
	return last, nil
}

// unassessedSection says what no figure of the report tells.
func (d *Document) unassessedSection(current measure.Set, analyst *Analyst) report.Section {
	s := report.Section{Heading: "What was not assessed"}
	if len(d.Scenario.Keys) == 0 {
		s.Add("There is no key variable: nothing tells what an intruder may know.")
	}
	if d.Scenario.Weight == "" {
		s.Add(risk.NoWeight)
	}
	if d.Scenario.Household == "" {
		s.Add("There is no household identifier: risk through other members of a household is not counted.")
	}
	var without, released []string
	for _, column := range d.Data.Without(d.dropped()).Columns() {
		released = append(released, column.Name())
		if len(d.Scenario.RolesOf(column.Name())) == 0 && d.Scenario.LinkedTo(column.Name()) == "" {
			without = append(without, column.Name())
		}
	}
	if len(without) > 0 {
		s.Add("In no role, and released: %s of %s: %s.", wording.Number(len(without)),
			wording.Counted(len(released), "variable"), strings.Join(without, ", "))
	}
	s.Lines = append(s.Lines, inapplicable(current)...)
	var others []string
	for _, spec := range analyst.measures {
		if current.Find(spec.Name) == nil && spec.Name != suppress.MissingCellsSpec().Name && !slices.ContainsFunc(d.Measures,
			func(open MeasureSpec) bool { return open.Name == spec.Name }) {
			others = append(others, spec.Title)
		}
	}
	if len(others) > 0 {
		s.Add("Measures that were not asked for: %s.", strings.Join(others, ", "))
	}
	return s
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

// versionSection says what made the figures.
func (d *Document) versionSection(o *ReportOptions) report.Section {
	s := report.Section{Heading: "Versions"}
	s.Add("Program: sdcdesk %s", cmp.Or(o.Program, ProgramVersion()))
	var mended []string
	for i := range d.Steps {
		if v := d.Steps[i].Spec.Version; v > 0 {
			mended = append(mended, fmt.Sprintf("step %d (%s): %d", i+1, d.Steps[i].Spec.Step, v))
		}
	}
	if len(mended) > 0 {
		s.Add("Versions of methods that were mended: %s", strings.Join(mended, ", "))
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

func (d *Document) parameterSection() report.Section {
	s := report.Section{Heading: "Parameters", Table: [][]string{{"step", "method", "parameters"}}}
	for i := range d.Steps {
		s.Table = append(s.Table, []string{strconv.Itoa(i + 1), d.Steps[i].Spec.Step, parameters(d.Steps[i].method)})
	}
	if len(d.Steps) == 0 {
		s.Table = nil
		s.Add("None.")
	}
	return s
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
