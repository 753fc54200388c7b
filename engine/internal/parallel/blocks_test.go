package parallel

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/crash"
)

func TestBlocksCoverTheRange(t *testing.T) {
	for _, n := range []int{0, 1, Block - 1, Block, Block + 1, 5*Block + 7} {
		for _, workers := range []int{1, 2, 7} {
			seen := make([]int, n)
			err := Blocks(context.Background(), n, workers, func(worker, from, to int) {
				if worker < 0 || worker >= workers || to-from > Block {
					t.Errorf("worker %d of %d got %d to %d", worker, workers, from, to)
				}
				for i := from; i < to; i++ {
					seen[i]++
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			for i, times := range seen {
				if times != 1 {
					t.Fatalf("%d of %d was done %d times by %d workers", i, n, times, workers)
				}
			}
		}
	}
}

func TestCancelStopsBetweenBlocks(t *testing.T) {
	for _, workers := range []int{1, 3} {
		ctx, cancel := context.WithCancel(context.Background())
		var blocks atomic.Int64
		err := Blocks(ctx, 1000*Block, workers, func(_, _, _ int) {
			if blocks.Add(1) == 5 {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) || blocks.Load() > 5+int64(workers) {
			t.Errorf("%d workers: error %v after %d blocks", workers, err, blocks.Load())
		}
	}
}

func TestWorkers(t *testing.T) {
	if got := Workers(0, 8); got != 1 {
		t.Errorf("%d workers for nothing", got)
	}
	if got := Workers(Block, 8); got != 1 {
		t.Errorf("%d workers for one block", got)
	}
	if got := Workers(100*Block, 1); got != 1 {
		t.Errorf("%d workers where one is allowed", got)
	}
}

func TestPanicIsTheCallers(t *testing.T) {
	for _, workers := range []int{1, 4} {
		func() {
			defer func() {
				if reason := crash.ReportOf(recover()); !strings.Contains(string(reason), "blocks_test.go") {
					t.Errorf("%d workers: recovered %q", workers, reason)
				}
			}()
			_ = Tasks(context.Background(), 100, workers, func(_, task int) {
				if task == 7 {
					panic("broken")
				}
			})
			t.Errorf("%d workers: no panic", workers)
		}()
	}
}

func TestEachReturnsTheFirstError(t *testing.T) {
	var done atomic.Int64
	err := Each(context.Background(), 50, func(task int) error {
		done.Add(1)
		if task%20 == 7 {
			return fmt.Errorf("task %d", task)
		}
		return nil
	})
	if err == nil || err.Error() != "task 7" || done.Load() != 50 {
		t.Errorf("error %v after %d tasks", err, done.Load())
	}
}
