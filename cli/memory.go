package cli

import (
	"context"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// leastForWork is the memory in bytes that a command may always use, unless --max-memory is lower.
const leastForWork = 2 << 30

// most returns how many bytes a command may use in total: the value of --max-memory, otherwise what reading its
// files may use, at least leastForWork. It returns 0 for an invalid value.
func (f *formatFlags) most(args []string) int64 {
	if most, err := bytesOf(f.memory); err != nil || most > 0 {
		return most // the command reports an invalid value
	}
	size := int64(0)
	for _, name := range args {
		if info, err := os.Stat(name); err == nil {
			size += info.Size()
		}
	}
	return max(leastForWork, statfile.Usual(size))
}

// checkInterval is the interval at which the memory of a command is checked.
const checkInterval = 20 * time.Millisecond

// mostCollected is the memory in bytes beyond which the garbage collector works harder if records are in scratch
// space, because garbage would displace their pages.
const mostCollected = 384 << 20

// limited returns a context that is cancelled when the program uses most bytes more than now, with a cause that
// wraps fileio.ErrMemory; 0 is no limit. The garbage collector works harder before that. stop ends the watch.
func limited(ctx context.Context, most int64, scratch bool) (within context.Context, stop func()) {
	if most <= 0 {
		return ctx, func() {}
	}
	within, end := context.WithCancelCause(ctx)
	before, began := debug.SetMemoryLimit(-1), takenMemory()
	if soft := began + most - most/8; soft < before {
		debug.SetMemoryLimit(soft)
	}
	if scratch {
		debug.SetMemoryLimit(min(debug.SetMemoryLimit(-1), began+mostCollected))
	}
	go func() {
		tick := time.NewTicker(checkInterval)
		defer tick.Stop()
		for within.Err() == nil {
			select {
			case <-within.Done():
			case <-tick.C:
				if takenMemory()-began > most {
					end(statfile.Failuref(fileio.ErrMemory, "the command needs more memory than the limit of %s: read only the "+
						"necessary variables (--columns), raise the limit (--max-memory), or keep the records in temporary files of a folder "+
						"(--scratch)", statfile.Megabytes(most)))
				}
			}
		}
	}()
	return within, func() { end(context.Canceled); debug.SetMemoryLimit(before) }
}

// takenMemory returns the bytes that the program has from the system and uses.
func takenMemory() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(samples)
	taken := samples[0].Value.Uint64() - samples[1].Value.Uint64() - samples[2].Value.Uint64()
	return int64(min(taken, math.MaxInt64))
}
