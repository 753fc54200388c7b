package main

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

	"github.com/sdcdesk/sdcdesk/engine/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/tui"
	"github.com/sdcdesk/sdcdesk/views"
)

const rootHelp = `sdcdesk is a workbench for statistical disclosure control. It shows how many
records of a survey file can be re-identified, what every recoding and every
suppression would change, and writes the protected file.

FILE is a text file such as CSV, or a file of SPSS, SAS, Stata, Parquet, Excel,
OpenDocument or dBase. How it is read is guessed and shown before it is read; of
text files the flags below override the guess. A description of mu-Argus (.rda)
beside FILE, or in its place, says how fixed positions are read, and which
variables are keys, weight and household. Without FILE a page offers recent
sessions, a file and the demonstration. FILE is never written.

Every step is kept in a session file in $XDG_STATE_HOME/sdcdesk, or else in
~/.local/state/sdcdesk. It holds parameters and counts, never records. Opening
FILE again offers to continue.

In the program ? lists the keys, : finds a command by name, q quits.`

const rootExamples = `  sdcdesk survey.csv
  sdcdesk survey.sav
  sdcdesk survey.txt --delimiter tab --decimal , --missing NA,-9
  sdcdesk demo --rows 100000
  sdcdesk survey.csv --session /secure/survey.jsonl
  sdcdesk run steps.jsonl survey.csv -o protected.csv`

// screenFlags are what the commands that open the screen have in common.
type screenFlags struct {
	session  string
	theme    string
	methods  method.Catalog
	measures measure.Catalog
}

func (f *screenFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.session, "session", "", "keep the session in this file; continue it if it is there")
	cmd.Flags().StringVar(&f.theme, "theme", "", "colours: dark, light or none (default: as the terminal is)")
	_ = cmd.RegisterFlagCompletionFunc("theme", cobra.FixedCompletions([]string{"dark", "light", "none"}, cobra.ShellCompDirectiveNoFileComp))
}

// options returns the program's options as far as the flags say them.
func (f *screenFlags) options() (tui.Options, error) {
	if !slices.Contains([]string{"", "dark", "light", "none"}, f.theme) {
		return tui.Options{}, usageError{fmt.Errorf("--theme %s: it must be dark, light or none", f.theme)}
	}
	theme := f.theme
	if theme == "" && os.Getenv("NO_COLOR") != "" { // https://no-color.org
		theme = "none"
	}
	return tui.Options{Theme: theme, Journal: f.session, Methods: f.methods, Measures: f.measures, OpenLesson: openLesson}, nil
}

// newRootCommand returns "sdcdesk" with all its commands: which methods they have,
// and which measures.
func newRootCommand(methods method.Catalog, measures measure.Catalog) *cobra.Command {
	screen := screenFlags{methods: methods, measures: measures}
	var format formatFlags
	cmd := &cobra.Command{
		Use:           "sdcdesk [FILE]",
		Short:         "A workbench for statistical disclosure control of survey files",
		Long:          rootHelp,
		Example:       rootExamples,
		Args:          takes(0, 1, "at most one file"),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return openScreen(cmd, args, &screen, &format)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault // files
		},
	}
	cmd.SetFlagErrorFunc(badFlag)
	screen.add(cmd)
	format.add(cmd)
	cmd.AddCommand(newDemoCommand(screen), newLearnCommand(screen), newRunCommand(methods, measures), newInspectCommand(), newConvertCommand(), newPlanCommand(), newCompareCommand(methods, measures), newTryCommand(methods, measures), newMethodsCommand(methods), newMeasuresCommand(measures), newVersionCommand())
	return cmd
}

// openScreen opens the program on a file, or on its start page.
func openScreen(cmd *cobra.Command, args []string, screen *screenFlags, format *formatFlags) error {
	options, err := screen.options()
	if err != nil {
		return err
	}
	if options.Override, err = format.override(cmd); err != nil {
		return err
	}
	if len(args) > 0 {
		options.Path = args[0]
		if _, err := os.Stat(options.Path); errors.Is(err, fs.ErrNotExist) {
			return usageError{fmt.Errorf("there is no file and no command %q; check the name, or see \"sdcdesk --help\"", options.Path)}
		}
	}
	if !hasTerminal() {
		return usageError{errors.New(`the screen needs a terminal; without one, "sdcdesk run SCRIPT FILE -o OUT" carries out the steps of a script`)}
	}
	options.OpenDemo = demonstration{}.open
	return runScreen(cmd.OutOrStdout(), options)
}

// runScreen runs the program and says where its session can be continued.
func runScreen(w io.Writer, options tui.Options) error {
	journal, err := tui.Run(options)
	if err != nil {
		return err
	}
	if journal == "" {
		return nil
	}
	if _, err := os.Stat(journal); err == nil {
		fmt.Fprintln(w, "The session is kept in", views.Safe(journal))
	}
	return nil
}

// hasTerminal reports whether there is somebody to type and to look.
func hasTerminal() bool {
	return term.IsTerminal(os.Stdin.Fd()) && term.IsTerminal(os.Stdout.Fd())
}

// formatFlags override what is guessed of a text file.
type formatFlags struct {
	delimiter, decimal, encoding string
	missing, columns             []string
	codebook                     string
	noHeader                     bool
}

func (f *formatFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.delimiter, "delimiter", "", "what stands between fields: one character, or tab")
	flags.StringVar(&f.decimal, "decimal", "", "decimal mark: . or ,")
	flags.StringVar(&f.encoding, "encoding", "", "one of "+strings.Join(fileio.Encodings(), ", "))
	flags.StringSliceVar(&f.missing, "missing", nil, "codes that stand for a missing value, such as NA,-9")
	flags.StringSliceVar(&f.columns, "columns", nil, "names of the variables to be read, such as region,sex,age (default: all)")
	flags.StringVar(&f.codebook, "codebook", "", "file beside a text file with labels and missing codes: CSV (variable, label, value, value_label, missing) or DDI-Codebook XML")
	flags.BoolVar(&f.noHeader, "no-header", false, "the first line is a record, not the names of the variables")
	_ = cmd.RegisterFlagCompletionFunc("encoding", cobra.FixedCompletions(fileio.Encodings(), cobra.ShellCompDirectiveNoFileComp))
}

// guess returns where the data of a file are and how they are read: as their first bytes
// suggest, changed by the flags.
func (f *formatFlags) guess(ctx context.Context, cmd *cobra.Command, file string) (path string, format fileio.Format, err error) {
	change, err := f.override(cmd)
	if err != nil {
		return "", format, err
	}
	if path, err = fileio.DataFile(file); err != nil {
		return "", format, err
	}
	if format, err = fileio.GuessFile(ctx, path, nil); err == nil {
		change(&format)
	}
	return path, format, err
}

// read reads a file as it is guessed.
func (f *formatFlags) read(ctx context.Context, cmd *cobra.Command, file string) (*microdata.Dataset, *fileio.ReadReport, error) {
	path, format, err := f.guess(ctx, cmd, file)
	if err != nil {
		return nil, nil, err
	}
	return readAs(ctx, cmd, path, format)
}

// readAs reads a file, and says what is to be known of that.
func readAs(ctx context.Context, cmd *cobra.Command, path string, format fileio.Format) (*microdata.Dataset, *fileio.ReadReport, error) {
	data, report, err := fileio.Read(ctx, path, format, nil)
	if err != nil {
		return nil, nil, err
	}
	for _, message := range report.Warnings {
		say(cmd.ErrOrStderr(), warning, message)
	}
	return data, report, nil
}

// override returns what the flags change in a guessed format.
func (f *formatFlags) override(cmd *cobra.Command) (func(*fileio.Format), error) {
	if f.delimiter == "tab" || f.delimiter == `\t` {
		f.delimiter = "\t"
	}
	given := cmd.Flags().Changed
	change := func(format *fileio.Format) {
		if given("delimiter") {
			format.Delimiter = f.delimiter
		}
		if given("decimal") {
			format.Decimal = f.decimal
		}
		if given("encoding") {
			format.SetEncoding(f.encoding)
		}
		if given("missing") {
			format.Missing = append([]string{""}, f.missing...)
		}
		if given("codebook") {
			format.Codebook = f.codebook
		}
		if given("columns") {
			format.Columns = f.columns
		}
		if given("no-header") {
			format.Header = !f.noHeader
		}
	}
	trial := fileio.NewFormat()
	change(&trial)
	if err := trial.Validate(); err != nil {
		return nil, usageError{err}
	}
	return change, nil
}
