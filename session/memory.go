package session

import (
	"container/list"
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
	entries map[K]*list.Element // of *remembered[K, V]
	order   *list.List          // used last first
	used    int64
}

// remembered is one result; done is closed when it is there or has failed.
type remembered[K comparable, V any] struct {
	key   K
	value V
	err   error
	bytes int64
	done  chan struct{}
}

func newMemory[K comparable, V any](budget int64, size func(V) int64) *memory[K, V] {
	return &memory[K, V]{budget: budget, size: size, entries: map[K]*list.Element{}, order: list.New()}
}

// Get returns the result kept for the key, or computes and keeps it. Errors
// are not kept: where the caller that computes fails or is cancelled, the next
// one computes.
func (m *memory[K, V]) Get(ctx context.Context, key K, compute func() (V, error)) (V, error) {
	for {
		entry, mine := m.claim(key)
		if mine {
			return m.fill(entry, compute)
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
func (m *memory[K, V]) claim(key K) (entry *remembered[K, V], mine bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if element, ok := m.entries[key]; ok {
		m.order.MoveToFront(element)
		return element.Value.(*remembered[K, V]), false
	}
	entry = &remembered[K, V]{key: key, done: make(chan struct{})}
	m.entries[key] = m.order.PushFront(entry)
	return entry, true
}

func (m *memory[K, V]) fill(entry *remembered[K, V], compute func() (V, error)) (V, error) {
	filled := false
	defer func() {
		if !filled { // compute panicked: those who wait must not wait for ever
			entry.err = context.Canceled
			m.drop(entry)
			close(entry.done)
		}
	}()
	entry.value, entry.err = compute()
	filled = true
	if entry.err != nil {
		m.drop(entry)
	} else {
		m.keep(entry)
	}
	close(entry.done)
	return entry.value, entry.err
}

// keep counts a filled entry in and lets go what the budget does not hold. The
// newest entry stays, however large.
func (m *memory[K, V]) keep(entry *remembered[K, V]) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	entry.bytes = m.size(entry.value)
	m.used += entry.bytes
	for element := m.order.Back(); element != nil && m.used > m.budget; {
		oldest := element.Value.(*remembered[K, V])
		element = element.Prev()
		if oldest != entry && oldest.bytes > 0 {
			m.remove(oldest)
		}
	}
}

func (m *memory[K, V]) drop(entry *remembered[K, V]) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.remove(entry)
}

func (m *memory[K, V]) remove(entry *remembered[K, V]) {
	m.order.Remove(m.entries[entry.key])
	delete(m.entries, entry.key)
	m.used -= entry.bytes
}
