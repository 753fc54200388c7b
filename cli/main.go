// Package cli is the command line: one file for each command. A command reads what was
// typed, lets session and engine do the work, and prints; those that open the screen run
// tui.
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

// Examples are the files that the program brings along.
type Examples struct {
	Survey []byte // the demonstration, a CSV file
	Guide  []byte // the ten records of the SDC practice guide, a CSV file
}

// program is what the commands work with.
type program struct {
	methods  method.Catalog
	measures measure.Catalog
	examples Examples
}

// Main carries out a command line, without the name of the program, and returns the exit
// status: 0, 2 of bad usage, 3 of critical findings, else 1. Results are written to out, messages to errs.
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

// helpFirst returns the arguments with --help where it is taken for the question that it
// is: behind an option it would be the value of that.
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

// guarded carries out a command. A panic becomes an error that holds nothing of the data.
func guarded(ctx context.Context, cmd *cobra.Command) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("the program ended unexpectedly: %s", crash.Told(reason))
		}
	}()
	return cmd.ExecuteContext(ctx)
}

// exitStatus returns the exit status of an error, or of none.
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
