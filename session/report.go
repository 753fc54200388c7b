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
	// Accepted has who accepted one of them, by its name; "": somebody did.
	Findings []check.Finding
	Accepted map[string]string
}

// ExportReport writes a report of what was done. It has counts and labels,
// neither values of records nor seeds.
func (d Document) ExportReport(ctx context.Context, o ReportOptions, analyst *Analyst) error {
	return d.WriteFile(o.Path, o.Force, func(w io.Writer) error { return d.WriteReport(ctx, w, o, analyst) })
}

// chapter makes sections of a report.
type chapter func(ctx context.Context) ([]report.Section, error)

// one is the chapter of a section.
func one(s report.Section, err error) ([]report.Section, error) { return []report.Section{s}, err }

func (d *Document) report(ctx context.Context, o ReportOptions, analyst *Analyst) (*report.Page, error) {
	p := &report.Page{Title: "Protection of " + d.Name,
		Sections: []report.Section{d.fileSection(o), d.stepSection(o.Audience)}}
	chapters := d.forInside(&o, analyst)
	if o.Audience == Users {
		chapters = d.forUsers(o.least(), analyst)
	}
	for _, chapter := range chapters {
		sections, err := chapter(ctx)
		if err != nil {
			return nil, err
		}
		p.Sections = append(p.Sections, sections...)
	}
	return p, ctx.Err()
}

// forUsers are the chapters of the report for users, after the file and its steps.
func (d *Document) forUsers(l limit, analyst *Analyst) []chapter {
	return []chapter{
		func(ctx context.Context) ([]report.Section, error) { return one(d.changes(ctx, l)) },
		func(ctx context.Context) ([]report.Section, error) { return d.categorySections(ctx, l) },
		func(ctx context.Context) ([]report.Section, error) { return d.anonymity(ctx, analyst) },
		func(ctx context.Context) ([]report.Section, error) { return d.pramSections(l), nil },
		func(ctx context.Context) ([]report.Section, error) { return d.moments(ctx, l) },
		func(ctx context.Context) ([]report.Section, error) { return d.missingForUsers(ctx, analyst, l) },
	}
}

// forInside are the chapters of the report for inside, after the file and its steps.
func (d *Document) forInside(o *ReportOptions, analyst *Analyst) []chapter {
	return []chapter{
		func(context.Context) ([]report.Section, error) { return one(d.parameterSection(), nil) },
		func(ctx context.Context) ([]report.Section, error) { return one(d.changes(ctx, 0)) },
		d.recodeSections,
		func(ctx context.Context) ([]report.Section, error) { return d.figureSections(ctx, analyst) },
		func(ctx context.Context) ([]report.Section, error) { return d.openSections(ctx, analyst) },
		func(ctx context.Context) ([]report.Section, error) { return one(d.mapSection(ctx, analyst)) },
		d.numberSections,
		func(ctx context.Context) ([]report.Section, error) { return d.scenarioSections(ctx, analyst) },
		func(ctx context.Context) ([]report.Section, error) { return d.missingSections(ctx, analyst) },
		func(context.Context) ([]report.Section, error) { return d.pramSections(0), nil },
		func(ctx context.Context) ([]report.Section, error) { return d.lastSections(ctx, o, analyst) },
	}
}

func (d *Document) fileSection(o ReportOptions) report.Section {
	s := report.Section{Heading: "The file"}
	records, source := d.Data.Records(), d.Base.Records()
	s.Add("Records: %s", o.least().text(records, 0))
	switch {
	case source == records:
	case o.Audience == Inside:
		s.Add("Records of the source: %s; original figures are those of the records that are kept", wording.Number(source))
	case !o.least().hides(records, source):
		s.Add("Records of the source: %s", wording.Number(source))
	default:
		s.Add("Some records of the source are not in the file.")
	}
	if o.Audience == Inside {
		s.Add("Variables: %d; %d of them not in the protected file", len(d.Data.Columns()), len(d.dropped()))
		s.Add("Source: %s", d.readAs())
		if d.Hash != "" {
			s.Add("Contents of the source (hash): %s", d.Hash)
		}
		s.Add("Key variables: %s", listed(d.Scenario.Keys))
		s.Add("Weight: %s; household: %s", named(d.Scenario.Weight), named(d.Scenario.Household))
		s.Add("Rule for missing values: %s, alpha %v", d.Scenario.Rule, d.Scenario.Alpha)
	}
	if removed := d.dropped(); len(removed) > 0 {
		s.Add("Removed variables: %s", strings.Join(removed, ", "))
	}
	if !o.Date.IsZero() {
		s.Add("Date: %s", o.Date.Format(time.DateOnly))
	}
	return s
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

func (d *Document) stepSection(audience Audience) report.Section {
	s := report.Section{Heading: "What was done"}
	if len(d.Steps) == 0 {
		s.Add("Nothing: the records are as in the source.")
		return s
	}
	if audience == Inside {
		s.Table = [][]string{{"step", "what", "effect"}}
	}
	for i := range d.Steps {
		step := &d.Steps[i]
		if narrator, ok := step.method.(method.Narrator); ok {
			s.Add("Step %d: %s", i+1, narrator.Narrate(&step.Report))
		} else if audience == Users {
			s.Add("Step %d: The data were changed by the method %s.", i+1, step.Spec.Step)
		}
		if audience == Inside {
			s.Table = append(s.Table, []string{strconv.Itoa(i + 1), step.Title, step.Report.Effect})
			step.addNotes(&s, i+1)
		}
	}
	return s
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
func (d *Document) anonymity(ctx context.Context, analyst *Analyst) ([]report.Section, error) {
	current, err := analyst.Figures(ctx, d.Data, &d.Scenario, measure.Report)
	if err != nil || measure.Result[*risk.Assessment](current) == nil {
		return nil, err
	}
	s := report.Section{Heading: "k-anonymity", Lines: []string{"The file was not made k-anonymous."}}
	current.Each(func(_ *measure.Entry, v *measure.Value) {
		if v.Name == "conservative_violators" && v.Number == 0 {
			s.Lines[0] = "No record can be told from all others by the key variables, a missing value being any value."
		}
	})
	return []report.Section{s}, nil
}

// missingCells is what a measure tells of cells that became missing.
func (d *Document) missingCells(ctx context.Context, analyst *Analyst) (*measure.Table, error) {
	v, spec := analyst.version(d.Data, &d.Scenario), suppress.MissingCellsSpec()
	missing, err := spec.Compute(ctx, measure.Input{Original: v, Current: v}, spec.New(), nil)
	if err != nil {
		return nil, err
	}
	return &missing.Values.Tables[0], nil
}

// missingSections are the cells that became missing by variable, and by the steps that
// made them so.
func (d *Document) missingSections(ctx context.Context, analyst *Analyst) ([]report.Section, error) {
	if len(d.Scenario.Keys) == 0 {
		return nil, nil
	}
	table, err := d.missingCells(ctx, analyst)
	if err != nil {
		return nil, err
	}
	s := tableSection(table)
	by := report.Section{Heading: "Why cells became missing", Table: [][]string{{"step", "what", "variable", "cells"}}}
	for i := range d.Steps {
		d.Steps[i].addMissing(i+1, &s, &by)
	}
	if len(by.Table) == 1 {
		return []report.Section{s}, nil
	}
	return []report.Section{s, by}, nil
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
