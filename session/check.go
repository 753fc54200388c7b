package session

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// ErrCritical is wrapped by the error of an output refused because of critical findings.
var ErrCritical = errors.New("refused")

// Refused returns an error that wraps ErrCritical if some critical findings are not accepted. It names the refused
// output, the findings, and what has to be accepted.
func Refused(output string, found []check.Finding, accepted []check.Acceptance) error {
	refusing := check.Refusing(found, accepted)
	if len(refusing) == 0 {
		return nil
	}
	var names []string
	for i := range refusing {
		names = append(names, refusing[i].Name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	them := "them"
	if len(refusing) == 1 {
		them = "it"
	}
	return fmt.Errorf("%s %w: %s (%s). Fix %s, or pass --accept %s with --because REASON and --accepted-by NAME",
		output, ErrCritical, wording.Counted(len(refusing), "critical finding"), strings.Join(names, ", "),
		them, flagOf(check.Missing(refusing, accepted)))
}

// Unneeded returns a warning for each acceptance that no finding needs.
func Unneeded(found []check.Finding, accepted []check.Acceptance) (warnings []string) {
	for _, subject := range check.Unneeded(found, accepted) {
		warnings = append(warnings, subject+" is accepted, but there is no such critical finding")
	}
	return warnings
}

// flagOf formats a list as the value of a flag: separated by commas like a line of CSV, and quoted for the shell
// if necessary.
func flagOf(texts []string) string {
	var line strings.Builder
	w := csv.NewWriter(&line)
	_ = w.Write(texts) // a strings.Builder never fails
	w.Flush()
	text := strings.TrimSuffix(line.String(), "\n")
	if strings.ContainsAny(text, " \t\"'`()[]{};&|<>$*?!#~\\") {
		text = "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	return text
}

// Check returns the findings in the protected file that Export would write with the options, before any of it is
// written.
func (d Document) Check(ctx context.Context, o ExportOptions, analyst *Analyst, meter *progress.Meter) ([]check.Finding,
	error) {
	in, err := d.tabled(ctx, o, analyst)
	if err != nil {
		return nil, err
	}
	return check.Findings(ctx, in, meter)
}

// startCheck starts Check in the background. wait, which must be called, returns its result.
func (d *Document) startCheck(ctx context.Context, o ExportOptions, analyst *Analyst) (wait func() ([]check.Finding, error)) {
	in, err := d.tabled(ctx, o, analyst)
	if err != nil {
		return func() ([]check.Finding, error) { return nil, err }
	}
	return check.Start(ctx, in)
}

// tabled is checked with the tables of the document.
func (d *Document) tabled(ctx context.Context, o ExportOptions, analyst *Analyst) (in check.Input, err error) {
	if in, err = d.checked(o, analyst); err == nil {
		in.Tables, err = d.Tables(ctx, analyst)
	}
	return in, err
}

// checked returns the input of the checks for what Export would write.
func (d *Document) checked(o ExportOptions, analyst *Analyst) (in check.Input, err error) {
	fresh := o
	fresh.RandomOrder = false // so that each record is compared with its original
	data, err := d.randomOrder(fresh)
	if err != nil {
		return in, err
	}
	data = data.Without(d.dropped())
	in = check.Input{Released: analyst.version(data, Fitted(&d.Scenario, data)),
		Original: analyst.version(d.original(), &d.Scenario), SourceOrder: !o.RandomOrder && inSourceOrder(data),
		Replaced: append(d.Replaced(), o.NewIdentifiers...), File: o.Path, Asked: d.asked(analyst),
		Untouched: !d.Protected(), Patterns: analyst.patterns, Unfixed: o.Unfixed}
	if o.KeepNotes {
		in.Notes = d.Notes(o.Path)
	}
	for i := range d.Steps {
		step := &d.Steps[i]
		in.Steps = append(in.Steps, check.Step{Name: step.Spec.Step, Method: step.method, Report: step.Report,
			Scenario: step.scenario, Draws: step.entry.Random(step.method), Seed: step.Spec.Seed})
	}
	return in, nil
}

// asked returns the active measures, without those that cannot be decoded.
func (d *Document) asked(analyst *Analyst) (asked []measure.Measure) {
	for _, open := range d.Measures {
		if spec, ok := analyst.measures.Find(open.Name); ok {
			if m, err := DecodeMeasure(spec, open.Params); err == nil {
				asked = append(asked, m)
			}
		}
	}
	return asked
}

// Replaced returns the variables whose values a step replaced by random IDs.
func (d *Document) Replaced() []string {
	var replaced []string
	for i := range d.Steps {
		switch m := d.Steps[i].method.(type) {
		case *prepare.NewIdentifiers:
			replaced = append(replaced, m.Variables...)
		case *prepare.Reset:
			replaced = slices.DeleteFunc(replaced, func(name string) bool { return name == m.Variable })
		}
	}
	return replaced
}

// inSourceOrder reports whether the records are in their original order, even if some are left out.
func inSourceOrder(data *microdata.Dataset) bool {
	for row := 1; data.Moved() && row < data.Len(); row++ {
		if data.SourceRecord(row) < data.SourceRecord(row-1) {
			return false
		}
	}
	return true
}
