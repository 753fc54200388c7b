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

const releaseHelp = `Runs the steps of SCRIPT on the survey file FILE, checks the result, and writes a release:
a folder with two parts. "internal" is confidential: the script with its seeds, the internal
report, the findings and who accepted them. "users" is for publication: the
protected file, its codebook if it has labels or missing-value codes, the user report, and
SHA256SUMS. If the release fails, no folder is left.

Random order and random IDs become the last steps of the script. If a critical
finding was not accepted, sdcdesk exits with status 3 and writes nothing. Accept a
finding by its name and variable, with a reason and your name; the release keeps both, and
"sdcdesk verify" prints them.

"sdcdesk verify FOLDER FILE" repeats the release and compares the result. --force replaces
an existing release, but never another folder.`

// newReleaseCommand returns "sdcdesk release", which writes a protected file that can be verified.
func newReleaseCommand(p *program) *cobra.Command {
	run, o := session.RunOptions{Methods: p.methods}, bundle.Options{}
	var format formatFlags
	var accept acceptFlags
	cmd := &cobra.Command{
		Use:   "release SCRIPT FILE -o FOLDER",
		Short: "Run a script, check the result and write a release that others can verify",
		Long:  releaseHelp,
		Example: "  sdcdesk release steps.jsonl survey.csv -o release --random-order --random-ids hid\n" +
			"  sdcdesk release steps.jsonl survey.csv -o release \\\n" +
			"    --accept household-ids:hid --because \"random in the original\" --accepted-by \"A. Baker\"",
		Args: takes(2, 2, "a script and a file"),
		RunE: interruptible(nothingWritten, &format, func(ctx context.Context, cmd *cobra.Command, args []string) (err error) {
			if o.Folder == "" {
				return badUsage("name the release: -o FOLDER")
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
		"apply the steps of a session to data other than its own")
	addBundleOptions(cmd, &o)
	return cmd
}

// addBundleOptions adds the options of a release.
func addBundleOptions(cmd *cobra.Command, o *bundle.Options) {
	flags := cmd.Flags()
	flags.StringVarP(&o.Folder, "output", "o", "", "folder to write (required)")
	flags.StringVar(&o.Name, "name", "", "name of the protected file (default: FILE-protected)")
	flags.BoolVar(&o.RandomOrder, "random-order", false, "write the records in random order, households together")
	flags.StringSliceVar(&o.NewIdentifiers, "random-ids", nil,
		"variables whose values are replaced with random IDs; equal values get the same ID")
	addReporting(flags, &o.Responsible, &o.Contact)
	addKeepNotes(flags, &o.KeepNotes)
	flags.StringSliceVar(&o.NewIdentifiers, "new-identifiers", nil, "")
	_ = flags.MarkHidden("new-identifiers") // its former name
	flags.StringVar(&o.Codebook, "write-codebook", "", "format of the codebook: csv or xml (default: csv if there are labels or missing-value codes)")
	flags.BoolVar(&o.Force, "force", false, "replace an existing release")
	addGuardFormulas(flags, &o.GuardFormulas)
	completes(cmd, "write-codebook", "csv", "xml")
}

// sayReleased prints what was found and written.
func sayReleased(cmd *cobra.Command, written *bundle.ReleaseResult) {
	for i := range written.Findings {
		written.Warnings = append(written.Warnings, written.Findings[i].String())
	}
	warn(cmd, written.Warnings...)
	fmt.Fprintf(cmd.OutOrStdout(), "%s released in %s\nSHA-256 of the release: %s\n",
		wording.Counted(written.Report.Records, "record"), draw.Safe(written.Safe), written.Hash)
}
