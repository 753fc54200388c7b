package statfile

import (
	"context"
	"math"
	"strconv"
	"sync/atomic"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Limits of what is read, whatever a file holds.
const (
	MostCell      = 1 << 20 // bytes of the text of a cell
	MostName      = 10_000  // characters of the name of a variable
	MostVariables = 250_000

	// LabelBytes is the memory that a label of a value of a variable takes, in bytes. Files say
	// once which labels many variables have.
	LabelBytes = 160
)

// Budget is the memory that reading a file may take. Memory that something in the file
// asks for is taken from it before it is allocated: Blocks do so for records, and stop
// the reading once there is no more. It is for any number of goroutines.
type Budget struct {
	most    int64
	taken   atomic.Int64
	over    atomic.Bool
	reached error
	ended   atomic.Pointer[error] // why the reading ended; nil: it did not
	stop    atomic.Pointer[context.CancelCauseFunc]
}

// Usual returns the memory in bytes that records of a file of a size may take, where nobody
// says another: records that are written a thousand times as short are made to fill memory.
func Usual(size int64) int64 {
	const least, mostShrunk = 64 << 20, 1000
	return least + mostShrunk*min(size, math.MaxInt64/mostShrunk/2)
}

// NewBudget returns the budget of a file: most is in bytes. The error that tells when there
// is no more wraps ErrMemory and starts with the name.
func NewBudget(name string, most int64) *Budget {
	return &Budget{most: most, reached: Failuref(ErrMemory,
		"%s: reading the file needs more memory than the limit of %s: read only the necessary variables (--columns), "+
			"raise the limit (--max-memory), or keep the records in temporary files of a folder (--scratch)",
		name, Megabytes(most))}
}

// Megabytes returns a number of bytes in words: "64 MB", "1.5 GB".
func Megabytes(bytes int64) string {
	if bytes < 1<<30 {
		return strconv.FormatInt(bytes>>20, 10) + " MB"
	}
	return strconv.FormatFloat(math.Round(float64(bytes)/(1<<30)*10)/10, 'f', -1, 64) + " GB"
}

// During returns a context that ends, with the error as its cause, when there is no more.
func (b *Budget) During(ctx context.Context) (context.Context, context.CancelFunc) {
	within, stop := context.WithCancelCause(ctx)
	b.stop.Store(&stop)
	return within, func() { stop(context.Canceled) }
}

// Take takes memory that is kept, in bytes; negative numbers give it back.
func (b *Budget) Take(bytes int64) error {
	if taken := b.taken.Add(bytes); !b.over.Load() && (taken <= b.most || bytes <= 0) {
		return nil
	}
	return b.End(b.reached)
}

// End ends the reading with an error, unless it has ended already, and returns the one that it ended with.
func (b *Budget) End(err error) error {
	b.ended.CompareAndSwap(nil, &err)
	b.over.Store(true)
	if stop := b.stop.Load(); stop != nil {
		(*stop)(*b.ended.Load())
	}
	return *b.ended.Load()
}

// Fits reports what is not to be had, for memory that is taken for a moment or is only
// claimed so far.
func (b *Budget) Fits(bytes int64) error {
	if b.over.Load() || bytes < 0 || bytes > b.most-b.taken.Load() {
		return b.reached
	}
	return nil
}

// Aside reports memory, in bytes and in all, that something of the file which is no record would
// take: lists of what records refer to. Of what compresses well that is not much.
func (s *Source) Aside(bytes int64) error {
	const least, mostShrunk, part = 16 << 20, 50, 16
	most := max(s.most/part, min(s.most, least+mostShrunk*s.size))
	if bytes <= most {
		return nil
	}
	return NewBudget(s.name, most).reached
}

// CheckVariables reports more variables than are read, before there is memory for them; the
// error wraps ErrLimit.
func (s *Source) CheckVariables(count int64) error {
	if count <= MostVariables {
		return nil
	}
	return s.Failure(ErrLimit, "the file exceeds %s variables, the limit: check the file type", wording.Number(MostVariables))
}

// Err returns the error once there is no more.
func (b *Budget) Err() error {
	if b.over.Load() {
		return *b.ended.Load()
	}
	return nil
}

// Within gives the source a budget other than the usual one; nil: it keeps that.
func (s *Source) Within(b *Budget) *Source {
	if b != nil {
		s.Budget = b
	}
	return s
}
