package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/session/bundle"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

const releaseHelp = `Carries out the steps of SCRIPT on the survey file FILE, checks what would be
released, and writes a bundle: a folder with two parts. "inside" stays: the script
with its seeds, the report for those who protect the file, and the check with who
accepted what. "outside" goes out: the protected file, its codebook where there are
labels or missing codes, the report for users, and SHA256SUMS. The folder appears when
all is written, and the protected file gets its name last: that is the release.

Random order and new identifiers are drawn as last steps of the script.
A critical finding that is not accepted gives exit status 3, and nothing is written.
Findings are accepted by name and variable, with a reason and a name, which stay in the
bundle and stand on the page that "sdcdesk verify" prints.

"sdcdesk verify FOLDER FILE" repeats a release and compares it. A bundle that is there is
replaced with --force; a folder that is not a bundle never is.`

// newReleaseCommand returns "sdcdesk release": a protected file with what proves it.
func newReleaseCommand(p *program) *cobra.Command {
	run, o := session.RunOptions{Methods: p.methods}, bundle.Options{}
	var format formatFlags
	var accept acceptFlags
	cmd := &cobra.Command{
		Use:   "release SCRIPT FILE -o FOLDER",
		Short: "Check and release a protected file as a bundle that can be verified",
		Long:  releaseHelp,
		Example: "  sdcdesk release steps.jsonl survey.csv -o release --random-order --new-identifiers hid\n" +
			"  sdcdesk release steps.jsonl survey.csv -o release \\\n" +
			"    --accept household-ids:hid --because \"random in the source\" --accepted-by \"A. Baker\"",
		Args: takes(2, 2, "a script and a file"),
		RunE: interruptible(nothingWritten, &format, func(ctx context.Context, cmd *cobra.Command, args []string) (err error) {
			if o.Folder == "" {
				return badUsage("the bundle has no name: say -o FOLDER")
			}
			if o.Accept, err = accept.acceptances(); err != nil {
				return err
			}
			run.Script, run.File = args[0], args[1]
			if err := format.forScript(ctx, cmd, &run); err != nil {
				return err
			}
			document, err := session.Perform(ctx, run)
			if err != nil {
				return err
			}
			written, err := bundle.Write(ctx, document, o, session.NewAnalyst().With(p.measures).Recognising(run.Patterns), nil)
			if err != nil {
				return err
			}
			warn(cmd, session.Unneeded(written.Findings, o.Accept)...)
			sayReleased(cmd, written)
			return nil
		}),
	}
	format.add(cmd)
	accept.add(cmd.Flags())
	addPatterns(cmd.Flags(), &run.Patterns)
	cmd.Flags().BoolVar(&run.OtherData, "other-data", false,
		"do the steps of a session's journal on other data than those of the session")
	addBundleOptions(cmd, &o)
	return cmd
}

// addBundleOptions adds the flags that say what is released, and how.
func addBundleOptions(cmd *cobra.Command, o *bundle.Options) {
	flags := cmd.Flags()
	flags.StringVarP(&o.Folder, "output", "o", "", "the folder to write (required)")
	flags.StringVar(&o.Name, "name", "", "name of the protected file in the bundle (default: FILE-protected)")
	flags.BoolVar(&o.RandomOrder, "random-order", false, "write the records in random order, households together")
	flags.StringSliceVar(&o.NewIdentifiers, "new-identifiers", nil,
		"variables whose values become random numbers, equal ones the same")
	addReporting(flags, &o.Responsible, &o.Contact)
	addKeepNotes(flags, &o.KeepNotes)
	flags.StringVar(&o.Codebook, "write-codebook", "", "kind of the codebook: csv or xml (default: csv where there is something to say)")
	flags.BoolVar(&o.Force, "force", false, "replace a bundle that exists")
	flags.BoolVar(&o.GuardFormulas, "guard-formulas", true,
		"put an apostrophe before text that a spreadsheet would take for a formula")
	completes(cmd, "write-codebook", "csv", "xml")
}

// sayReleased says what was found and written.
func sayReleased(cmd *cobra.Command, written *bundle.Written) {
	for i := range written.Findings {
		written.Warnings = append(written.Warnings, written.Findings[i].String())
	}
	warn(cmd, written.Warnings...)
	fmt.Fprintf(cmd.OutOrStdout(), "%s released in %s\nSHA-256 of the bundle: %s\n",
		wording.Counted(written.Report.Records, "record"), draw.Safe(written.Safe), written.Hash)
}
