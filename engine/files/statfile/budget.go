package statfile

import (
	"context"
	"math"
	"strconv"
	"sync/atomic"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Limits on what is read from any file.
const (
	MostCell      = 1 << 20 // bytes of a text cell
	MostName      = 10_000  // characters of a variable name
	MostVariables = 250_000

	// LabelBytes is the approximate memory in bytes of a value label of a variable. Files can share a list of
	// labels among many variables.
	LabelBytes = 160
)

// Budget limits the memory for reading a file. Memory whose size the file determines is taken from the budget
// before it is allocated: Blocks do so for records, and stop reading when the budget is exhausted. It is safe for
// concurrent use.
type Budget struct {
	most    int64
	taken   atomic.Int64
	over    atomic.Bool
	reached error
	ended   atomic.Pointer[error] // reason why reading ended; nil if it did not
	stop    atomic.Pointer[context.CancelCauseFunc]
}

// Usual returns the default limit of memory in bytes for the records of a file of a size. Records compressed a
// thousandfold are assumed to be an attack.
func Usual(size int64) int64 {
	const least, mostShrunk = 64 << 20, 1000
	return least + mostShrunk*min(size, math.MaxInt64/mostShrunk/2)
}

// NewBudget returns a budget of most bytes for a file. Its error wraps ErrMemory and starts with the name.
func NewBudget(name string, most int64) *Budget {
	return &Budget{most: most, reached: Failuref(ErrMemory,
		"%s: reading the file needs more memory than the limit of %s: read only the necessary variables (--columns), "+
			"raise the limit (--max-memory), or keep the records in temporary files of a folder (--scratch)",
		name, Megabytes(most))}
}

// Megabytes formats a number of bytes: "64 MB", "1.5 GB".
func Megabytes(bytes int64) string {
	if bytes < 1<<30 {
		return strconv.FormatInt(bytes>>20, 10) + " MB"
	}
	return strconv.FormatFloat(math.Round(float64(bytes)/(1<<30)*10)/10, 'f', -1, 64) + " GB"
}

// During returns a context that is cancelled, with the error as cause, when the budget is exhausted.
func (b *Budget) During(ctx context.Context) (context.Context, context.CancelFunc) {
	within, stop := context.WithCancelCause(ctx)
	b.stop.Store(&stop)
	return within, func() { stop(context.Canceled) }
}

// Take takes bytes from the budget; a negative number returns them.
func (b *Budget) Take(bytes int64) error {
	if taken := b.taken.Add(bytes); !b.over.Load() && (taken <= b.most || bytes <= 0) {
		return nil
	}
	return b.End(b.reached)
}

// End ends the reading with an error, and returns the first error with which it was ended.
func (b *Budget) End(err error) error {
	b.ended.CompareAndSwap(nil, &err)
	b.over.Store(true)
	if stop := b.stop.Load(); stop != nil {
		(*stop)(*b.ended.Load())
	}
	return *b.ended.Load()
}

// Fits returns an error if the budget does not have that many bytes, without taking them: for temporary memory, or
// sizes that are not confirmed yet.
func (b *Budget) Fits(bytes int64) error {
	if b.over.Load() || bytes < 0 || bytes > b.most-b.taken.Load() {
		return b.reached
	}
	return nil
}

// Aside returns an error if the file requires too many bytes in total for data other than records, such as lists
// that records refer to. The limit is small for a small file, even if it is well compressed.
func (s *Source) Aside(bytes int64) error {
	const least, mostShrunk, part = 16 << 20, 50, 16
	most := max(s.most/part, min(s.most, least+mostShrunk*s.size))
	if bytes <= most {
		return nil
	}
	return NewBudget(s.name, most).reached
}

// CheckVariables returns an error that wraps ErrLimit if there are too many variables, before memory is allocated
// for them.
func (s *Source) CheckVariables(count int64) error {
	if count <= MostVariables {
		return nil
	}
	return s.Failure(ErrLimit, "the file exceeds %s variables, the limit: check the file type", wording.Number(MostVariables))
}

// Err returns the error with which reading was ended, or nil.
func (b *Budget) Err() error {
	if b.over.Load() {
		return *b.ended.Load()
	}
	return nil
}

// Within sets the budget of the source unless b is nil.
func (s *Source) Within(b *Budget) *Source {
	if b != nil {
		s.Budget = b
	}
	return s
}
