package session

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// Audience is for whom a report is.
type Audience string

// The audiences.
const (
	Inside Audience = "inside" // those who protect the file: risk before and after, parameters, source
	Users  Audience = "users"  // those who get the file: what was done to it and what it lacks
)

// ReportOptions says which report is written and where.
type ReportOptions struct {
	Path     string // its ending says the form: .html, .md, .json, else plain text
	Force    bool   // replace a file that exists
	Audience Audience
	Date     time.Time // stands in the report; zero: none
	Least    int       // the least number of records that users are told of; 0: DefaultLeast
	Program  string    // the version of the program that stands in it; "": this one

	// Findings are what the check before release found, for inside; nil: it was not made.
	// Accepted are the acceptances of critical ones.
	Findings []check.Finding
	Accepted []check.Acceptance
}

// ExportReport writes a report of what was done. It has counts and labels,
// neither values of records nor seeds.
func (d Document) ExportReport(ctx context.Context, o ReportOptions, analyst *Analyst) error {
	return d.WriteFile(o.Path, o.Force, func(w io.Writer) error { return d.WriteReport(ctx, w, o, analyst) })
}

// reporting is a report that is being made.
type reporting struct {
	*Document
	page    *report.Page
	options ReportOptions
	least   limit
	analyst *Analyst
}

// add adds sections to the page.
func (r *reporting) add(sections ...report.Section) {
	r.page.Sections = append(r.page.Sections, sections...)
}

// addTable adds a section whose table has a row of heads; where it has no other, a line says so.
func (r *reporting) addTable(s report.Section, none string) {
	if len(s.Table) == 1 {
		s.Table, s.Lines = nil, append(s.Lines, none)
	}
	r.add(s)
}

func (d *Document) report(ctx context.Context, o ReportOptions, analyst *Analyst) (*report.Page, error) {
	r := &reporting{d, &report.Page{Title: "Protection of " + d.Name}, o, o.least(), analyst}
	chapters := []func(context.Context) error{r.file, r.steps, r.parameters, r.changes, r.recodes, r.figures, r.opened,
		r.riskAndLoss, r.numbers, r.scenarios, r.missing, r.matrices, r.found, r.unassessed}
	if o.Audience == Users {
		chapters = []func(context.Context) error{r.file, r.steps, r.changes, r.categories, r.anonymity, r.matrices, r.moments,
			r.missingForUsers}
	}
	for _, chapter := range chapters {
		if err := chapter(ctx); err != nil {
			return nil, err
		}
	}
	return r.page, ctx.Err()
}

func (r *reporting) file(context.Context) error {
	s := report.Section{Heading: "The file"}
	records, source := r.Data.Records(), r.Base.Records()
	s.Add("Records: %s", r.least.text(records, 0))
	switch {
	case source == records:
	case r.least == 0:
		s.Add("Records of the source: %s; original figures are those of the records that are kept", wording.Number(source))
	case !r.least.hides(records, source):
		s.Add("Records of the source: %s", wording.Number(source))
	default:
		s.Add("Some records of the source are not in the file.")
	}
	removed := r.dropped()
	if r.least == 0 {
		s.Add("Variables: %d; %d of them left out of the file", len(r.Data.Columns()), len(removed))
		s.Add("Source: %s", r.readAs())
		if r.Hash != "" {
			s.Add("Contents of the source (hash): %s", r.Hash)
		}
		s.Add("Key variables: %s", listed(r.Scenario.Keys))
		s.Add("Weight: %s; household: %s", named(r.Scenario.Weight), named(r.Scenario.Household))
		s.Add("Rule for missing values: %s, alpha %v", r.Scenario.Rule, r.Scenario.Alpha)
	}
	if len(removed) > 0 {
		s.Add("Removed variables: %s", listed(removed))
	}
	if !r.options.Date.IsZero() {
		s.Add("Date: %s", r.options.Date.Format(time.DateOnly))
	}
	r.add(s)
	return nil
}

// readAs says where the data come from, and how they were read where that can be chosen.
func (d *Document) readAs() string {
	path := d.Source.Identity().Path
	switch {
	case InPlace(d.Source):
		return path
	case d.Passes():
		return fmt.Sprintf("%s, read in passes as %s", d.Source.File(), d.Source.Format())
	default:
		return fmt.Sprintf("%s, read as %s", path, d.Source.Format())
	}
}

func (r *reporting) steps(context.Context) error {
	s := report.Section{Heading: "What was done"}
	if len(r.Steps) == 0 {
		s.Add("Nothing: the records are as in the source.")
	} else if r.least == 0 {
		s.Table = [][]string{{"step", "what", "effect"}}
	}
	for i := range r.Steps {
		step := &r.Steps[i]
		if narrator, ok := step.method.(method.Narrator); ok {
			s.Add("Step %d: %s", i+1, narrator.Narrate(&step.Report))
		} else if r.least > 0 {
			s.Add("Step %d: The data were changed by the method %s.", i+1, step.Spec.Step)
		}
		if r.least == 0 {
			s.Table = append(s.Table, []string{strconv.Itoa(i + 1), step.Title, step.Report.Effect})
			step.addNotes(&s, i+1)
		}
	}
	r.add(s)
	return nil
}

// addNotes adds to a section what the step names, and what it left as it was.
func (s *Step) addNotes(to *report.Section, number int) {
	if len(s.Meanings) > 0 {
		to.Add("Step %d names %s.", number, meant(s.Meanings))
	}
	for _, warning := range s.Report.Warnings {
		to.Add("Step %d: %s.", number, warning)
	}
	for i := range s.Report.PRAM {
		if v := &s.Report.PRAM[i]; v.Kept > 0 {
			to.Add("Step %d: %s of %s that the condition or a stratum of one category keeps.", number,
				wording.Counted(v.Kept, "value"), v.Variable)
		}
	}
}

// anonymity tells users whether the file is k-anonymous, blanks counted for nobody else,
// neither for which k nor how many records stand out where it is not.
func (r *reporting) anonymity(ctx context.Context) error {
	current, err := r.analyst.Figures(ctx, r.Data, &r.Scenario, measure.Report)
	if err != nil || measure.Result[*risk.Assessment](current) == nil {
		return err
	}
	said := "The file was not made k-anonymous."
	current.Each(func(_ *measure.Entry, v *measure.Value) {
		if v.Name == "conservative_violators" && v.Number == 0 {
			said = "No record can be told from all others by the key variables, a missing value being any value."
		}
	})
	r.add(report.Section{Heading: "k-anonymity", Lines: []string{said}})
	return nil
}

// missingCells is what a measure tells of cells that became missing.
func (r *reporting) missingCells(ctx context.Context) (*measure.Table, error) {
	v, spec := r.analyst.version(r.Data, &r.Scenario), suppress.MissingCellsSpec()
	missing, err := spec.Compute(ctx, measure.Input{Original: v, Current: v}, spec.New(), nil)
	if err != nil {
		return nil, err
	}
	return &missing.Values.Tables[0], nil
}

// missing tells the cells that became missing by variable, and by the steps that made them so.
func (r *reporting) missing(ctx context.Context) error {
	if len(r.Scenario.Keys) == 0 {
		return nil
	}
	table, err := r.missingCells(ctx)
	if err != nil {
		return err
	}
	s := tableSection(table)
	by := report.Section{Heading: "Why cells became missing", Table: [][]string{{"step", "what", "variable", "cells"}}}
	for i := range r.Steps {
		r.Steps[i].addMissing(i+1, &s, &by)
	}
	if r.add(s); len(by.Table) > 1 {
		r.add(by)
	}
	return nil
}

// addMissing adds what the step says of the cells that it made missing, and a row for each variable
// that has lost some.
func (s *Step) addMissing(number int, said, by *report.Section) {
	row := func(variable string, count int) {
		if count > 0 {
			by.Table = append(by.Table, []string{strconv.Itoa(number), s.Title, variable, wording.Number(count)})
		}
	}
	row("–", s.Report.Outside) // its title names the variable
	suppression := s.Report.Suppression
	if suppression == nil {
		return
	}
	for _, count := range append(suppression.Cells[:len(suppression.Cells):len(suppression.Cells)], suppression.Linked...) {
		row(count.Name, count.Count)
	}
	line := fmt.Sprintf("Step %d: %s in %s", number, wording.Counted(suppression.Total, "cell"),
		wording.Counted(suppression.Touched, "record"))
	if suppression.Bound != nil {
		line += fmt.Sprintf("; price %s, no method can do with less than %s", wording.Number(suppression.Price),
			wording.Number(*suppression.Bound))
	}
	said.Add("%s.", line)
}

func listed(names []string) string { return named(strings.Join(names, ", ")) }

func named(name string) string {
	if name == "" {
		return "none"
	}
	return name
}
