package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

const whereHelp = `Lists the files that sdcdesk keeps and the files left by an sdcdesk process that was killed.
Session files given with --session are not listed.

- session files, each with the path of its data file, and copies of damaged session files.
  They contain steps, parameters, counts and category names, never records.
- unfinished exports and releases: files and folders with records, under hidden names in
  the folder of the output. sdcdesk searches the folders of the sessions' data files, the
  current folder, and the folders given with --in.

sdcdesk keeps nothing else: earlier datasets stay in memory, or in scratch files while the
program runs, and there is no settings file. --remove removes the named files, or all of
them, after confirmation. sdcdesk never removes a file that a running program uses or that
another program wrote.`

// whereCommand has the arguments of "sdcdesk where".
type whereCommand struct {
	program             *program
	folders             []string
	remove, yes, asJSON bool
}

// newWhereCommand returns "sdcdesk where", which lists the files that the program keeps or left.
func newWhereCommand(p *program) *cobra.Command {
	w := whereCommand{program: p}
	cmd := &cobra.Command{
		Use:     "where [--remove {NAME...|all}]",
		Short:   "List and remove the files that sdcdesk keeps",
		Long:    whereHelp,
		Example: "  sdcdesk where\n  sdcdesk where --in /data/released --json\n  sdcdesk where --remove all",
		Args:    cobra.ArbitraryArgs,
		RunE:    w.run,
		ValidArgsFunction: func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
			if found, err := w.find(); err == nil {
				for i := range found.Files {
					names = append(names, found.Files[i].Name)
				}
			}
			return append(names, "all"), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().StringArrayVar(&w.folders, "in", nil, "also search this folder for unfinished exports")
	cmd.Flags().BoolVar(&w.remove, "remove", false, "remove the named files, or all")
	cmd.Flags().BoolVar(&w.yes, "yes", false, "remove without confirmation")
	addJSON(cmd, &w.asJSON)
	return cmd
}

func (w *whereCommand) find() (*session.Traces, error) {
	return session.FindTraces(&session.MethodSource{Methods: w.program.methods}, append([]string{"."}, w.folders...)...)
}

func (w *whereCommand) run(cmd *cobra.Command, args []string) error {
	if w.remove != (len(args) > 0) {
		return badUsage(`say which files to remove: "sdcdesk where --remove NAME", or "--remove all"`)
	}
	for _, folder := range w.folders {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return badUsage("--in %s: no such folder", folder)
		}
	}
	found, err := w.find()
	if err != nil {
		return err
	}
	if w.remove {
		return w.removes(cmd, found, args)
	}
	return show(cmd, w.asJSON, found, tracesText(found))
}

// removes removes the named files.
func (w *whereCommand) removes(cmd *cobra.Command, found *session.Traces, names []string) error {
	chosen, err := chosenTraces(found.Files, names)
	if err != nil {
		return usageError{err}
	}
	if !w.yes && len(chosen) > 0 {
		if !hasTerminal() {
			return badUsage("confirmation needs a terminal: add --yes to remove them")
		}
		for i := range chosen {
			fmt.Fprintln(cmd.ErrOrStderr(), "  "+draw.Safe(described(&chosen[i])))
		}
		if !agreed(cmd.InOrStdin(), cmd.ErrOrStderr(), len(chosen)) {
			return errors.New("nothing was removed")
		}
	}
	var failures []error
	removed := []string{}
	for i := range chosen {
		if err := chosen[i].Remove(); err != nil {
			failures = append(failures, err)
			warn(cmd, err.Error())
			continue
		}
		removed = append(removed, chosen[i].Path)
	}
	err = show(cmd, w.asJSON, map[string][]string{"removed": removed}, wording.Counted(len(removed), "file")+" removed\n")
	if err == nil && len(failures) > 0 {
		err = errors.New(wording.Does(len(failures), "file", "stay"))
	}
	return err
}

// chosenTraces returns the files with given names or paths.
func chosenTraces(files []session.Trace, names []string) (chosen []session.Trace, err error) {
	if slices.Equal(names, []string{"all"}) {
		return files, nil
	}
	is := func(file *session.Trace, name string) bool { return file.Name == name || file.Path == name }
	for _, name := range names {
		if !slices.ContainsFunc(files, func(file session.Trace) bool { return is(&file, name) }) {
			return nil, fmt.Errorf(`%q is not a file that sdcdesk keeps; "sdcdesk where" lists these files`, name)
		}
	}
	for _, file := range files {
		if slices.ContainsFunc(names, func(name string) bool { return is(&file, name) }) {
			chosen = append(chosen, file)
		}
	}
	return chosen, nil
}

// agreed asks whether to remove so many files.
func agreed(in io.Reader, out io.Writer, files int) bool {
	fmt.Fprintf(out, "remove %s? y/n ", wording.Counted(files, "file"))
	answer, _ := bufio.NewReader(in).ReadString('\n')
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(answer)))
}

// tracesText lists the files, and the folders that were searched.
func tracesText(found *session.Traces) string {
	lines := []string{"Sessions are kept in " + found.Sessions}
	for _, folder := range found.Folders {
		lines = append(lines, "Searched for unfinished exports in "+folder)
	}
	lines = append(lines, "")
	if len(found.Files) == 0 {
		lines = append(lines, "No files.")
	}
	for i := range found.Files {
		lines = append(lines, found.Files[i].Name, "    "+described(&found.Files[i]))
	}
	return wording.Joined(lines, "\n", draw.Safe) + "\n"
}

// described returns what a file is, in one line.
func described(t *session.Trace) string {
	parts := []string{t.Kind, wording.Counted(int(t.Size), "byte"), t.Modified.Local().Format("2 Jan 2006 15:04")}
	switch {
	case t.Problem != "":
		parts[0] += ", " + t.Problem
	case t.Kind == session.TraceExport:
		parts[0] += " " + t.Path
	default:
		parts[0] += " on " + t.Source
		parts = slices.Insert(parts, 1, wording.Counted(t.Steps, "step"))
	}
	if t.InUse {
		parts = append(parts, "in use by another program")
	}
	return strings.Join(parts, ", ")
}
