package session

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// Audience is the kind of readers of a report.
type Audience string

// The audiences.
const (
	Internal Audience = "inside" // those who protect the file: risk before and after, parameters, source
	Users    Audience = "users"  // those who receive the file: what was done to it and how to use it
)

// ReportOptions select the report and its path. A report depends only on the document and its options.
type ReportOptions struct {
	Path        string // its extension is the format: .html, .md, .json, otherwise plain text
	Force       bool   // replace an existing file
	Audience    Audience
	Protected   string    // path or address of the protected file, whose name is in the title; "": unknown
	Hash        string    // SHA-256 of the protected file; "": unknown
	Date        time.Time // zero: no date
	Responsible string    // who is responsible for the release, for the internal report
	Contact     string    // contact for users
	Least       int       // the lowest count shown to users; 0: DefaultLeast
	Program     string    // the version of the program; "": the running one

	// Findings are those of the pre-release checks, for the internal report; nil: the checks did not run. Accepted
	// are the acceptances of critical ones.
	Findings []check.Finding
	Accepted []check.Acceptance
}

// ExportReport writes a report of what was done. It contains counts and labels, neither values of records nor
// seeds.
func (d Document) ExportReport(ctx context.Context, o ReportOptions, analyst *Analyst) error {
	return d.WriteFile(o.Path, o.Force, func(w io.Writer) error { return d.WriteReport(ctx, w, o, analyst) })
}

// reportBuilder is a report under construction.
type reportBuilder struct {
	*Document
	options  ReportOptions
	least    limit
	analyst  *Analyst
	chapter  *report.Section
	promised []check.Guarantee
}

// chapter is a chapter of a report; its builders add sections to it. A section without a heading is the text of
// the chapter.
type chapter struct {
	heading  string
	builders []func(context.Context) error
}

// add adds a section to the chapter, without empty columns. It skips a section without content.
func (r *reportBuilder) add(s report.Section) {
	if s.Table = report.WithoutEmptyColumns(s.Table); len(s.Table) < 2 {
		s.Table = nil
	}
	switch {
	case len(s.Table)+len(s.Lines) == 0:
	case s.Heading == "":
		s.Heading, s.Parts = r.chapter.Heading, r.chapter.Parts
		*r.chapter = s
	default:
		r.chapter.Parts = append(r.chapter.Parts, s)
	}
}

// addTable adds a section whose table has a heading row. If there is no other row, it adds the line none instead.
func (r *reportBuilder) addTable(s report.Section, none string) {
	if len(s.Table) == 1 {
		s.Table, s.Lines = nil, append(s.Lines, none)
	}
	r.add(s)
}

func (d *Document) report(ctx context.Context, o ReportOptions, analyst *Analyst) (*report.Page, error) {
	document := *d
	r := &reportBuilder{Document: &document, options: o, least: o.least(), analyst: analyst}
	if err := r.promise(); err != nil {
		return nil, err
	}
	name := " " + o.protectedName()
	page := &report.Page{Title: "Disclosure control report for" + name, Chapters: true}
	type builders = []func(context.Context) error
	chapters := []chapter{
		{"Decision", builders{r.decision, r.guarantees, r.criticals}},
		{"Findings", builders{r.described, r.warnings}},
		{"Protection", builders{r.steps, r.removals, r.changes, r.recodes, r.suppressions, r.matrices}},
		{"Disclosure risk", builders{r.risks, r.scenarios}},
		{"Data utility", builders{r.riskAndLoss, r.losses, r.distributions, r.moments}},
		{"Tables", builders{r.tables}},
		{"What was not assessed", builders{r.unassessed}},
	}
	if o.Audience == Users {
		page.Title = "Notes for users of" + name
		chapters = []chapter{
			{"The file", builders{r.file}},
			{"What was done", builders{r.steps}},
			{"Variables", builders{r.changes, r.recodes}},
			{"Tables", builders{r.tables}},
			{"How to use the data", builders{r.use, r.moments, r.matrices}},
		}
	}
	for _, one := range chapters {
		r.chapter = &report.Section{Heading: one.heading}
		for _, build := range one.builders {
			if err := build(ctx); err != nil {
				return nil, err
			}
		}
		if s := r.chapter; len(s.Lines)+len(s.Table)+len(s.Parts) > 0 {
			page.Sections = append(page.Sections, *s)
		}
	}
	return page, ctx.Err()
}

// facts is a section with a table of names and texts.
type facts struct{ report.Section }

func newFacts() *facts {
	return &facts{report.NewTable("", "item", "value")}
}

// say adds a row unless text is "".
func (f *facts) say(name, text string) {
	if text != "" {
		f.Row(name, text)
	}
}

func listed(names []string) string { return named(strings.Join(names, ", ")) }

func named(name string) string {
	if name == "" {
		return "none"
	}
	return name
}

// variablesThat returns the variables of the protected file that satisfy a condition.
func (r *reportBuilder) variablesThat(satisfy func(name string) bool) []string {
	var names []string
	for _, column := range r.released().Columns() {
		names = append(names, column.Name())
	}
	return slices.DeleteFunc(names, func(name string) bool { return !satisfy(name) })
}
