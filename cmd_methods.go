package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// helpWidth is the width of the methods' help pages.
const helpWidth = 80

// newMethodsCommand returns "sdcdesk methods": the catalog, or one method's
// help page.
func newMethodsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:           "methods [NAME]",
		Short:         "List the methods, or explain one",
		Args:          usage(cobra.MaximumNArgs(1)),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listMethods(cmd.OutOrStdout())
			}
			spec, ok := catalog.Find(args[0])
			if !ok {
				return usageError{fmt.Errorf("there is no method %q; \"sdcdesk methods\" lists them", args[0])}
			}
			return explainMethod(cmd.OutOrStdout(), spec)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, spec := range catalog.All() {
				names = append(names, spec.Name)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.SetFlagErrorFunc(flagUsage)
	return cmd
}

// listMethods writes one line per method.
func listMethods(w io.Writer) error {
	width := 0
	for _, spec := range catalog.All() {
		width = max(width, len(spec.Name))
	}
	for _, spec := range catalog.All() {
		if _, err := fmt.Fprintf(w, "%-*s  %s\n", width, spec.Name, spec.Title); err != nil {
			return err
		}
	}
	return nil
}

// explainMethod writes the help page of a method.
func explainMethod(w io.Writer, spec method.Spec) error {
	m := spec.New()
	var page strings.Builder
	fmt.Fprintf(&page, "%s (%s)\n\n%s\n\nParameters\n", spec.Title, spec.Name, ansi.Wordwrap(spec.Help, helpWidth, ""))
	for _, p := range m.Params() {
		explainParam(&page, &p)
	}
	if spec.Cite != "" {
		fmt.Fprintf(&page, "\nSource\n  %s\n", spec.Cite)
	}
	example, err := method.Example(spec.Name, m)
	if err != nil {
		return err
	}
	fmt.Fprintf(&page, "\nIn a script\n  %s\n", example)
	_, err = io.WriteString(w, page.String())
	return err
}

// explainParam writes what a parameter is, which values it takes and its
// default.
func explainParam(page *strings.Builder, p *method.Param) {
	fmt.Fprintf(page, "  %s: %s\n", p.Name, strings.Join(p.Facts(), ", "))
	for _, line := range strings.Split(ansi.Wordwrap(p.ScriptHelp(), helpWidth-6, ""), "\n") {
		fmt.Fprintf(page, "      %s\n", line)
	}
}
