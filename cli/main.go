// Package cli is the command line, with one file for each command. Main parses the arguments and runs the command:
// commands use session and engine and print the result; those that open the screen run package tui.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/crash"
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/session"
)

// Examples are the files embedded in the program.
type Examples struct {
	Survey []byte // the demonstration, a CSV file
	Guide  []byte // the ten records of the SDC Practice Guide, a CSV file
}

// program is what the commands have in common.
type program struct {
	methods  method.Catalog
	measures measure.Catalog
	examples Examples
}

// Main runs a command line, without the name of the program, and returns the exit status: 0 for success, 2 for a
// usage error, 3 for critical findings, otherwise 1. Results are written to out, messages to errs.
func Main(args []string, out, errs io.Writer, examples Examples) int {
	cmd := newRootCommand(&program{catalog.Methods(), catalog.Measures(), examples})
	cmd.SetArgs(helpFirst(args))
	cmd.SetOut(out)
	cmd.SetErr(errs)
	crash.ForbidCore()
	ctx, signals := watchSignals(context.Background(), errs)
	err := guarded(ctx, cmd)
	if err != nil {
		say(errs, failed, err.Error())
	}
	if broken := signals.stop(); broken && err == nil {
		return 1
	}
	return exitStatus(err)
}

// helpFirst moves --help to where it is understood as a request for help: after an option it would be the option's
// value.
func helpFirst(args []string) []string {
	ends := slices.Index(args, "--")
	if ends < 0 {
		ends = len(args)
	}
	if !slices.Contains(args[:ends], "--help") {
		return args
	}
	option := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") })
	return append(slices.Clone(args[:option]), "--help")
}

// guarded runs a command. A panic becomes an error without any of the data.
func guarded(ctx context.Context, cmd *cobra.Command) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("the program ended unexpectedly: %s", crash.ReportOf(reason))
		}
	}()
	return cmd.ExecuteContext(ctx)
}

// exitStatus returns the exit status for an error or nil.
func exitStatus(err error) int {
	var bad usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &bad):
		return 2
	case errors.Is(err, session.ErrCritical):
		return 3
	}
	return 1
}
