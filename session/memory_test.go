package session

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

func TestMemoryLetsGoWhatWasUsedLongestAgo(t *testing.T) {
	ctx := context.Background()
	m := newMemory[int](3, func(int) int64 { return 1 })
	computed := 0
	get := func(key int) {
		value, err := m.Get(ctx, key, func() (int, error) { computed++; return 10 * key, nil })
		if err != nil || value != 10*key {
			t.Fatalf("%d: %d, %v", key, value, err)
		}
	}
	for _, key := range []int{1, 2, 3, 1, 4} { // 2 goes
		get(key)
	}
	for _, key := range []int{1, 3, 4} {
		get(key)
	}
	if computed != 4 {
		t.Errorf("computed %d times, want 4", computed)
	}
	if get(2); computed != 5 || m.used != 3 || len(m.entries) != 3 {
		t.Errorf("computed %d times, %d bytes in %d entries", computed, m.used, len(m.entries))
	}
}

func TestMemorySharesOneComputation(t *testing.T) {
	m := newMemory[string](100, func(int) int64 { return 1 })
	var computed atomic.Int32
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			value, err := m.Get(context.Background(), "x", func() (int, error) { computed.Add(1); return 7, nil })
			if value != 7 || err != nil {
				t.Errorf("%d, %v", value, err)
			}
		})
	}
	group.Wait()
	if computed.Load() != 1 {
		t.Errorf("computed %d times", computed.Load())
	}
}

func TestMemoryKeepsNoErrors(t *testing.T) {
	m := newMemory[string](100, func(int) int64 { return 1 })
	broken := errors.New("broken")
	started, release := make(chan bool), make(chan bool)
	var group sync.WaitGroup
	group.Go(func() {
		_, err := m.Get(context.Background(), "x", func() (int, error) { close(started); <-release; return 0, broken })
		if !errors.Is(err, broken) {
			t.Errorf("first caller: %v", err)
		}
	})
	<-started
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Get(ctx, "x", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while waiting: %v", err)
	}
	group.Go(func() {
		value, err := m.Get(context.Background(), "x", func() (int, error) { return 3, nil })
		if value != 3 || err != nil {
			t.Errorf("second caller: %d, %v", value, err)
		}
	})
	close(release)
	group.Wait()
}
