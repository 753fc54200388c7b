package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/session"
)

// interruptible returns the function of a command: it runs work until that ends or a signal cancels its context.
// leaves describes what an interruption leaves. reads has the flags for reading files, nil if there are none.
// Errors in arguments become usage errors.
func interruptible(
	leaves string, reads *formatFlags, work func(ctx context.Context, cmd *cobra.Command, args []string) error,
) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		ctx := cmd.Context()
		if reads != nil {
			within, end := limited(ctx, reads.most(args), reads.scratch != nil)
			defer end()
			defer reads.scratch.Close() // what is not closed here ends with the program
			ctx = within
		}
		err := work(ctx, cmd, args)
		switch cause := context.Cause(ctx); {
		case errors.Is(err, context.Canceled) && errors.Is(cause, fileio.ErrMemory):
			return cause
		case errors.Is(err, context.Canceled):
			return errors.New("interrupted" + leaves)
		case errors.Is(err, session.ErrPaths), errors.Is(err, session.ErrMeasures),
			errors.Is(err, fileio.ErrSource), errors.Is(err, fileio.ErrName):
			return usageError{err}
		case errors.Is(err, fileio.ErrExists):
			return fmt.Errorf("%w with --force", err)
		}
		return err
	}
}

// nothingWritten is the message of an interrupted command that writes files.
const nothingWritten = "; nothing was written"
