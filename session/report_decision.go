package session

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/database"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// protectedName returns the name of the protected file, or of the table of an address.
func (o *ReportOptions) protectedName() string {
	switch {
	case o.Protected == "":
		return "the file"
	case database.Is(o.Protected):
		if address, err := database.ParseTarget(o.Protected); err == nil {
			return "table " + address.Name()
		}
		return "the table"
	}
	return filepath.Base(o.Protected)
}

// date returns the date of the report, or "".
func (o *ReportOptions) date() string {
	if o.Date.IsZero() {
		return ""
	}
	return o.Date.Format(time.DateOnly)
}

func (o *ReportOptions) program() string { return "sdcdesk " + cmp.Or(o.Program, ProgramVersion()) }

// decision adds whether the file can be released, and which file that is.
func (r *reportBuilder) decision(context.Context) error {
	s := newFacts()
	s.Add("%s", r.options.verdict())
	if r.options.Protected != "" {
		s.say("File", r.options.protectedName())
	}
	s.say("SHA-256 of the file", r.options.Hash)
	s.say("Original", r.readAs())
	s.say("SHA-256 of the original", r.Hash)
	s.say("Date", r.options.date())
	s.say("Person responsible", cmp.Or(r.options.Responsible, "not named"))
	records, source := r.Data.Records(), r.Base.Records()
	s.say("Records", wording.Number(records))
	if source != records {
		s.say("Records of the original", wording.Number(source)+
			"; the original figures refer to the records that are kept")
	}
	s.say("Variables", strconv.Itoa(len(r.released().Columns())))
	if removed := r.dropped(); len(removed) > 0 {
		s.say("Removed variables", listed(wording.FirstFew(removed, mostRemoved)))
	}
	s.say("Key variables", listed(r.Scenario.Keys))
	s.say("Weight", named(r.Scenario.Weight))
	s.say("Household ID", named(r.Scenario.Household))
	s.say("Rule for missing values", fmt.Sprintf("%s, alpha %v", r.Scenario.Rule, r.Scenario.Alpha))
	s.say("Program", r.options.program())
	r.add(s.Section)
	return nil
}

// mostRemoved is the number of removed variables that the first page lists.
const mostRemoved = 12

// removals lists the removed variables if they are too many for the first page.
func (r *reportBuilder) removals(context.Context) error {
	if removed := r.dropped(); len(removed) > mostRemoved {
		r.add(report.Section{Heading: "Removed variables", Lines: []string{listed(removed) + "."}})
	}
	return nil
}

// verdict returns the conclusion from the findings in a line.
func (o *ReportOptions) verdict() string {
	critical, warnings := 0, 0
	for i := range o.Findings {
		if o.Findings[i].Critical {
			critical++
		} else {
			warnings++
		}
	}
	open := len(check.Refusing(o.Findings, o.Accepted))
	and := " and " + wording.Counted(warnings, "warning") + "."
	switch {
	case o.Findings == nil:
		return "Not checked: the pre-release checks did not run."
	case open > 0:
		rejected := "not accepted"
		if open < critical {
			rejected = wording.Number(open) + " not accepted"
		}
		return fmt.Sprintf("Not ready for release: %s (%s)%s", wording.Counted(critical, "critical finding"), rejected, and)
	case critical > 0:
		return fmt.Sprintf("Ready for release: %s (accepted)%s", wording.Counted(critical, "critical finding"), and)
	}
	return "Ready for release: no critical finding" + and
}

// readAs returns where the data come from and, if there are options, how they were read.
func (d *Document) readAs() string {
	path := d.Source.Identity().Path
	if InDatabase(d.Source) {
		return path
	}
	return fmt.Sprintf("%s (%s)", path, d.Source.Format())
}

// violatorsUnder returns the name of the figure of k-anonymity that counts violators under a rule.
func violatorsUnder(rule microdata.Rule) string {
	switch rule {
	case microdata.RuleConservative:
		return "conservative_violators"
	case microdata.RuleOwnCategory:
		return "own_category_violators"
	}
	return "violators"
}

// promise collects the guarantees of the steps, and that of the scenario as step 0, and makes the figures of the
// report count the violators for each of their k.
func (r *reportBuilder) promise() (err error) {
	if len(r.Scenario.Keys) == 0 || r.options.Audience == Users {
		return nil
	}
	if r.promised, err = r.Guarantees(ExportOptions{Path: r.options.Protected}, r.analyst); err != nil {
		return err
	}
	if len(r.Scenario.K) > 0 {
		least := check.Guarantee{K: slices.Min(r.Scenario.K), Rule: r.Scenario.Rule}
		if !slices.ContainsFunc(r.promised, func(g check.Guarantee) bool { return g.K >= least.K && g.Rule == least.Rule }) {
			r.promised = append(r.promised, least)
		}
	}
	r.Scenario = r.Scenario.Clone()
	for _, g := range r.promised {
		r.Scenario.K = append(r.Scenario.K, g.K)
	}
	slices.Sort(r.Scenario.K)
	r.Scenario.K = slices.Compact(r.Scenario.K)
	return nil
}

// guarantees compares the guarantees with the measured values.
func (r *reportBuilder) guarantees(ctx context.Context) error {
	s := report.NewTable("Guarantees", "guarantee", "target", "original", "now", "holds")
	original, current, err := r.analyst.both(ctx, r.Document, measure.Report)
	if err != nil {
		return err
	}
	row := func(title, target string, now, was *measure.Value, spell func(*measure.Value) string, most float64) {
		cells := []string{title, target, "not available", "not available", "not available"}
		if was != nil && !math.IsNaN(was.Number) {
			cells[2] = spell(was)
		}
		if now != nil && !math.IsNaN(now.Number) {
			cells[3], cells[4] = spell(now), "no"
			if now.Number <= most {
				cells[4] = "yes"
			}
		}
		s.Row(cells...)
	}
	for _, g := range r.promised {
		by, figure := "scenario", violatorsUnder(g.Rule)
		if g.Step > 0 {
			by = fmt.Sprintf("step %d", g.Step)
		}
		row(fmt.Sprintf("k-anonymity, k = %d, rule %s (%s)", g.K, g.Rule, by), fmt.Sprintf("0 records below %d", g.K),
			current.Value("kanonymity", figure, g.K), original.Value("kanonymity", figure, g.K), part, 0)
	}
	if slices.ContainsFunc(r.options.Findings, func(f check.Finding) bool { return f.Critical && f.Name == "k-anonymity" }) {
		for _, cells := range s.Table[1:] {
			cells[4] = "no, see the critical finding" // later steps or inferred cells undo the guarantee
		}
	}
	if len(r.Scenario.Keys) > 0 {
		target := r.Scenario.GlobalRiskTarget()
		row("global risk (scenario)", "at most "+wording.Limit(target), current.Value("risk", "global_risk", 0),
			original.Value("risk", "global_risk", 0), exactly, target)
	}
	r.addTable(s, "None: there are no key variables.")
	return nil
}
