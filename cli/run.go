package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/session"
)

const runHelp = `Runs the steps of SCRIPT on the survey file FILE and writes the result to OUT. Write a
script by hand, or press e in the workbench and choose the script. Each line is a JSON object:

  {"format":"sdcdesk-script","version":1}
  {"scenario":{"keys":["region","sex","age"],"weight":"weight","remove":["pid"]}}
  {"step":"recode-intervals","params":{"variable":"age","breaks":[-1,4,14,24,34,44,54,64,99]}}
  {"step":"suppress-kanonymity","params":{"k":3}}

Omitted fields and parameters take their defaults. A random step needs a "seed" next to its
"params" to give the same result again; a seed below 2^32 is a critical finding. If the
scenario has no "file", the format of FILE is guessed; flags override both. A session file is
a script for the data of that session; use --other-data for other data. "sdcdesk methods"
lists the methods that a step can apply, and "sdcdesk measures" the measures. FILE and OUT can
be database tables.

sdcdesk checks the result before it writes it, and prints the findings. With --strict, a
critical finding that was not accepted ends the run; see "sdcdesk check --help". The exit
status is 0 for success, 2 for a usage error, 3 for a critical finding that was not
accepted, and 1 for any other error. Nothing is written unless the exit status is 0.`

// newRunCommand returns "sdcdesk run", which runs a script without a terminal.
func newRunCommand(p *program) *cobra.Command {
	o := session.RunOptions{Methods: p.methods, Catalog: p.measures}
	var format formatFlags
	var accept acceptFlags
	cmd := &cobra.Command{
		Use:   "run SCRIPT FILE -o OUT",
		Short: "Run a script on a file",
		Long:  runHelp,
		Example: "  sdcdesk run steps.jsonl survey.csv -o safe.csv --strict\n" +
			"  sdcdesk run steps.jsonl survey.csv -o safe.csv --summary figures.json --measures risk,household\n" +
			"  sdcdesk run steps.jsonl 'postgres://host/db?table=person' -o safe.parquet",
		Args: takes(2, 2, "a script and a file"),
		RunE: interruptible(nothingWritten, &format, func(ctx context.Context, cmd *cobra.Command, args []string) (err error) {
			if o.Out == "" {
				return badUsage("name the output: -o OUT")
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
	flags.StringVarP(&o.Out, "output", "o", "", "file to write (required)")
	flags.StringVar(&o.Summary, "summary", "", "write the figures before and after as JSON to this file")
	flags.StringVar(&o.Records, "records", "", "write the frequencies and risks of every record as CSV to this file")
	flags.StringSliceVar(&o.Measures, "measures", nil,
		"measures for --summary; --records also gets their record-level figures")
	flags.StringVar(&o.MeasureParams, "measure-params", "",
		"JSON file with the parameters of the measures: one object for each measure")
	flags.StringVar(&o.Codebook, "write-codebook", "", writeCodebookHelp)
	flags.StringVar(&o.Report, "report", "",
		"write the internal report, with risks, parameters and measures, to this file (.html, .md, .json, otherwise plain text)")
	flags.StringVar(&o.ReportUsers, "report-users", "",
		"write the user report, with methods and changed variables but without parameters (except recoded categories and PRAM matrices), seeds, risks and small counts, to this file (.html, .md, .json, otherwise plain text)")
	addReporting(flags, &o.Reporting.Responsible, &o.Reporting.Contact)
	addStrict(flags, &o.Strict)
	accept.add(flags)
	addPatterns(flags, &o.Patterns)
	addKeepNotes(flags, &o.KeepNotes)
	flags.BoolVar(&o.Force, "force", false, "replace existing files")
	flags.BoolVar(&o.OtherData, "other-data", false,
		"apply the steps of a session to data other than its own")
	addGuardFormulas(flags, &o.GuardFormulas)
	return cmd
}

// addGuardFormulas adds the flag to guard a written file against formulas.
func addGuardFormulas(flags *pflag.FlagSet, guard *bool) {
	flags.BoolVar(guard, "guard-formulas", true, "put an apostrophe before text that a spreadsheet would interpret as a formula")
}

// addReporting adds the flags for names in the reports.
func addReporting(flags *pflag.FlagSet, responsible, contact *string) {
	flags.StringVar(responsible, "responsible", "", "person responsible for the release, for the internal report")
	flags.StringVar(contact, "contact", "", "contact for users, for the user report")
}
