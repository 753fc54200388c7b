//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package fileio

import (
	"errors"
	"os"
	"syscall"
)

// Lock takes an open file for this program. The system gives the lock up when the file
// is closed or the program ends, however it ends, so that no lock is ever stale. Errors:
// ErrLocked where another program has it, errors.ErrUnsupported where the file system
// knows no locks.
func Lock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrLocked
	case err != nil:
		return errors.ErrUnsupported
	}
	return nil
}
