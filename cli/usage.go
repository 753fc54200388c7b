package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// usageError is a command line that cannot be understood.
type usageError struct{ err error }

// Error says what cannot be understood.
func (e usageError) Error() string { return e.err.Error() }

// Unwrap returns the reason.
func (e usageError) Unwrap() error { return e.err }

// badUsage is the error of a command line, for a reason.
func badUsage(format string, values ...any) error { return usageError{fmt.Errorf(format, values...)} }

// takes checks how many names a command is given, and says which it takes.
func takes(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if least <= len(args) && len(args) <= most {
			return nil
		}
		return badUsage("%s takes %s, not %s: %s", cmd.Name(), what, wording.Counted(len(args), "name"),
			strings.TrimSuffix(cmd.UseLine(), " [flags]"))
	}
}

// addJSON adds the flag by which a command prints JSON.
func addJSON(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print JSON")
}

// completes has the shell complete the values of a flag: these, or none.
func completes(cmd *cobra.Command, flag string, values ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// fileProblem is what is wrong with the file that a flag names: that is no bad usage.
type fileProblem struct{ error }

// badFlag says what a flag is to be where it is none of its kind.
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
