package session

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
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
	Path     string // its ending says the form: .html, .md, else plain text
	Force    bool   // replace a file that exists
	Audience Audience
	Date     time.Time // stands in the report; zero: none
	Least    int       // the least number of records that users are told of; 0: DefaultLeast
}

// ExportReport writes a report of what was done. It has counts and labels,
// neither values of records nor seeds.
func (d Document) ExportReport(ctx context.Context, o ReportOptions, analyst *Analyst) error {
	page, err := d.report(ctx, o, analyst)
	if err != nil {
		return err
	}
	return d.WriteFile(o.Path, o.Force, func(w io.Writer) error { return report.FormOf(o.Path).Write(w, page) })
}

func (d *Document) report(ctx context.Context, o ReportOptions, analyst *Analyst) (*report.Page, error) {
	p := &report.Page{Title: "Protection of " + d.Name,
		Sections: []report.Section{d.fileSection(o), d.stepSection(o.Audience)}}
	fates, err := d.fates(ctx, o.least())
	if err != nil {
		return nil, err
	}
	measured, err := d.measureSections(ctx, o.Audience, analyst)
	if err != nil {
		return nil, err
	}
	p.Sections = slices.Concat(append(p.Sections, fates), measured, d.pramSections(o.least()))
	if o.Audience == Users {
		changed, err := d.moments(ctx, o.least())
		if err != nil {
			return nil, err
		}
		p.Sections = append(p.Sections, changed...)
	}
	if o.Audience == Inside && len(d.Scenarios) > 1 {
		scenarios, err := d.scenarioSection(ctx, analyst)
		if err != nil {
			return nil, err
		}
		p.Sections = append(p.Sections, scenarios)
	}
	if len(d.Scenario.Keys) > 0 {
		missing, err := d.suppressionSection(ctx, analyst, o.least())
		if err != nil {
			return nil, err
		}
		p.Sections = append(p.Sections, missing)
	}
	if o.Audience == Inside {
		p.Sections = append(p.Sections, d.parameterSection())
	}
	return p, ctx.Err()
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
		s.Add("Source: %s, read as %s", d.Source.Identity().Path, d.Source.Format())
		s.Add("Contents of the source (hash): %s", d.Hash)
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
		if audience == Inside {
			s.Table = append(s.Table, []string{strconv.Itoa(i + 1), step.Title, step.Report.Effect})
			if len(step.Meanings) > 0 {
				s.Add("Step %d names %s.", i+1, meant(step.Meanings))
			}
		}
		if narrator, ok := step.method.(method.Narrator); ok {
			s.Add("Step %d: %s", i+1, narrator.Narrate(&step.Report))
		} else if audience == Users {
			s.Add("Step %d: The data were changed by the method %s.", i+1, step.Spec.Step)
		}
		for _, warning := range step.Report.Warnings {
			if audience == Inside {
				s.Add("Step %d: %s.", i+1, warning)
			}
		}
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

// anonymitySection tells users whether the file is k-anonymous, blanks counted for nobody
// else, neither for which k nor how many records stand out where it is not.
func anonymitySection(current measure.Set) report.Section {
	s := report.Section{Heading: "k-anonymity"}
	kept := false
	current.Each(func(_ *measure.Entry, v *measure.Value) {
		kept = kept || v.Name == "conservative_violators" && v.Number == 0
	})
	if kept {
		s.Add("No record can be told from all others by the key variables.")
	} else {
		s.Add("The file was not made k-anonymous.")
	}
	return s
}

// suppressionSection is what a measure tells of missing cells, and what each step
// says of its own.
func (d *Document) suppressionSection(ctx context.Context, analyst *Analyst, l limit) (report.Section, error) {
	v, spec := analyst.version(d.Data, &d.Scenario), suppress.MissingCellsSpec()
	missing, err := spec.Compute(ctx, measure.Input{Original: v, Current: v}, spec.New(), nil)
	if err != nil {
		return report.Section{}, err
	}
	s := tableSection(&missing.Values.Tables[0])
	s.Table = missingTable(&missing.Values.Tables[0], l, d.Data.Records())
	for i := range d.Steps {
		if suppression := d.Steps[i].Report.Suppression; suppression != nil && l == 0 {
			line := fmt.Sprintf("Step %d: %s in %s", i+1, wording.Counted(suppression.Total, "cell"),
				wording.Counted(suppression.Touched, "record"))
			if suppression.Bound != nil {
				line += fmt.Sprintf("; price %s, no method can do with less than %s", wording.Number(suppression.Price),
					wording.Number(*suppression.Bound))
			}
			s.Add("%s.", line)
		}
	}
	return s, nil
}

// noCondition leaves out a condition that all records meet.
var noCondition = strings.NewReplacer(`"condition":{},`, "", `,"condition":{}`, "")

func (d *Document) parameterSection() report.Section {
	s := report.Section{Heading: "Parameters", Table: [][]string{{"step", "method", "parameters"}}}
	for i := range d.Steps {
		s.Table = append(s.Table, []string{strconv.Itoa(i + 1), d.Steps[i].Spec.Step,
			noCondition.Replace(string(d.Steps[i].Spec.Params))})
	}
	if len(d.Steps) == 0 {
		s.Table = nil
		s.Add("None.")
	}
	return s
}

func listed(names []string) string { return named(strings.Join(names, ", ")) }

func named(name string) string {
	if name == "" {
		return "none"
	}
	return name
}
