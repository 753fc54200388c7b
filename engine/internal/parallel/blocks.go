// Package parallel processes ranges of integers in blocks on several processors, and stops between blocks when the
// context is cancelled.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/sdcdesk/sdcdesk/engine/base/crash"
)

// Block is the number of items between checks of the context.
const Block = 1 << 14

// Workers returns the number of goroutines worth using for n items, at most limit: one if the range is small.
func Workers(n, limit int) int {
	return max(1, min(limit, runtime.GOMAXPROCS(0), (n+Block-1)/Block))
}

// Blocks calls work for the blocks [from, to) of the range [0, n) on the given number of goroutines; worker is the
// number of the goroutine. The assignment of blocks is not deterministic, so results must not depend on it. If the
// context ends first, some blocks are not processed and Blocks returns its error.
func Blocks(ctx context.Context, n, workers int, work func(worker, from, to int)) error {
	return Tasks(ctx, (n+Block-1)/Block, workers, func(worker, task int) {
		work(worker, task*Block, min(task*Block+Block, n))
	})
}

// Tasks calls work for the tasks 0 to n-1 on the given number of goroutines, like Blocks. A panic of work is
// repeated in the caller, so that the screen can be restored before the program ends.
func Tasks(ctx context.Context, n, workers int, work func(worker, task int)) error {
	if workers <= 1 {
		for task := range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			work(0, task)
		}
		return ctx.Err()
	}
	var next atomic.Int64
	var group sync.WaitGroup
	var panicked atomic.Pointer[crash.Report]
	for worker := range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			panicking := caught(func() {
				for ctx.Err() == nil {
					task := int(next.Add(1)) - 1
					if task >= n {
						return
					}
					work(worker, task)
				}
			})
			if panicking != nil {
				panicked.CompareAndSwap(nil, panicking)
				next.Store(int64(n)) // skip the remaining tasks
			}
		}()
	}
	group.Wait()
	if panicking := panicked.Load(); panicking != nil {
		panic(*panicking)
	}
	return ctx.Err()
}

// Each calls work for the tasks 0 to n-1 on as many goroutines as there are processors. It returns the error of
// the failed task with the lowest number, or that of the context.
func Each(ctx context.Context, n int, work func(task int) error) error {
	return EachWith(ctx, n, func(_ *struct{}, task int) error { return work(task) })
}

// EachWith is Each with memory that a goroutine reuses for its tasks.
func EachWith[M any](ctx context.Context, n int, work func(memory *M, task int) error) error {
	return EachLarge(ctx, n, 0, work)
}

// EachLarge is EachWith for tasks that take so many bytes each. If that is large, fewer goroutines are used, so
// that the total memory does not depend on the number of processors.
func EachLarge[M any](ctx context.Context, n int, bytes int64, work func(memory *M, task int) error) error {
	const together = 64 << 20
	workers := min(runtime.GOMAXPROCS(0), n, max(1, int(together/max(1, bytes))))
	failed, memory := make([]error, n), make([]M, max(1, workers))
	err := Tasks(ctx, n, workers, func(worker, task int) { failed[task] = work(&memory[worker], task) })
	for _, reason := range failed {
		if err == nil {
			err = reason
		}
	}
	return err
}
