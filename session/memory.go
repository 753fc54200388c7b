package session

import (
	"context"
	"reflect"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/size"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// memory caches results within a budget of bytes; the least recently used go first. Concurrent callers that want
// the same result share one computation. It is safe for concurrent use.
type memory struct {
	budget int // bytes

	mutex   sync.Mutex
	entries map[string]*cachedResult
	used    int // bytes
	claims  int // number of claims so far
}

// cachedResult is one result; done is closed when it is available or has failed.
type cachedResult struct {
	value any
	err   error
	bytes int // 0: not available yet
	claim int // the latest one
	done  chan struct{}
}

func newMemory(budget int) *memory {
	return &memory{budget: budget, entries: map[string]*cachedResult{}}
}

// countedElsewhere are the types that are cached separately, or belong to the data.
var countedElsewhere = []reflect.Type{reflect.TypeFor[keys.Table](), reflect.TypeFor[microdata.Dataset](),
	reflect.TypeFor[microdata.Column](), reflect.TypeFor[microdata.Categories](), reflect.TypeFor[microdata.Households](),
	reflect.TypeFor[microdata.Level](), reflect.TypeFor[risk.Assessment]()}

// bytesOf returns the memory of a result.
func bytesOf(found any) int {
	const entry = 128 // its key and its time of use
	switch v := found.(type) {
	case interface{ Bytes() int }:
		return entry + v.Bytes()
	case *measure.Entry:
		found = &v.Values
	}
	return entry + size.Held(found, countedElsewhere...)
}

// Get returns the cached result of the key, or computes and caches it. Errors are not cached: if the computing
// caller fails or is cancelled, the next one computes.
func (m *memory) Get(ctx context.Context, key string, compute func() (any, error)) (any, error) {
	for {
		entry, mine := m.claim(key)
		if mine {
			return m.fill(key, entry, compute)
		}
		select {
		case <-entry.done:
			if entry.err == nil {
				return entry.value, nil
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Peek returns the cached result of the key; ok is false if there is none yet.
func (m *memory) Peek(key string) (value any, ok bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	entry, known := m.entries[key]
	if !known || entry.bytes == 0 {
		return nil, false
	}
	return entry.value, true
}

// claim returns the entry of the key; mine reports that the caller has to fill it.
func (m *memory) claim(key string) (entry *cachedResult, mine bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	entry, known := m.entries[key]
	if !known {
		entry = &cachedResult{done: make(chan struct{})}
		m.entries[key] = entry
	}
	m.claims++
	entry.claim = m.claims
	return entry, !known
}

func (m *memory) fill(key string, entry *cachedResult, compute func() (any, error)) (any, error) {
	entry.err = context.Canceled // unless compute returns: if it panics, other callers must not wait for ever
	defer func() {
		m.mutex.Lock()
		defer m.mutex.Unlock()
		if entry.err != nil {
			delete(m.entries, key)
		} else {
			m.keep(entry)
		}
		close(entry.done)
	}()
	entry.value, entry.err = compute()
	return entry.value, entry.err
}

// keep counts a filled entry and removes the oldest ones beyond the budget. The newest entry stays, however large.
func (m *memory) keep(entry *cachedResult) {
	entry.bytes = bytesOf(entry.value)
	m.used += entry.bytes
	for m.used > m.budget {
		oldest, at := entry, ""
		for key, other := range m.entries {
			if other != entry && other.bytes > 0 && (oldest == entry || other.claim < oldest.claim) {
				oldest, at = other, key
			}
		}
		if oldest == entry {
			return
		}
		delete(m.entries, at)
		m.used -= oldest.bytes
	}
}
