//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package fileio

import (
	"errors"
	"os"
	"syscall"
)

// Lock locks an open file for this program. The system releases the lock when the file is closed or the program
// ends, however it ends, so locks are never stale. It returns ErrLocked if another program has the lock, or
// errors.ErrUnsupported if the file system has no locks.
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
