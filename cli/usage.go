package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// usageError is an invalid command line.
type usageError struct{ err error }

// Error returns what is invalid.
func (e usageError) Error() string { return e.err.Error() }

// Unwrap returns the reason.
func (e usageError) Unwrap() error { return e.err }

// badUsage returns a usage error.
func badUsage(format string, values ...any) error { return usageError{fmt.Errorf(format, values...)} }

// takes checks the number of arguments; what names the valid ones in the error.
func takes(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if least <= len(args) && len(args) <= most {
			return nil
		}
		return badUsage("%s takes %s, not %s: %s", cmd.Name(), what, wording.Counted(len(args), "argument"),
			strings.TrimSuffix(cmd.UseLine(), " [flags]"))
	}
}

// addJSON adds the flag that prints JSON.
func addJSON(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print JSON")
}

// completes registers the values of a flag, or none, for completion in the shell.
func completes(cmd *cobra.Command, flag string, values ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// fileProblem is an error of the file named by a flag, which is not a usage error.
type fileProblem struct{ error }

// badFlag rewords the error of a flag value with a wrong type.
func badFlag(_ *cobra.Command, err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return usageError{err}
	}
	kinds := map[string]string{"int": "an integer", "uint64": "an integer of at least 0",
		"duration": "a time such as 30s or 2m", "bool": "true or false"}
	kind := kinds[bad.GetFlag().Value.Type()]
	if file := (fileProblem{}); errors.As(err, &file) {
		return file.error
	}
	if kind == "" {
		return usageError{err}
	}
	return badUsage("--%s %s: it must be %s", bad.GetFlag().Name, bad.GetValue(), kind)
}
