//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package session

import (
	"errors"
	"os"
	"syscall"
)

// Lock takes a file, such as a journal, for this program; ErrLocked: another has
// it. The system gives the lock up when the file is closed or the program ends,
// however it ends, so that no lock is ever stale. A file system that knows no locks
// is used without.
func Lock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return nil
}
