package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// helpWidth is the width of the help pages of methods and measures.
const helpWidth = 80

// listed is an entry of a catalog with its help page.
type listed struct {
	name, title string
	page        func() (string, error)
}

// newMethodsCommand returns "sdcdesk methods": the catalog, or one method's help
// page.
func newMethodsCommand(p *program) *cobra.Command {
	var entries []listed
	for _, spec := range p.methods {
		entries = append(entries, listed{spec.Name, spec.Title, func() (string, error) { return methodPage(spec) }})
	}
	return newCatalogCommand("method", entries, func() (*report.Page, error) { return methodsPage(p.methods) })
}

// newMeasuresCommand returns "sdcdesk measures": the catalog, or one measure's
// help page.
func newMeasuresCommand(p *program) *cobra.Command {
	var entries []listed
	for _, spec := range p.measures {
		entries = append(entries, listed{spec.Name, spec.Title, func() (string, error) { return measurePage(spec), nil }})
	}
	return newCatalogCommand("measure", entries, func() (*report.Page, error) { return measuresPage(p.measures), nil })
}

// newCatalogCommand returns the command that lists entries, a line each, or writes the
// page of one, or the page of the manual.
func newCatalogCommand(noun string, entries []listed, manual func() (*report.Page, error)) *cobra.Command {
	asMarkdown := false
	var names []string
	var list strings.Builder
	width := 0
	for _, entry := range entries {
		names, width = append(names, entry.name), max(width, len(entry.name))
	}
	for _, entry := range entries {
		fmt.Fprintf(&list, "%-*s  %s\n", width, entry.name, entry.title)
	}
	cmd := &cobra.Command{
		Use:   noun + "s [NAME]",
		Short: "List the " + noun + "s, or explain one",
		Args:  takes(0, 1, "at most one name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if asMarkdown {
				page, err := manual()
				if err != nil {
					return err
				}
				return report.Markdown().Write(cmd.OutOrStdout(), page)
			}
			if len(args) == 0 {
				_, err := io.WriteString(cmd.OutOrStdout(), list.String())
				return err
			}
			for _, entry := range entries {
				if entry.name == args[0] {
					page, err := entry.page()
					if err == nil {
						_, err = io.WriteString(cmd.OutOrStdout(), page)
					}
					return err
				}
			}
			return usageError{fmt.Errorf("there is no %s %q; \"sdcdesk %ss\" lists them", noun, args[0], noun)}
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().BoolVar(&asMarkdown, "markdown", false, markdownHelp)
	return cmd
}

// methodPage is the help page of a method.
func methodPage(spec method.Spec) (string, error) {
	example, err := method.Example(spec.Name, spec.New())
	return helpPage(spec.Title, spec.Name, spec.Help, spec.Cite, spec.New().Params()) + "\nIn a script\n  " + example + "\n", err
}

// measurePage is the help page of a measure.
func measurePage(spec measure.Spec) string {
	page := helpPage(spec.Title, spec.Name, spec.Help, spec.Cite, spec.New().Params())
	if len(spec.Columns) > 0 {
		page += "\nOf every record\n "
		for _, column := range spec.Columns {
			page += " " + column.Name
		}
		page += "\n"
	}
	return page + "\nIn a summary\n  sdcdesk run SCRIPT FILE -o OUT --summary S.json --measures " + spec.Name + "\n"
}

// helpPage is what the pages of methods and measures have in common.
func helpPage(title, name, help, cite string, params []method.Param) string {
	var page strings.Builder
	fmt.Fprintf(&page, "%s (%s)\n\n%s\n", title, name, ansi.Wordwrap(help, helpWidth, ""))
	if len(params) > 0 {
		page.WriteString("\nParameters\n")
	}
	for i := range params {
		explainParam(&page, &params[i])
	}
	if cite != "" {
		fmt.Fprintf(&page, "\nSource\n  %s\n", cite)
	}
	return page.String()
}

// explainParam writes what a parameter is, which values it takes and its
// default.
func explainParam(page *strings.Builder, p *method.Param) {
	fmt.Fprintf(page, "  %s: %s\n", p.Name, strings.Join(p.Facts(), ", "))
	for _, line := range strings.Split(ansi.Wordwrap(p.ScriptHelp(), helpWidth-6, ""), "\n") {
		fmt.Fprintf(page, "      %s\n", line)
	}
}
