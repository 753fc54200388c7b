package session

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/wording"
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
	Path     string // its ending says the form: .html, .md, else plain text
	Force    bool   // replace a file that exists
	Audience Audience
	Date     time.Time // stands in the report; zero: none
}

// ExportReport writes a report of what was done. It has counts and labels,
// neither values of records nor seeds.
func (d Document) ExportReport(ctx context.Context, o ReportOptions, analyst *Analyst) error {
	r, err := d.report(ctx, o, analyst)
	if err != nil {
		return err
	}
	render := r.text
	switch strings.ToLower(filepath.Ext(o.Path)) {
	case ".html", ".htm":
		render = r.html
	case ".md", ".markdown":
		render = r.markdown
	}
	return writeFile(o.Path, o.Force, d.sourcePath(), func(w io.Writer) error {
		_, err := io.WriteString(w, render())
		return err
	})
}

// page is a report before it has a form.
type page struct {
	title    string
	sections []section
}

// section is a part of a report: lines of text and a table, either of which
// may be empty. The first row of a table has the names of its columns.
type section struct {
	heading string
	lines   []string
	table   [][]string
}

func (d *Document) report(ctx context.Context, o ReportOptions, analyst *Analyst) (*page, error) {
	original, err := analyst.Assess(ctx, d.original(), &d.Scenario)
	if err != nil {
		return nil, err
	}
	current, err := analyst.Assess(ctx, d.Data, &d.Scenario)
	if err != nil {
		return nil, err
	}
	p := &page{title: "Protection of " + d.Name}
	p.sections = append(p.sections, d.fileSection(o), d.stepSection())
	switch reason := d.notApplicable(); {
	case current == nil:
	case reason != "":
		p.sections = append(p.sections, section{heading: "k-anonymity and risk", lines: []string{"Not applicable: " + reason + "."}})
	case o.Audience == Inside:
		p.sections = append(p.sections, violatorSection(original, current), riskSection(original, current))
	default:
		p.sections = append(p.sections, anonymitySection(current))
	}
	p.sections = append(p.sections, d.pramSections()...)
	if len(d.Scenario.Keys) > 0 {
		p.sections = append(p.sections, d.suppressionSection())
	}
	if o.Audience == Inside {
		p.sections = append(p.sections, d.parameterSection())
	}
	return p, ctx.Err()
}

func (d *Document) fileSection(o ReportOptions) section {
	s := section{heading: "The file"}
	s.add("Records: %s", wording.Number(d.Data.Len()))
	if d.Base.Len() != d.Data.Len() {
		more := ""
		if o.Audience == Inside {
			more = "; original figures are those of the records that are kept"
		}
		s.add("Records of the source: %s%s", wording.Number(d.Base.Len()), more)
	}
	s.add("Variables: %d; %d of them not in the protected file", len(d.Data.Columns()), len(d.dropped()))
	if o.Audience == Inside {
		s.add("Source: %s, read as %s", d.Source.Path, d.Format)
		s.add("Contents of the source (hash): %s", d.Source.Hash)
		s.add("Key variables: %s", listed(d.Scenario.Keys))
		s.add("Weight: %s; household: %s", named(d.Scenario.Weight), named(d.Scenario.Household))
		s.add("Rule for missing values: %s, alpha %v", d.Scenario.Rule, d.Scenario.Alpha)
	}
	if removed := d.dropped(); len(removed) > 0 {
		s.add("Removed variables: %s", strings.Join(removed, ", "))
	}
	if !o.Date.IsZero() {
		s.add("Date: %s", o.Date.Format(time.DateOnly))
	}
	return s
}

func (d *Document) stepSection() section {
	s := section{heading: "What was done"}
	if len(d.Steps) == 0 {
		s.add("Nothing: the records are as in the source.")
		return s
	}
	s.table = [][]string{{"step", "what", "effect"}}
	for i := range d.Steps {
		step := &d.Steps[i]
		s.table = append(s.table, []string{strconv.Itoa(i + 1), step.Title, step.Report.Effect})
		_, m, err := step.Spec.Method()
		if narrator, ok := m.(method.Narrator); ok && err == nil {
			s.add("Step %d: %s", i+1, narrator.Narrate(&step.Report))
		}
	}
	return s
}

func violatorSection(original, current *risk.Assessment) section {
	s := section{heading: "Violators of k-anonymity", table: [][]string{{"k", "now", "original", "conservative now", "original", "own category now", "original"}}}
	share := func(n int) string { return wording.Number(n) + " (" + percent(n, current.Records) + ")" }
	for i, now := range current.Violators {
		was := original.Violators[i]
		s.table = append(s.table, []string{strconv.Itoa(now.K), share(now.Count), share(was.Count),
			share(now.Conservative), share(was.Conservative), share(now.OwnCategory), share(was.OwnCategory)})
	}
	s.add("Records whose combination of key variables fewer than k records share.")
	return s
}

func riskSection(original, current *risk.Assessment) section {
	s := section{heading: "Risk", table: [][]string{{"figure", "now", "original"}}}
	row := func(name string, of func(*risk.Assessment) string) {
		s.table = append(s.table, []string{name, of(current), of(original)})
	}
	row("expected re-identifications", func(a *risk.Assessment) string { return fmt.Sprintf("%.4f", a.Expected) })
	row("global risk", func(a *risk.Assessment) string { return fmt.Sprintf("%.4f %%", 100*a.Global) })
	row("highest individual risk", func(a *risk.Assessment) string { return fmt.Sprintf("%.4f", a.HighestRisk()) })
	if current.Households != nil && original.Households != nil {
		row("expected re-identifications through households", func(a *risk.Assessment) string { return fmt.Sprintf("%.4f", a.Households.Expected) })
		row("global risk through households", func(a *risk.Assessment) string { return fmt.Sprintf("%.4f %%", 100*a.Households.Global) })
	}
	if current.Raised+original.Raised > 0 {
		row("records with a population frequency raised to the sample frequency", func(a *risk.Assessment) string { return wording.Number(a.Raised) })
		s.add("The weights of some keys sum up to less than the number of their records, which counts as their population frequency.")
	}
	return s
}

// anonymitySection tells users which k the file keeps, blanks counted for
// nobody else, not how many records stand out where it does not.
func anonymitySection(current *risk.Assessment) section {
	s := section{heading: "k-anonymity"}
	for _, v := range current.Violators {
		if v.Conservative == 0 {
			s.add("No record can be told from fewer than %d records by the key variables.", v.K)
		}
	}
	if len(s.lines) == 0 {
		s.add("The file was not made k-anonymous.")
	}
	return s
}

func (d *Document) suppressionSection() section {
	s := section{heading: "Cells that became missing", table: [][]string{{"variable", "cells", "percent of records", "suppressed"}}}
	cells, suppressed := newlyMissing(d.Data, followed(&d.Scenario)), suppressedCells(d.Data, followed(&d.Scenario))
	for i, c := range cells {
		s.table = append(s.table, []string{c.Variable, wording.Number(c.Count), percent(c.Count, d.Data.Len()), wording.Number(suppressed[i].Count)})
	}
	s.table = append(s.table, []string{"all", wording.Number(cells.Sum()), "", wording.Number(suppressed.Sum())})
	for i := range d.Steps {
		if suppression := d.Steps[i].Report.Suppression; suppression != nil {
			line := fmt.Sprintf("Step %d: %s in %s", i+1, wording.Counted(suppression.Total, "cell"), wording.Counted(suppression.Touched, "record"))
			if suppression.Bound != nil {
				line += fmt.Sprintf("; price %s, no method can do with less than %s", wording.Number(suppression.Price), wording.Number(*suppression.Bound))
			}
			s.add("%s.", line)
		}
	}
	return s
}

func (d *Document) parameterSection() section {
	s := section{heading: "Parameters", table: [][]string{{"step", "method", "parameters"}}}
	for i := range d.Steps {
		s.table = append(s.table, []string{strconv.Itoa(i + 1), d.Steps[i].Spec.Step, string(d.Steps[i].Spec.Params)})
	}
	if len(d.Steps) == 0 {
		s.table = nil
		s.add("None.")
	}
	return s
}

func (s *section) add(format string, values ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, values...))
}

func listed(names []string) string { return named(strings.Join(names, ", ")) }

func named(name string) string {
	if name == "" {
		return "none"
	}
	return name
}

func percent(part, whole int) string {
	if whole == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.3f %%", 100*float64(part)/float64(whole))
}
