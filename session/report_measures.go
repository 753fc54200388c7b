package session

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// risks adds the figures of disclosure risk, now and in the original: those of every report, then those of active
// measures.
func (r *reportBuilder) risks(ctx context.Context) error { return r.figures(ctx, false) }

// losses adds the figures of information loss.
func (r *reportBuilder) losses(ctx context.Context) error { return r.figures(ctx, true) }

func (r *reportBuilder) figures(ctx context.Context, utility bool) error {
	original, current, err := r.analyst.both(ctx, r.Document, measure.Report)
	if err != nil {
		return err
	}
	other := func(e measure.Entry) bool { return e.Spec.Utility != utility }
	for _, s := range measureSections(slices.DeleteFunc(slices.Clone(current), other),
		slices.DeleteFunc(slices.Clone(original), other)) {
		r.add(s)
	}
	for _, spec := range r.Measures {
		known, ok := r.analyst.measures.Find(spec.Name)
		if known.Utility != utility || !ok && utility {
			continue
		}
		if err := r.active(ctx, spec); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// active adds the figures of an active measure, with its parameters.
func (r *reportBuilder) active(ctx context.Context, spec MeasureSpec) error {
	found, err := r.analyst.Measure(ctx, r.Data, &r.Scenario, spec, nil)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, ErrMeasures):
		r.add(report.Section{Heading: "Measure " + spec.Name, Lines: []string{err.Error()}})
		return nil
	case err != nil:
		return err
	}
	now := *found.Current
	now.Spec.Shown |= measure.Report
	sections := measureSections(measure.Set{now}, measure.Set{*found.Original})
	if reason := now.NotApplicable; reason != "" || len(sections) == 0 {
		sections = []report.Section{{Heading: now.Spec.Heading()}}
		sections[0].Add("Not applicable: %s.", reason)
	}
	if len(spec.Params) > 2 { // an object with members
		m, err := DecodeMeasure(now.Spec, spec.Params)
		if err != nil {
			return err
		}
		sections[0].Lines = append([]string{"Parameters: " + parameters(m)}, sections[0].Lines...)
	}
	for _, s := range sections {
		r.add(s)
	}
	return nil
}

// measureSections returns a section for the figures of measures with the same heading, and one for each of their
// tables.
func measureSections(current, original measure.Set) []report.Section {
	var sections []report.Section
	for from := 0; from < len(current); {
		to := from + 1
		for to < len(current) && current[to].Spec.Heading() == current[from].Spec.Heading() {
			to++
		}
		if s := measureSection(current[from:to], original[from:to]); len(s.Table) > 0 {
			sections = append(sections, s)
		}
		for ; from < to; from++ {
			for _, table := range current[from].Values.Tables {
				sections = append(sections, tableSection(&table))
			}
		}
	}
	return sections
}

// scenarios compares the scenarios, if there are several.
func (r *reportBuilder) scenarios(ctx context.Context) error {
	if len(r.Scenarios) < 2 {
		return nil
	}
	s := report.NewTable("Scenarios", "scenario", "key variables")
	s.Add("All other figures refer to the scenario %s.", r.inForce())
	err := r.eachScenario(ctx, r.analyst, func(one *NamedScenario, original, current measure.Set) {
		head, row := []string{"scenario", "key variables"}, []string{one.Name, listed(one.Scenario.Keys)}
		current.Firsts(func(now *measure.Entry, n *measure.SummaryNumber) {
			head = append(head, n.Title+" now", "original")
			row = append(row, now.Spoken(n, exactly), original.Find(now.Spec.Name).Spoken(n, exactly))
		})
		s.Table[0] = head
		s.Row(row...)
	})
	r.add(s)
	return err
}

// inForce names the active scenario.
func (d *Document) inForce() string {
	at := slices.IndexFunc(d.Scenarios, func(one NamedScenario) bool { return one.InForce })
	return d.Scenarios[max(0, at)].Name
}

func tableSection(t *measure.Table) report.Section {
	return report.Section{Heading: t.Title, Table: t.Text(), Picture: frequencyPicture(t)}
}

// measureSection returns the section of measures with the same heading: a row per k, or per figure.
func measureSection(current, original measure.Set) report.Section {
	s := report.Section{Heading: current[0].Spec.Heading()}
	rows, notes := [][]string{{"figure", "now", "original"}}, [][]string(nil)
	var byK kTable
	current.Shown(measure.Report, func(e *measure.Entry, now *measure.Value) {
		was := original.Like(e.Spec.Name, now)
		if before := original.Find(e.Spec.Name); was == nil && before != nil && before.NotApplicable != "" {
			was = &measure.Value{Number: math.NaN(), None: "not computed"}
		}
		switch {
		case was == nil:
		case now.K > 0:
			byK.add(now, was)
		case now.Note == "":
			rows = append(rows, []string{now.Title, exactly(now), exactly(was)})
		case now.Number+was.Number > 0:
			notes = append(notes, []string{now.Title, exactly(now), exactly(was)})
			s.Add("%s", now.Note)
		}
	})
	switch rows = append(rows, notes...); {
	case len(byK.rows) > 0:
		s.Table = append([][]string{byK.head}, byK.rows...)
	case len(rows) > 1:
		s.Table = rows
	}
	if lead := current[0].Spec.Lead; lead != "" {
		s.Lines = append([]string{lead}, s.Lines...)
	}
	for i := range original {
		if reason := original[i].NotApplicable; reason != "" && current[i].NotApplicable == "" {
			s.Add("Not computed for the original: %s.", reason)
		}
	}
	return s
}

// kTable is a table with a row for each k, and two columns for each figure.
type kTable struct {
	head []string
	rows [][]string
}

func (t *kTable) add(now, was *measure.Value) {
	k := strconv.Itoa(now.K)
	row := slices.IndexFunc(t.rows, func(row []string) bool { return row[0] == k })
	if row < 0 {
		row, t.rows = len(t.rows), append(t.rows, []string{k})
	}
	t.rows[row] = append(t.rows[row], part(now), part(was))
	if len(t.head) == 0 {
		t.head = []string{"k"}
	}
	if len(t.rows[row]) > len(t.head) {
		t.head = append(t.head, strings.TrimPrefix(now.Title+" now", " "), strings.TrimPrefix(now.Title+" original", " "))
	}
}

// part formats a count with its share.
func part(v *measure.Value) string {
	return fmt.Sprintf("%s (%v)", v.Text(), measure.PercentOf(int(v.Number), v.Of))
}

// exactly formats a number with more decimals than the screen has room for.
func exactly(v *measure.Value) string {
	switch {
	case math.IsNaN(v.Number) || v.Unit == measure.Count || v.Unit == measure.ExpectedRecords && v.Number < 0.001:
		return v.Text()
	case v.Unit == measure.Mean:
		return report.Percent(100*v.Number, 4)
	default:
		return wording.Thousands(fmt.Sprintf("%.4f", v.Number))
	}
}
