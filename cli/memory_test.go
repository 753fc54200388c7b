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

// A command that takes more memory than it may ends soon, whatever it does, with an error that says so.
func TestCommandsKeepToTheirMemory(t *testing.T) {
	work := func(ctx context.Context, _ *cobra.Command, _ []string) error {
		var kept [][]byte
		for range 1000 {
			block := make([]byte, 1<<20)
			for i := range block {
				block[i] = 1
			}
			kept = append(kept, block)
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Millisecond):
			}
		}
		runtime.KeepAlive(kept)
		return errors.New("not stopped")
	}
	for given, stopped := range map[string]bool{"100MB": true, "8GB": false} {
		cmd := &cobra.Command{RunE: interruptible("", work), SilenceErrors: true, SilenceUsage: true}
		new(formatFlags).add(cmd)
		cmd.SetArgs([]string{"--max-memory", given})
		if err := cmd.ExecuteContext(t.Context()); errors.Is(err, fileio.ErrMemory) != stopped {
			t.Errorf("%s: %v", given, err)
		}
	}
}
