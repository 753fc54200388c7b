package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

const rootHelp = `sdcdesk is a workbench for statistical disclosure control. It shows how many records of a
survey file an intruder can expect to re-identify and how each recode or suppression changes
that number, and writes the protected file.

FILE is a text file such as CSV, or a file of SPSS, SAS, Stata, R, Parquet, Excel,
OpenDocument or dBase. sdcdesk guesses how to read it and shows the guess first; the flags
below override the guess for text files. sdcdesk reads the positions, key variables, weight
and household IDs from a mu-Argus metadata file (.rda) next to FILE; you can also open the
.rda file itself. A folder of files with the same variables opens as one file. To open a
database table, give its address, such as sqlite:survey.db?table=person. Without FILE, you
can choose a recent session, a file or the demonstration. sdcdesk never changes FILE.

sdcdesk saves every step in a session file in $XDG_STATE_HOME/sdcdesk, by default
~/.local/state/sdcdesk. The session file contains parameters and counts, never records.
When you open FILE again, sdcdesk offers to resume the session. With --no-trace, sdcdesk
keeps no session, and the steps are lost when the program ends. "sdcdesk where" lists all
files that sdcdesk keeps.

In the program, ? lists the keyboard shortcuts, : finds a command by name, and q quits.`

const rootExamples = `  sdcdesk survey.csv
  sdcdesk survey.sav
  sdcdesk survey.txt --delimiter tab --decimal , --missing NA,-9
  sdcdesk demo --rows 100000
  sdcdesk survey.csv --session /secure/survey.jsonl
  sdcdesk run steps.jsonl survey.csv -o protected.csv`

// screenFlags are the common flags of commands that open the screen.
type screenFlags struct {
	program *program
	options tui.Options
}

func (f *screenFlags) add(cmd *cobra.Command) {
	o := &f.options
	cmd.Flags().StringVar(&o.Journal, "session", "", "keep the session in this file; resume it if it exists")
	cmd.Flags().BoolVar(&o.NoTrace, "no-trace", false,
		"keep no session file; write only exports")
	cmd.Flags().StringVar(&o.Theme, "theme", "", "colours: dark, light or none (default: detect the background of the terminal)")
	addPatterns(cmd.Flags(), &o.Patterns)
	completes(cmd, "theme", "dark", "light", "none")
}

// complete returns the options of the program as far as they are flags.
func (f *screenFlags) complete() (tui.Options, error) {
	o := f.options
	if !slices.Contains([]string{"", "dark", "light", "none"}, o.Theme) {
		return o, badUsage("--theme %s: it must be dark, light or none", o.Theme)
	}
	if o.NoTrace && o.Journal != "" {
		return o, badUsage("--no-trace and --session cannot be combined")
	}
	if o.Theme == "" && os.Getenv("NO_COLOR") != "" { // https://no-color.org
		o.Theme = "none"
	}
	o.Methods, o.Measures, o.OpenLesson, o.Learner = f.program.methods, f.program.measures, f.program.openLesson, learner()
	return o, nil
}

// newRootCommand returns "sdcdesk" with all its commands.
func newRootCommand(p *program) *cobra.Command {
	screen := screenFlags{program: p}
	var format formatFlags
	cmd := &cobra.Command{
		Use:                        "sdcdesk [FILE]",
		Short:                      "A workbench for statistical disclosure control of survey files",
		Long:                       rootHelp,
		Example:                    rootExamples,
		Args:                       oneFile,
		Version:                    versionText(),
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		SilenceErrors:              true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return openScreen(cmd, args, &screen, &format)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault // complete file names
		},
	}
	cmd.SetFlagErrorFunc(badFlag)
	usage := cmd.UsageFunc()
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		namePlaceholders(cmd)
		return usage(cmd)
	})
	cmd.SetVersionTemplate("{{.Version}}\n")
	screen.add(cmd)
	format.add(cmd)
	cmd.AddCommand(newDemoCommand(screen), newLearnCommand(screen), newRunCommand(p), newScriptCommand(p), newReleaseCommand(p),
		newVerifyCommand(p), newCheckCommand(p), newInspectCommand(p),
		newConvertCommand(), newGroupByCommand(), newPlanCommand(), newCompareCommand(p), newTablesCommand(), newTryCommand(p), newMethodsCommand(p),
		newMeasuresCommand(p), newKeysCommand(p), newGlossaryCommand(), newWhereCommand(p), newManCommand(), newVersionCommand())
	return cmd
}

// oneFile accepts at most one file. Arguments after a name that is neither a file nor a command are not files.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		if _, err := os.Stat(args[0]); errors.Is(err, fs.ErrNotExist) && len(cmd.SuggestionsFor(args[0])) > 0 {
			return misspelt(cmd, args[0], " "+strings.Join(args[1:], " "))
		}
	}
	return takes(0, 1, "at most one file")(cmd, args)
}

// misspelt returns the error that a name is neither a file nor a command, with the most similar command.
func misspelt(cmd *cobra.Command, name, rest string) error {
	hint := "check the name"
	if like := cmd.SuggestionsFor(name); len(like) > 0 {
		hint = fmt.Sprintf("did you mean \"sdcdesk %s%s\"? Check the name", like[0], rest)
	}
	return badUsage("no file or command %q; %s, or see \"sdcdesk --help\"", name, hint)
}

// openScreen opens the screen with a file, or with the start page.
func openScreen(cmd *cobra.Command, args []string, screen *screenFlags, format *formatFlags) error {
	options, err := screen.complete()
	if err != nil {
		return err
	}
	if options.Override, err = format.override(cmd); err != nil {
		return err
	}
	if options.Memory, err = bytesOf(format.memory); err != nil {
		return err
	}
	options.Scratch = format.scratch
	if len(args) > 0 {
		options.Path = args[0]
		there := session.InDatabase((*session.MethodSource)(nil).Source(args[0], fileio.Format{}))
		if _, err := os.Stat(options.Path); errors.Is(err, fs.ErrNotExist) && !there {
			return misspelt(cmd, options.Path, "")
		}
	}
	if !hasTerminal() {
		return badUsage(`the screen needs a terminal; without one, ` +
			`"sdcdesk run SCRIPT FILE -o OUT" carries out the steps of a script`)
	}
	if err := reachable(cmd.Context(), cmd, &options.Path); err != nil {
		return err
	}
	demo := demonstration{survey: screen.program.examples.Survey}
	options.OpenDemo, options.NamedDemo = demo.open, demo.named
	return runScreen(cmd.Context(), cmd.OutOrStdout(), options)
}

// runScreen runs the screen and prints where its session can be resumed.
func runScreen(ctx context.Context, w io.Writer, options tui.Options) error {
	journal, err := tui.Run(ctx, options)
	if err != nil {
		return err
	}
	if journal == "" {
		return nil
	}
	if _, err := os.Stat(journal); err == nil {
		fmt.Fprintln(w, "The session is kept in", draw.Safe(journal))
	}
	return nil
}

// hasTerminal reports whether input and output are a terminal.
func hasTerminal() bool {
	return term.IsTerminal(os.Stdin.Fd()) && term.IsTerminal(os.Stdout.Fd())
}
