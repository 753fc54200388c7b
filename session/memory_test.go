package session

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
)

func TestMemoryLetsGoWhatWasUsedLongestAgo(t *testing.T) {
	ctx := context.Background()
	m := newMemory(3 * bytesOf(0))
	computed := 0
	get := func(key int) {
		value, err := m.Get(ctx, strconv.Itoa(key), func() (any, error) { computed++; return 10 * key, nil })
		if err != nil || value != 10*key {
			t.Fatalf("%d: %v, %v", key, value, err)
		}
	}
	for _, key := range []int{1, 2, 3, 1, 4} { // 2 is dropped
		get(key)
	}
	for _, key := range []int{1, 3, 4} {
		get(key)
	}
	if computed != 4 {
		t.Errorf("computed %d times, want 4", computed)
	}
	if get(2); computed != 5 || m.used != 3*bytesOf(0) || len(m.entries) != 3 {
		t.Errorf("computed %d times, %d bytes in %d entries", computed, m.used, len(m.entries))
	}
}

func TestMemorySharesOneComputation(t *testing.T) {
	m := newMemory(1 << 20)
	var computed atomic.Int32
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			value, err := m.Get(context.Background(), "x", func() (any, error) { computed.Add(1); return 7, nil })
			if value != 7 || err != nil {
				t.Errorf("%v, %v", value, err)
			}
		})
	}
	group.Wait()
	if computed.Load() != 1 {
		t.Errorf("computed %d times", computed.Load())
	}
}

func TestMemoryKeepsNoErrors(t *testing.T) {
	m := newMemory(1 << 20)
	broken := errors.New("broken")
	started, release := make(chan bool), make(chan bool)
	var group sync.WaitGroup
	group.Go(func() {
		_, err := m.Get(context.Background(), "x", func() (any, error) { close(started); <-release; return 0, broken })
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
		value, err := m.Get(context.Background(), "x", func() (any, error) { return 3, nil })
		if value != 3 || err != nil {
			t.Errorf("second caller: %v, %v", value, err)
		}
	})
	close(release)
	group.Wait()
}

// A cached measure counts with everything in its result.
func TestMemoryCountsResults(t *testing.T) {
	data, _ := readText(t, smallText)
	scenario := smallScenario()
	for _, spec := range catalog.Measures() {
		a := NewAnalyst()
		found, err := a.Measure(context.Background(), data, &scenario, MeasureSpec{Name: spec.Name}, nil)
		must(t, err)
		held := bytesOf(&found.Current.Values)
		if a.memo.used < held || held > 1<<18 {
			t.Errorf("%s: %d bytes are counted, what was found has %d", spec.Name, a.memo.used, held)
		}
	}
}
