package statfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Source is a file with random access. It never reads or allocates beyond its size, whatever a header claims.
type Source struct {
	name    string
	content io.ReaderAt
	size    int64
	head    func() []byte
	*Budget // of reading the file

	Scratch *store.Store // where columns are stored; nil for the heap
}

// headSize is the number of bytes from which file types are recognised.
const headSize = 1 << 16

// NewSource returns a source with the usual budget; name appears in messages.
func NewSource(name string, content io.ReaderAt, size int64) *Source {
	s := &Source{name: name, content: content, size: size, Budget: NewBudget(name, Usual(size))}
	s.head = sync.OnceValue(func() []byte {
		head := make([]byte, min(headSize, size))
		n, _ := content.ReadAt(head, 0)
		return head[:n]
	})
	return s
}

// Size returns the number of bytes.
func (s *Source) Size() int64 { return s.size }

// Head returns the first bytes of the file, at most 64 KiB. It must not be modified.
func (s *Source) Head() []byte { return s.head() }

// Failure returns an error that wraps err and starts with the name of the file. The sentence must state the
// position and must not contain a value.
func (s *Source) Failure(err error, format string, args ...any) error {
	return Failuref(err, "%s: %s", s.name, fmt.Sprintf(format, args...))
}

// LongCell returns the error for a record, from 1, with a text of more than MostCell bytes.
func (s *Source) LongCell(record int) error {
	return s.Failure(ErrLimit, "record %s has a text that exceeds %s, the limit, in one variable: check the file, or read it without that "+
		"variable (--columns)", wording.Number(record), Megabytes(MostCell))
}

// ReadAt fills bytes from an offset.
func (s *Source) ReadAt(bytes []byte, at int64) (int, error) {
	if err := s.Err(); err != nil {
		return 0, err
	}
	return s.content.ReadAt(bytes, at)
}

// Bytes returns n bytes from an offset in new memory. If the file ends before, it allocates nothing and the error
// wraps ErrDamaged.
func (s *Source) Bytes(at, n int64) ([]byte, error) { return s.BytesIn(nil, at, n) }

// BytesIn is Bytes in the given memory if that is large enough.
func (s *Source) BytesIn(memory []byte, at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || at > s.size || n > s.size-at {
		return nil, s.pastEnd(at, n)
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	if int64(cap(memory)) < n {
		memory = make([]byte, n)
	}
	return memory[:n], s.fill(memory[:n], at)
}

// fill fills out from an offset.
func (s *Source) fill(out []byte, at int64) error {
	n, err := s.content.ReadAt(out, at)
	switch {
	case n == len(out):
		return nil
	case err == nil, errors.Is(err, io.EOF):
		return s.pastEnd(at, int64(len(out)))
	default:
		return fmt.Errorf("%s: %w", s.name, err)
	}
}

func (s *Source) pastEnd(at, n int64) error {
	return s.Failure(ErrDamaged,
		"the file ends at byte %d, but %d bytes are expected from byte %d on: it is truncated or damaged", s.size, n, at)
}

// Cursor returns a cursor at an offset.
func (s *Source) Cursor(at int64, order binary.ByteOrder) *Cursor {
	return &Cursor{source: s, At: at, Order: order}
}

// Cursor reads a header sequentially. After an error it returns zeros, so that Err needs to be checked only before
// values are used.
type Cursor struct {
	source *Source
	At     int64
	Order  binary.ByteOrder
	err    error

	window []byte // bytes from windowAt on
	start  int64
}

// Err returns the first error, which wraps ErrDamaged if the file ended.
func (c *Cursor) Err() error { return c.err }

// Left returns the number of bytes to the end of the file.
func (c *Cursor) Left() int64 { return max(0, c.source.size-c.At) }

// Fail makes the cursor fail at its position, with a sentence that follows the position.
func (c *Cursor) Fail(err error, format string, args ...any) {
	if c.err == nil {
		c.err = c.source.Failure(err, "byte %d: %s", c.At, fmt.Sprintf(format, args...))
	}
}

// Peek returns the next n bytes without advancing, or nil after an error. They are valid until the next call.
func (c *Cursor) Peek(n int) []byte {
	if c.err != nil {
		return nil
	}
	if c.At < 0 || n < 0 || int64(n) > c.Left() {
		c.err = c.source.pastEnd(c.At, int64(n))
		return nil
	}
	const ahead = 1 << 13
	if from := c.At - c.start; from < 0 || from+int64(n) > int64(len(c.window)) {
		c.window = make([]byte, min(max(int64(n), ahead), c.Left()))
		c.start = c.At
		if c.err = c.source.fill(c.window, c.At); c.err != nil {
			return nil
		}
	}
	from := c.At - c.start
	return c.window[from : from+int64(n) : from+int64(n)]
}

// Take returns the next n bytes, or nil after an error. They must not be modified.
func (c *Cursor) Take(n int) []byte {
	bytes := c.Peek(n)
	if c.err == nil {
		c.At += int64(n)
	}
	return bytes
}

// Skip skips n bytes.
func (c *Cursor) Skip(n int64) {
	if c.err == nil && (n < 0 || n > c.Left()) {
		c.err = c.source.pastEnd(c.At, n)
	}
	if c.err == nil {
		c.At += n
	}
}

// Uint8 reads a byte.
func (c *Cursor) Uint8() uint8 {
	if bytes := c.Take(1); bytes != nil {
		return bytes[0]
	}
	return 0
}

// Uint16 reads an unsigned integer of two bytes.
func (c *Cursor) Uint16() uint16 {
	if bytes := c.Take(2); bytes != nil {
		return c.Order.Uint16(bytes)
	}
	return 0
}

// Uint32 reads an unsigned integer of four bytes.
func (c *Cursor) Uint32() uint32 {
	if bytes := c.Take(4); bytes != nil {
		return c.Order.Uint32(bytes)
	}
	return 0
}

// Int32 reads a signed integer of four bytes.
func (c *Cursor) Int32() int32 { return int32(c.Uint32()) }

// Uint64 reads an unsigned integer of eight bytes.
func (c *Cursor) Uint64() uint64 {
	if bytes := c.Take(8); bytes != nil {
		return c.Order.Uint64(bytes)
	}
	return 0
}

// Float64 reads a floating-point number of eight bytes.
func (c *Cursor) Float64() float64 { return math.Float64frombits(c.Uint64()) }
