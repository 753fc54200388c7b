package statfile

import (
	"errors"
	"fmt"
)

// Errors of reading and writing.
var (
	ErrDamaged     = errors.New("the file is damaged")
	ErrUnsupported = errors.New("the file uses an unsupported feature")
	ErrEncoding    = errors.New("text does not fit the encoding")
	ErrMemory      = errors.New("the data exceed the memory limit")
	ErrLimit       = errors.New("the file exceeds a limit")
	ErrUnwritable  = errors.New("the format cannot hold the data")
)

// Failure is an error with its own sentence.
type Failure struct {
	sentence string
	err      error
}

// Failuref returns an error that wraps err, with a sentence of its own.
func Failuref(err error, format string, args ...any) error {
	return &Failure{fmt.Sprintf(format, args...), err}
}

// Error implements error.
func (f *Failure) Error() string { return f.sentence }

// Unwrap returns the wrapped error.
func (f *Failure) Unwrap() error { return f.err }
