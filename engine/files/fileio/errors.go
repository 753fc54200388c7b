package fileio

import (
	"errors"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Errors of reading and writing files. Returned errors wrap one of them, and describe where the problem is and
// what to do.
var (
	ErrEmpty     = errors.New("the file is empty")
	ErrRagged    = errors.New("a record has too few or too many fields")
	ErrQuote     = errors.New("a quote is not closed, or text follows it")
	ErrEncoding  = statfile.ErrEncoding
	ErrNotText   = errors.New("the file is not a text file")
	ErrDirectory = errors.New("the path is a folder")
	ErrFormat    = errors.New("the description of the file format is not valid")
	ErrExists    = errors.New("the file exists")
	ErrLocked    = errors.New("the file is in use by another program")
	ErrSource    = errors.New("the file is the source of the data")
	ErrMemory    = statfile.ErrMemory
	ErrLimit     = statfile.ErrLimit
	ErrName      = errors.New("the file name has the extension of another file type")
	ErrNoLabels  = errors.New("the codebook would be empty")
)

// failure returns an error with the given message that wraps err without its text.
func failure(err error, format string, args ...any) error {
	return statfile.Failuref(err, format, args...)
}

// failureAt returns an error at a line of a file, counted from 1, including line breaks inside quotes:
// "survey.csv, line 4,127: 23 fields, expected 22". It never contains the value of a cell.
func failureAt(err error, file string, line int, format string, args ...any) error {
	return failure(err, "%s, line %s: %s", file, wording.Number(line), fmt.Sprintf(format, args...))
}
