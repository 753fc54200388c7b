package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// helpWidth is the width of the help pages of methods and measures.
const helpWidth = 80

// entry is a method or a measure on help pages.
type entry struct {
	name, title, help, cite string
	params                  []method.Param
	example                 string // for a method: a step with all parameters
	columns                 string // for a measure: the names of its record-level figures
}

// inSummary is an example of using a measure, without its name.
const inSummary = "sdcdesk run SCRIPT FILE -o OUT --summary S.json --measures "

// newMethodsCommand returns "sdcdesk methods": the catalog, or one method's help
// page.
func newMethodsCommand(p *program) *cobra.Command {
	const use = "Each example is a step of a script with all parameters."
	return newCatalogCommand("method", use, func() (entries []entry, err error) {
		for i := range p.methods {
			spec := &p.methods[i]
			example, failed := method.Example(spec)
			err = cmp.Or(err, failed)
			entries = append(entries, entry{spec.Name, spec.Title, spec.Help, spec.Cite, spec.New().Params(), example, ""})
		}
		return entries, err
	})
}

// newMeasuresCommand returns "sdcdesk measures": the catalog, or one measure's
// help page.
func newMeasuresCommand(p *program) *cobra.Command {
	return newCatalogCommand("measure", "In a summary: "+inSummary+"NAME. Measures of numeric variables exclude records with a missing value in one of the variables; "+
		"exceptions: il_variables in the loss measure, and the propensity score.", func() (entries []entry, err error) {
		for _, spec := range p.measures {
			columns := wording.Joined(spec.Columns, " ", func(c measure.Column) string { return c.Name })
			entries = append(entries, entry{spec.Name, wording.Capital(spec.Title), spec.Help, spec.Cite, spec.New().Params(), "", columns})
		}
		return entries, nil
	})
}

// newCatalogCommand returns the command that lists entries, one per line, or prints the help page of one, or the
// manual page.
func newCatalogCommand(noun, use string, all func() ([]entry, error)) *cobra.Command {
	asMarkdown := false
	cmd := &cobra.Command{
		Use:   noun + "s [NAME]",
		Short: "List the " + noun + "s, or describe one",
		Args:  takes(0, 1, "at most one name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			entries, err := all()
			if err != nil {
				return err
			}
			if asMarkdown {
				return showPage(cmd, report.Markdown(), manual(wording.Capital(noun)+"s", use, entries))
			}
			text := list(entries)
			if len(args) > 0 {
				at := slices.IndexFunc(entries, func(e entry) bool { return e.name == args[0] })
				if at < 0 {
					return badUsage("there is no %s %q; \"sdcdesk %ss\" lists them", noun, args[0], noun)
				}
				text = entries[at].page()
			}
			return show(cmd, false, nil, text)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
			entries, _ := all()
			for _, e := range entries {
				names = append(names, e.name)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().BoolVar(&asMarkdown, "markdown", false, markdownHelp)
	return cmd
}

// list returns a line for each entry.
func list(entries []entry) string {
	width := 0
	for _, e := range entries {
		width = max(width, len(e.name))
	}
	return wording.Joined(entries, "", func(e entry) string { return fmt.Sprintf("%-*s  %s\n", width, e.name, e.title) })
}

// page returns the help page of an entry.
func (e *entry) page() string {
	var page strings.Builder
	fmt.Fprintf(&page, "%s (%s)\n\n%s\n", e.title, e.name, ansi.Wordwrap(e.help, helpWidth, ""))
	if len(e.params) > 0 {
		page.WriteString("\nParameters\n")
	}
	for i := range e.params {
		explainParam(&page, &e.params[i])
	}
	if e.cite != "" {
		fmt.Fprintf(&page, "\nSource\n  %s\n", e.cite)
	}
	if e.columns != "" {
		fmt.Fprintf(&page, "\nFor each record\n  %s\n", e.columns)
	}
	if e.example != "" {
		fmt.Fprintf(&page, "\nIn a script\n  %s\n", e.example)
	} else {
		fmt.Fprintf(&page, "\nIn a summary\n  %s%s\n", inSummary, e.name)
	}
	return page.String()
}

// explainParam writes the description of a parameter, its values and its default.
func explainParam(page *strings.Builder, p *method.Param) {
	fmt.Fprintf(page, "  %s: %s\n", p.Name, strings.Join(p.Facts(), ", "))
	for _, line := range strings.Split(ansi.Wordwrap(p.ScriptHelp(), helpWidth-6, ""), "\n") {
		fmt.Fprintf(page, "      %s\n", line)
	}
}
