package fileio

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Lock locks an open file for this program; see lock_unix.go. The locked byte is far behind the end of the file:
// on Windows a lock prevents reading, and the list of sessions reads journals that are in use.
func Lock(file *os.File) error {
	place := &windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(file.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, place)
	switch {
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION):
		return ErrLocked
	case err != nil:
		return errors.ErrUnsupported
	}
	return nil
}
