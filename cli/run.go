package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/session"
)

const runHelp = `Carries out the steps of SCRIPT on the survey file FILE and writes the file OUT,
which is protected as far as the steps protect it. A script is written by "Export steps as a script" or by hand, one JSON
object a line:

  {"format":"sdcdesk-script","version":1}
  {"scenario":{"keys":["region","sex","age"],"weight":"weight","remove":["pid"]}}
  {"step":"recode-intervals","params":{"variable":"age","breaks":[-1,4,14,24,34,44,54,64,99]}}
  {"step":"suppress-kanonymity","params":{"k":3}}

Fields and parameters left out take their defaults; a step that draws at random has
"seed" beside its "params" where it is to give the same again. Without "file" beside
the scenario the format of FILE is guessed; flags change either. The journal of a
session is a script too, for the data of that session; with --other-data for any.
"sdcdesk methods" lists the steps, "sdcdesk measures" what --measures can ask for:
  sdcdesk run SCRIPT FILE -o OUT --summary S.json --measures risk,household
FILE and OUT can be tables: "sdcdesk run SCRIPT 'postgres://host/db?table=person' -o OUT".
Before the file is written it is checked, and what it would give away is told. With
--strict a critical finding that is not accepted stops the run: see "sdcdesk check
--help". The exit status is 0 only if all went well, 2 for bad usage, 3 for a
release that is refused so, else 1; then nothing was written.`

// newRunCommand returns "sdcdesk run": a script without a terminal.
func newRunCommand(p *program) *cobra.Command {
	o := session.RunOptions{Methods: p.methods, Catalog: p.measures}
	var format formatFlags
	var accept acceptFlags
	cmd := &cobra.Command{
		Use:   "run SCRIPT FILE -o OUT",
		Short: "Carry out a script on a file, without a terminal",
		Long:  runHelp,
		Args:  takes(2, 2, "a script and a file"),
		RunE: interruptible(nothingWritten, &format, func(ctx context.Context, cmd *cobra.Command, args []string) (err error) {
			if o.Out == "" {
				return badUsage("the output has no name: say -o OUT")
			}
			o.Script, o.File, o.Reporting.Date = args[0], args[1], time.Now()
			if o.Accept, err = accept.acceptances(); err != nil {
				return err
			}
			if err := format.forScript(ctx, cmd, &o, &o.Out); err != nil {
				return err
			}
			return underway(cmd, "running", func(meter *progress.Meter) error {
				o.Meter = meter
				return session.Run(ctx, o)
			})
		}),
	}
	format.add(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&o.Out, "output", "o", "", "the file to write (required)")
	flags.StringVar(&o.Summary, "summary", "", "write figures before and after as JSON to this file")
	flags.StringVar(&o.Records, "records", "", "write frequencies and risks of every record as CSV to this file")
	flags.StringSliceVar(&o.Measures, "measures", nil,
		"put these measures into the summary, and their figures of every record into the records")
	flags.StringVar(&o.MeasureParams, "measure-params", "",
		"parameters of the measures: a JSON file with an object per measure")
	flags.StringVar(&o.Codebook, "write-codebook", "", writeCodebookHelp)
	flags.StringVar(&o.Report, "report", "",
		"write a report for those who protect the file, with risks, parameters and the measures that are asked for")
	flags.StringVar(&o.ReportUsers, "report-users", "",
		"write a report for those who get the file, without parameters and small counts (.html, .md, .json, else plain text)")
	addReporting(flags, &o.Reporting.Responsible, &o.Reporting.Contact)
	addStrict(flags, &o.Strict)
	accept.add(flags)
	addPatterns(flags, &o.Patterns)
	addKeepNotes(flags, &o.KeepNotes)
	flags.BoolVar(&o.Force, "force", false, "replace files that exist")
	flags.BoolVar(&o.OtherData, "other-data", false,
		"do the steps of a session's journal on other data than those of the session")
	flags.BoolVar(&o.GuardFormulas, "guard-formulas", true,
		"put an apostrophe before text that a spreadsheet would take for a formula")
	return cmd
}

// addReporting adds the flags for names in the reports.
func addReporting(flags *pflag.FlagSet, responsible, contact *string) {
	flags.StringVar(responsible, "responsible", "", "who is responsible for the release, for the internal report")
	flags.StringVar(contact, "contact", "", "whom users can ask, for the user report")
}
