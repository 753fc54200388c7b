package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/glossary"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

const checkHelp = `Checks FILE for disclosure risks before it is released: direct identifiers, original
household IDs and record order, disclosive weights and outliers, records that violate
k-anonymity, guarantees that no longer hold, and values that masking left unchanged.
sdcdesk prints no value of a record and writes nothing.

--against ORIGINAL compares the values with the original file. With --script, sdcdesk also
repeats the steps on the original: it checks their guarantees and whether they produce
FILE. Without a script, the roles come from the flags or are suggested.

These findings are critical; all others are warnings:
  - direct identifiers (a possible one is a warning), original household IDs, and notes or
    documents that identify persons
  - with --against: an unprotected file, or one that the script does not reproduce
  - records that violate k-anonymity under the rule of the scenario
  - records above the risk threshold, if the global risk is above its target
  - a k-anonymity guarantee that does not hold, and l-diversity that does not reach l
  - sensitive cells of a table that can be recalculated
  - a seed that an intruder can guess

With --strict, sdcdesk exits with status 3 if a critical finding was not accepted.
Accept a finding by its name and variable:
  --accept direct-identifiers:email_use --because "yes or no" --accepted-by "A. Baker"
For a finding about the whole file, such as k-anonymity, give only the name.`

// checkFlags are the flags of "sdcdesk check".
type checkFlags struct {
	options                session.CheckOptions
	scenario               microdata.Scenario
	format                 formatFlags
	json, strict, markdown bool
	accept                 acceptFlags
	accepted               []check.Acceptance
}

// newCheckCommand returns "sdcdesk check".
func newCheckCommand(p *program) *cobra.Command {
	f := checkFlags{scenario: microdata.NewScenario()}
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Check a file for disclosure risks before release",
		Long:  checkHelp,
		Example: "  sdcdesk check safe.csv\n" +
			"  sdcdesk check safe.csv --against survey.csv --script steps.jsonl --strict\n" +
			"  sdcdesk check safe.csv --identifier-patterns office.jsonl",
		Args: takes(0, 1, "a file"),
		RunE: interruptible("", &f.format, func(ctx context.Context, cmd *cobra.Command, args []string) error {
			if f.markdown {
				return showPage(cmd, report.Markdown(), checksPage())
			}
			if len(args) == 0 {
				return badUsage("check takes a file: name the file to be released")
			}
			f.options.File = args[0]
			f.options.Run.Methods, f.options.Run.Catalog = p.methods, p.measures
			return f.run(ctx, cmd)
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&f.options.Original, "against", "", "original file")
	flags.StringVar(&f.options.Script, "script", "", "script or session that produced FILE; needs --against")
	flags.StringSliceVar(&f.scenario.Keys, "keys", nil, "key variables (default: the suggested ones)")
	flags.StringVar(&f.scenario.Weight, "weight", "", "weight variable")
	flags.StringVar(&f.scenario.Household, "household", "", "variable with the household IDs")
	addPatterns(flags, &f.options.Run.Patterns)
	addJSON(cmd, &f.json)
	flags.BoolVar(&f.markdown, "markdown", false, markdownHelp)
	addStrict(flags, &f.strict)
	f.accept.add(flags)
	f.format.add(cmd)
	return cmd
}

func addStrict(flags *pflag.FlagSet, strict *bool) {
	flags.BoolVar(strict, "strict", false, "exit with status 3 if a critical finding was not accepted")
}

func (f *checkFlags) run(ctx context.Context, cmd *cobra.Command) (err error) {
	if f.options.Script != "" && f.options.Original == "" {
		return badUsage("--script needs the original file: add --against ORIGINAL")
	}
	if f.accepted, err = f.accept.acceptances(); err != nil {
		return err
	}
	if given := cmd.Flags().Changed; given("keys") || given("weight") || given("household") {
		f.options.Scenario = &f.scenario
	}
	f.options.Run.File = f.options.File
	if err := f.format.forScript(ctx, cmd, &f.options.Run, &f.options.File, &f.options.Original); err != nil {
		return err
	}
	found, err := session.CheckFile(ctx, f.options)
	if errors.Is(err, microdata.ErrScenario) {
		return usageError{err}
	}
	if err == nil {
		err = show(cmd, f.json, f.object(found), findingsText(found))
	}
	if err != nil {
		return err
	}
	warn(cmd, session.Unneeded(found, f.accepted)...)
	if f.strict {
		return session.Refused("release", found, f.accepted)
	}
	return nil
}

// findingsText returns findings as text.
func findingsText(found []check.Finding) string {
	var text strings.Builder
	critical := 0
	for i := range found {
		f := &found[i]
		mark := ""
		if f.Critical {
			mark, critical = " (critical)", critical+1
		}
		if i == 0 || found[i-1].Name != f.Name {
			fmt.Fprintf(&text, "%s%s: %s\n", f.Name, mark, f.Title)
		}
		lines := []string{f.Text}
		if len(f.Fixes) > 0 {
			lines = append(lines, "Fix: "+wording.Joined(f.Fixes, "; or ", func(m check.Fix) string { return m.Title }))
		}
		if last := i == len(found)-1 || found[i+1].Name != f.Name; last {
			lines = append(lines, f.Why+" ["+f.Cite+"]", "")
		}
		for _, line := range lines {
			wrapped := ansi.Wordwrap(draw.Safe(line), helpWidth-2, "")
			text.WriteString(strings.TrimRight("  "+strings.ReplaceAll(wrapped, "\n", "\n  "), " ") + "\n")
		}
	}
	if len(found) == 0 {
		return "No findings.\n"
	}
	fmt.Fprintf(&text, "%s, %d of them critical.\n", wording.Counted(len(found), "finding"), critical)
	return text.String()
}

// checkObject is the result of a check in JSON.
type checkObject struct {
	File     string          `json:"file"`
	Refused  bool            `json:"refused"` // a critical finding is not accepted
	Findings []findingObject `json:"findings"`
}

type findingObject struct {
	Name      string      `json:"finding"`
	Title     string      `json:"title"`
	Critical  bool        `json:"critical"`
	Text      string      `json:"text"`
	Why       string      `json:"why"`
	Source    string      `json:"source"`
	Variables []string    `json:"variables"`
	Count     int         `json:"count"`
	Of        int         `json:"of"`
	Fixes     []fixObject `json:"fixes"`

	Accepted []check.Acceptance `json:"accepted,omitempty"`
}

type fixObject struct {
	Title          string   `json:"title"`
	Step           string   `json:"step,omitempty"`
	Params         any      `json:"params,omitempty"`
	Replace        int      `json:"replace,omitempty"` // number of the step that is replaced, from 1
	Remove         []string `json:"remove,omitempty"`
	NewIdentifiers []string `json:"new_identifiers,omitempty"`
	RandomOrder    bool     `json:"random_order,omitempty"`
	Redraw         []int    `json:"redraw,omitempty"` // numbers of steps, from 1
	DropNotes      bool     `json:"drop_notes,omitempty"`
}

func (f *checkFlags) object(found []check.Finding) *checkObject {
	object := &checkObject{File: filepath.Base(f.options.File), Refused: len(check.Refusing(found, f.accepted)) > 0,
		Findings: []findingObject{}}
	for i := range found {
		one := &found[i]
		fixes := []fixObject{}
		for _, m := range one.Fixes {
			fix := fixObject{m.Title, m.Step, nil, m.Replace, m.Remove, m.NewIdentifiers, m.RandomOrder, nil, m.DropNotes}
			for _, step := range m.Redraw {
				fix.Redraw = append(fix.Redraw, step+1)
			}
			if m.Method != nil {
				if params, err := method.Encode(m.Method); err == nil {
					fix.Params = params
				}
			}
			fixes = append(fixes, fix)
		}
		object.Findings = append(object.Findings, findingObject{one.Name, one.Title, one.Critical, one.Text, one.Why, one.Cite,
			append([]string{}, one.Variables...), one.Count, one.Of, fixes, one.Acceptances(f.accepted)})
	}
	return object
}

// checksPage returns the manual page of the pre-release checks.
func checksPage() *report.Page {
	page := &report.Page{Title: "Checks"}
	for _, spec := range check.Specs() {
		section := report.Section{Heading: spec.Title + " (" + spec.Name + ")", Lines: strings.Split(spec.Help, "\n"), Entry: true}
		if spec.Critical {
			section.Heading = spec.Title + " (" + spec.Name + ", critical)"
		}
		section.Lines = append(section.Lines, spec.Why)
		section.Add("Fix: %s", spec.Fix)
		section.Add("Source: %s", glossary.Cited(spec.Cite))
		page.Sections = append(page.Sections, section)
	}
	return page
}
