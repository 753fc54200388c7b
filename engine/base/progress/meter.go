// Package progress counts work done, so that a screen can show the progress of long work without a message per
// unit.
//
// A worker calls Start once and Add repeatedly; a reader polls Fraction about ten times a second. All methods
// accept a nil *Meter and are safe for concurrent use.
package progress

import (
	"io"
	"sync/atomic"
)

// Meter is an atomic pair of counters, work done and work to do.
type Meter struct {
	done, total atomic.Int64
}

// Start sets the amount of work to do and resets the work done to zero.
func (m *Meter) Start(total int64) {
	if m == nil {
		return
	}
	m.done.Store(0)
	m.total.Store(total)
}

// Add reports n more units of work as done.
func (m *Meter) Add(n int64) {
	if m != nil {
		m.done.Add(n)
	}
}

// Set sets the work done and the total.
func (m *Meter) Set(done, total int64) {
	if m == nil {
		return
	}
	m.total.Store(total)
	m.done.Store(done)
}

// Fraction returns the share of the work done, in [0,1]; 0 while the total is unknown.
func (m *Meter) Fraction() float64 {
	if m == nil {
		return 0
	}
	total := m.total.Load()
	if total <= 0 {
		return 0
	}
	return min(1, float64(m.done.Load())/float64(total))
}

// Reader counts bytes read as work done.
type Reader struct {
	io.Reader
	Meter *Meter
}

// Read implements io.Reader.
func (r Reader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.Meter.Add(int64(n))
	return n, err
}

// ReaderAt is Reader for an io.ReaderAt.
type ReaderAt struct {
	io.ReaderAt
	Meter *Meter
}

// ReadAt implements io.ReaderAt.
func (r ReaderAt) ReadAt(p []byte, at int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(p, at)
	r.Meter.Add(int64(n))
	return n, err
}
