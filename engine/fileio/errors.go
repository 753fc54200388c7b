package fileio

import (
	"errors"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Errors of reading and writing files. What is returned wraps one of them and
// says where and what to do.
var (
	ErrEmpty     = errors.New("the file is empty")
	ErrRagged    = errors.New("a record has too few or too many fields")
	ErrQuote     = errors.New("a quote is not closed, or text follows it")
	ErrEncoding  = errors.New("text does not fit the encoding")
	ErrNotText   = errors.New("the file is not a text file")
	ErrDirectory = errors.New("the path is a folder")
	ErrFormat    = errors.New("the description of the file format is not usable")
	ErrExists    = errors.New("the file exists")
	ErrSource    = errors.New("the file is the source of the data")
	ErrName      = errors.New("the name is that of another kind of file")
)

// LineError is an error at a line of a file. It never has a value of a cell.
type LineError struct {
	File    string // the file's name
	Line    int    // counted from 1, line breaks inside quotes included
	Message string // what is wrong and what to do
	Err     error  // the sentinel
}

// Error returns "survey.csv, line 4,127: 23 fields, expected 22".
func (e *LineError) Error() string {
	return fmt.Sprintf("%s, line %s: %s", e.File, wording.Number(e.Line), e.Message)
}

// Unwrap returns the sentinel.
func (e *LineError) Unwrap() error { return e.Err }

// wrapped is an error with a message of its own that is one of the sentinels.
type wrapped struct {
	message string
	err     error
}

func (w *wrapped) Error() string { return w.message }
func (w *wrapped) Unwrap() error { return w.err }

func failure(err error, format string, args ...any) error {
	return &wrapped{fmt.Sprintf(format, args...), err}
}
