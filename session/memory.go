package session

import (
	"context"
	"sync"
)

// memory keeps what was computed lately, within a budget of bytes; what was
// used longest ago goes first. Two callers that want the same at the same time
// share one computation. It is safe for concurrent use.
type memory[K comparable, V any] struct {
	budget int64
	size   func(V) int64

	mutex   sync.Mutex
	entries map[K]*remembered[V]
	used    int64 // bytes
	claims  int64 // so far
}

// remembered is one result; done is closed when it is there or has failed.
type remembered[V any] struct {
	value V
	err   error
	bytes int64 // 0: not there yet
	claim int64 // the last one
	done  chan struct{}
}

func newMemory[K comparable, V any](budget int64, size func(V) int64) *memory[K, V] {
	return &memory[K, V]{budget: budget, size: size, entries: map[K]*remembered[V]{}}
}

// Get returns the result kept for the key, or computes and keeps it. Errors
// are not kept: where the caller that computes fails or is cancelled, the next
// one computes.
func (m *memory[K, V]) Get(ctx context.Context, key K, compute func() (V, error)) (V, error) {
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
			var none V
			return none, ctx.Err()
		}
	}
}

// claim returns the entry of the key; mine says that the caller has to fill it.
func (m *memory[K, V]) claim(key K) (entry *remembered[V], mine bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	entry, known := m.entries[key]
	if !known {
		entry = &remembered[V]{done: make(chan struct{})}
		m.entries[key] = entry
	}
	m.claims++
	entry.claim = m.claims
	return entry, !known
}

func (m *memory[K, V]) fill(key K, entry *remembered[V], compute func() (V, error)) (V, error) {
	entry.err = context.Canceled // unless compute returns: where it panics, those who wait must not wait for ever
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

// keep counts a filled entry in and lets go what the budget does not hold. The
// newest entry stays, however large.
func (m *memory[K, V]) keep(entry *remembered[V]) {
	entry.bytes = m.size(entry.value)
	m.used += entry.bytes
	for m.used > m.budget {
		oldest, at := entry, *new(K)
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
