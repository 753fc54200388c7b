package cli

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// A command that exceeds its memory limit ends soon, whatever it does, with an error that says so.
func TestCommandsKeepToTheirMemory(t *testing.T) {
	const taken = 200 << 20
	work := func(wait time.Duration) func(context.Context, *cobra.Command, []string) error {
		return func(ctx context.Context, _ *cobra.Command, _ []string) error {
			kept := make([]byte, taken)
			for at := 0; at < len(kept); at += 512 { // every page is in memory
				kept[at] = 1
			}
			defer runtime.KeepAlive(kept)
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(wait):
				return errors.New("not stopped")
			}
		}
	}
	for given, wait := range map[string]time.Duration{"100MB": time.Minute, "8GB": 5 * checkInterval} {
		stopped := wait == time.Minute
		format := &formatFlags{}
		cmd := &cobra.Command{RunE: interruptible("", format, work(wait)), SilenceErrors: true, SilenceUsage: true}
		format.add(cmd)
		cmd.SetArgs([]string{"--max-memory", given})
		runtime.GC() // garbage of earlier tests would count as memory that the command has from the start
		if err := cmd.ExecuteContext(t.Context()); errors.Is(err, fileio.ErrMemory) != stopped {
			t.Errorf("%s: %v", given, err)
		}
	}
}
