package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/session/bundle"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

const verifyHelp = `Verifies a release that "sdcdesk release" wrote. sdcdesk refuses the release if a file has
been changed, removed or added, is a link, or can be read by other users. It repeats the
steps of the script on ORIGINAL and compares the protected file, the codebook, both reports
and the findings byte by byte. It derives the key variables, the figures and the critical
findings from the script and the original, and compares the manifest with them. Independent
code counts the violators and missing cells from the protected file alone.

sdcdesk prints the page that a second person signs: the file and its hash, the date, the
key variables, the guaranteed and the measured k and risk, who accepted which critical
finding and why, and what was not assessed. The exit status is 0 only if the release is
valid. sdcdesk refuses a release of another version unless you pass --other-version.`

// newVerifyCommand returns "sdcdesk verify", which repeats and compares a release.
func newVerifyCommand(p *program) *cobra.Command {
	o := bundle.VerifyOptions{}
	var format formatFlags
	asJSON := false
	var patterns *identify.Patterns
	cmd := &cobra.Command{
		Use:     "verify RELEASE ORIGINAL",
		Short:   "Verify a release by repeating it",
		Long:    verifyHelp,
		Example: "  sdcdesk verify release survey.csv",
		Args:    takes(2, 2, "a release and the original file"),
		RunE: interruptible("", &format, func(ctx context.Context, cmd *cobra.Command, args []string) (err error) {
			o.Folder, o.Original = args[0], args[1]
			run := session.RunOptions{File: o.Original}
			if err := format.forScript(ctx, cmd, &run); err != nil {
				return err
			}
			o.Original, o.Reading = run.File, run.Reading
			verdict, err := bundle.Verify(ctx, o, session.NewAnalyst().With(p.measures).Recognising(patterns))
			if err != nil {
				return otherVersion(err)
			}
			page := wording.Joined(verdict.Page(), "", func(line string) string { return wrapped(draw.Safe(line)) + "\n" })
			if err = show(cmd, asJSON, verdict, page); err == nil && !verdict.Holds() {
				err = fmt.Errorf("%s is not valid", o.Folder)
			}
			return err
		}),
	}
	format.add(cmd)
	cmd.Flags().BoolVar(&o.OtherVersion, "other-version", false,
		"verify a release that another version of sdcdesk wrote")
	cmd.Flags().Func("identifier-patterns",
		"refuse the release unless it was checked with the identifier patterns of this file", readsPatterns(&patterns))
	addJSON(cmd, &asJSON)
	return cmd
}

// wrapped wraps a line of the page to sign, with the rest below its text.
func wrapped(line string) string {
	const width, column = 90, 17 // wide enough for a hash; column where the values begin
	indent := len(line) - len(strings.TrimLeft(line, " "))
	if indent == 0 {
		indent = column
	}
	first := ansi.Wordwrap(line, width, "")
	head, rest, broken := strings.Cut(first, "\n")
	if !broken {
		return line
	}
	rest = ansi.Wordwrap(strings.ReplaceAll(rest, "\n", " "), width-indent, "")
	return head + "\n" + strings.Repeat(" ", indent) + strings.ReplaceAll(rest, "\n", "\n"+strings.Repeat(" ", indent))
}

// otherVersion adds to an error how to verify a bundle of another version.
func otherVersion(err error) error {
	if errors.Is(err, bundle.ErrVersion) {
		return fmt.Errorf("%w; --other-version verifies it anyway", err)
	}
	return err
}
