package main

import "github.com/spf13/cobra"

// usageError is a command line that cannot be understood.
type usageError struct{ err error }

// Error says what cannot be understood.
func (e usageError) Error() string { return e.err.Error() }

// Unwrap returns the reason.
func (e usageError) Unwrap() error { return e.err }

// usage marks the errors of an argument check as bad usage.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{err}
		}
		return nil
	}
}
