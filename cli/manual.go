package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/glossary"
	"github.com/sdcdesk/sdcdesk/tui"
)

// newKeysCommand returns "sdcdesk keys".
func newKeysCommand(p *program) *cobra.Command {
	return newPageCommand("keys", "List the keyboard shortcuts of the workbench", takes(0, 0, "no name"), func(string) *report.Page {
		return tui.KeysPage(tui.Options{Methods: p.methods, Measures: p.measures})
	})
}

// newGlossaryCommand returns "sdcdesk glossary".
func newGlossaryCommand() *cobra.Command {
	return newPageCommand("glossary [TERM]", "List SDC terms with definitions, formulas and sources", cobra.ArbitraryArgs, func(term string) *report.Page {
		if term == "" {
			return glossary.Page()
		}
		return glossary.PageOf(term)
	})
}

// newPageCommand returns the command that prints a manual page, or what it has about a term: nil if that is nothing.
func newPageCommand(use, short string, takes cobra.PositionalArgs, page func(term string) *report.Page) *cobra.Command {
	asMarkdown := false
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Args:  takes,
		RunE: func(cmd *cobra.Command, args []string) error {
			form := report.Plain()
			if asMarkdown {
				form = report.Markdown()
			}
			term := strings.Join(args, " ")
			found := page(term)
			if found == nil {
				return badUsage("there is no term %q; \"sdcdesk %s\" lists them", term, cmd.Name())
			}
			return showPage(cmd, form, found)
		},
	}
	cmd.Flags().BoolVar(&asMarkdown, "markdown", false, markdownHelp)
	return cmd
}

// markdownHelp is the help of this option for all commands that print a manual page.
const markdownHelp = "print the manual page in Markdown"

// manual returns the manual page of methods or measures. Parameters that several entries have in common, and how
// entries are used, are described once at the beginning.
func manual(title, use string, entries []entry) *report.Page {
	users := map[[3]string]int{}
	for i := range entries {
		for _, row := range entries[i].rows() {
			users[row]++
		}
	}
	common := report.NewTable("Common parameters", "parameter", "values", "meaning")
	common.Lines = []string{use, glossary.Where}
	page := &report.Page{Title: title}
	for i := range entries {
		e := &entries[i]
		section := report.Section{Heading: e.heading(), Lines: strings.Split(e.help, "\n")}
		if e.example != "" {
			section.Add("%s", e.example)
		}
		if e.columns != "" {
			section.Add("For each record: %s", e.columns)
		}
		if e.cite != "" {
			section.Add("Source: %s", glossary.Cited(e.cite))
		}
		var also []string
		for _, row := range e.rows() {
			differs := func(has []string) bool { return has[0] == row[0] && !slices.Equal(has, row[:]) }
			if users[row] == 1 || slices.ContainsFunc(common.Table, differs) {
				section.Table = append(section.Table, row[:])
				continue
			}
			also = append(also, row[0])
			if !slices.ContainsFunc(common.Table, func(has []string) bool { return slices.Equal(has, row[:]) }) {
				common.Row(row[:]...)
			}
		}
		if len(also) > 0 {
			section.Add("Common: %s", strings.Join(also, ", "))
		}
		if len(section.Table) > 0 {
			section.Table = slices.Insert(section.Table, 0, common.Table[0])
		}
		section.Entry = true
		page.Sections = append(page.Sections, section)
	}
	common.Entry = true
	page.Sections = slices.Insert(page.Sections, 0, common)
	return page
}

// heading is the title of an entry, with the name that scripts use.
func (e *entry) heading() string {
	title := e.title
	if title[1] != '-' { // k-anonymity
		title = wording.Capital(title)
	}
	return fmt.Sprintf("%s (%s)", title, e.name)
}

// rows returns the parameters of an entry as table rows.
func (e *entry) rows() (rows [][3]string) {
	for i := range e.params {
		p := &e.params[i]
		facts := p.Facts()
		facts = slices.DeleteFunc(facts, func(fact string) bool { // a default that the example has
			value, is := strings.CutPrefix(fact, "default ")
			return is && strings.Contains(e.example, strconv.Quote(p.Name)+":"+value)
		})
		rows = append(rows, [3]string{p.Name, strings.Join(facts, ", "), p.ScriptHelp()})
	}
	return rows
}

// newManCommand returns "sdcdesk man", which prints the manual page of a command in roff, for packagers.
func newManCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man [COMMAND]",
		Short:  "Print the manual page of a command",
		Hidden: true,
		Args:   takes(0, 1, "at most one command"),
		RunE: func(cmd *cobra.Command, args []string) error {
			about, _, err := cmd.Root().Find(args)
			if err != nil {
				return usageError{err}
			}
			return show(cmd, false, nil, manPage(about))
		},
	}
}

// manPage returns the manual page of a command in roff.
func manPage(cmd *cobra.Command) string {
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	var page strings.Builder
	section := func(heading, text string) {
		if text = strings.TrimSpace(text); text != "" {
			fmt.Fprintf(&page, ".SH %s\n.nf\n%s\n.fi\n", heading, roff(text))
		}
	}
	fmt.Fprintf(&page, ".TH %s 1\n.SH NAME\n%s \\- %s\n", strings.ToUpper(roff(name)), roff(name), roff(cmd.Short))
	section("SYNOPSIS", cmd.UseLine())
	section("DESCRIPTION", cmd.Long)
	namePlaceholders(cmd)
	section("OPTIONS", cmd.LocalFlags().FlagUsagesWrapped(helpWidth))
	section("EXAMPLES", cmd.Example)
	var others []string
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() {
			others = append(others, fmt.Sprintf("%s-%s(1)  %s", name, child.Name(), child.Short))
		}
	}
	section("SEE ALSO", strings.Join(others, "\n"))
	return page.String()
}

// roff escapes a text for roff.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
