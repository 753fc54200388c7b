package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/session"
)

const scriptHelp = `Prints the applied steps of SESSION, a session file or a script, as a script for "sdcdesk run".

With --r, prints an R script for the package sdcMicro instead. It reads the same file, creates
the sdcMicro object, and calls the equivalent function for each step. A comment "# sdcdesk:"
marks each step without an equivalent and each result that can differ.

FILE is the data; by default, the file of the session. The script contains no seeds, so
random steps draw different values.`

// newScriptCommand returns "sdcdesk script", which prints the steps of a session as a script of this program or of
// R.
func newScriptCommand(p *program) *cobra.Command {
	o, inR := session.RunOptions{Methods: p.methods}, false
	var format formatFlags
	cmd := &cobra.Command{
		Use:     "script SESSION [FILE]",
		Short:   "Print the steps of a session as a script, also for R",
		Long:    scriptHelp,
		Example: "  sdcdesk script session.jsonl > steps.jsonl\n  sdcdesk script --r session.jsonl > steps.R\n  sdcdesk script --r steps.jsonl survey.csv > steps.R",
		Args:    takes(1, 2, "a session, and a file"),
		RunE: interruptible("", &format, func(ctx context.Context, cmd *cobra.Command, args []string) error {
			if o.Script = args[0]; len(args) > 1 {
				o.File = args[1]
			}
			if err := format.forScript(ctx, cmd, &o); err != nil {
				return err
			}
			var document session.Document
			err := underway(cmd, "replaying", func(meter *progress.Meter) (err error) {
				o.Meter = meter
				document, err = session.Perform(ctx, o)
				return err
			})
			if err != nil {
				return err
			}
			if inR {
				return document.WriteRScript(cmd.OutOrStdout())
			}
			return document.WriteScript(cmd.OutOrStdout(), false)
		}),
	}
	format.add(cmd)
	cmd.Flags().BoolVar(&inR, "r", false, "print an R script for sdcMicro")
	cmd.Flags().BoolVar(&o.OtherData, "other-data", false, "apply the steps of a session to data other than its own")
	return cmd
}
