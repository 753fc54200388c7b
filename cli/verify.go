package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/session/bundle"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

const verifyHelp = `Verifies the bundle that "sdcdesk release" wrote: that no file of it was changed, is
missing or was added; that the steps of its script, done again on ORIGINAL, give the
protected file, the codebook, both reports and the findings byte for byte; and that the
violators of k-anonymity and the cells without a value, counted in the protected file
alone by a separate plain counter, are those that the bundle says.

It prints one page, with the hash of the bundle, for a second person to sign. The exit
status is 0 only if all holds. A bundle of another version of the program is refused
by name.`

// newVerifyCommand returns "sdcdesk verify": a release, repeated and compared.
func newVerifyCommand(p *program) *cobra.Command {
	o := bundle.VerifyOptions{}
	var format formatFlags
	asJSON := false
	cmd := &cobra.Command{
		Use:     "verify BUNDLE ORIGINAL",
		Short:   "Repeat the release of a bundle and compare every byte of it",
		Long:    verifyHelp,
		Example: "  sdcdesk verify release survey.csv",
		Args:    takes(2, 2, "a bundle and the original file"),
		RunE: interruptible("", func(ctx context.Context, cmd *cobra.Command, args []string) (err error) {
			o.Folder, o.Original = args[0], args[1]
			if err := held("a release, which is verified record by record", o.Original); err != nil {
				return err
			}
			if o.Reading, err = format.override(cmd); err != nil {
				return err
			}
			verdict, err := bundle.Verify(ctx, o, session.NewAnalyst().With(p.measures))
			if err != nil {
				return otherVersion(err)
			}
			if asJSON {
				err = printAsJSON(cmd.OutOrStdout(), verdict)
			} else {
				for _, line := range verdict.Page() {
					fmt.Fprintln(cmd.OutOrStdout(), draw.Safe(line))
				}
			}
			if err == nil && !verdict.Holds() {
				err = fmt.Errorf("%s does not hold", o.Folder)
			}
			return err
		}),
	}
	format.add(cmd)
	cmd.Flags().BoolVar(&o.OtherVersion, "other-version", false,
		"try it though another version of the program made the bundle")
	addJSON(cmd, &asJSON)
	return cmd
}

// otherVersion says how a bundle of another version can be tried.
func otherVersion(err error) error {
	if errors.Is(err, bundle.ErrVersion) {
		return fmt.Errorf("%w; --other-version tries it all the same", err)
	}
	return err
}
