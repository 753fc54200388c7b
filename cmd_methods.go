package main

import (
	"encoding/json"
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
	example, err := exampleLine(spec.Name, m)
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
	facts := []string{kindOf(p.Editor)}
	if p.Editor == method.EditChoice {
		facts[0] = "one of " + strings.Join(p.Choices, ", ")
	}
	if p.Min != nil {
		facts = append(facts, fmt.Sprintf("at least %v", *p.Min))
	}
	if p.Max != nil {
		facts = append(facts, fmt.Sprintf("at most %v", *p.Max))
	}
	if p.Required {
		facts = append(facts, "required")
	} else if text, err := json.Marshal(p.Value); err == nil {
		facts = append(facts, "default "+string(text))
	}
	fmt.Fprintf(page, "  %s: %s\n", p.Name, strings.Join(facts, ", "))
	for _, line := range strings.Split(ansi.Wordwrap(p.Help, helpWidth-6, ""), "\n") {
		fmt.Fprintf(page, "      %s\n", line)
	}
}

// kindOf says in words what a parameter takes.
func kindOf(editor method.Editor) string {
	switch editor {
	case method.EditNumber:
		return "a number"
	case method.EditSwitch:
		return "true or false"
	case method.EditVariable:
		return "a variable"
	case method.EditVariables:
		return "a list of variables or null"
	case method.EditLevels:
		return "a list of labels of the variable"
	case method.EditNumbers:
		return "a list of numbers"
	case method.EditLabels:
		return "a list of labels or null"
	case method.EditImportance:
		return "an object from key variable to importance, or null"
	case method.EditWritten:
		return "a text, a list or an object, as described, or null"
	default:
		return "a text"
	}
}

// exampleLine returns a line of a script with the method's defaults, and
// stand-ins for what has none.
func exampleLine(name string, m method.Method) (string, error) {
	for _, p := range m.Params() {
		switch value := p.Value.(type) {
		case *string:
			if *value == "" && p.Editor == method.EditVariable {
				*value = "age"
			} else if *value == "" && p.Required {
				*value = p.Name
			}
		case *[]string:
			if len(*value) == 0 && p.Editor == method.EditLevels {
				*value = []string{"first", "second"}
			}
		case *[]float64:
			if len(*value) == 0 {
				*value = []float64{0, 14, 24, 64, 120}
			}
		}
	}
	params, err := method.Encode(m)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(`{"step":%q,"params":%s}`, name, params), nil
}
