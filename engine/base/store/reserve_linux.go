package store

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// nameless returns a new file that never has a name or, if the file system does not support that, is unlinked.
func nameless(folder string) (*os.File, error) {
	fd, err := unix.Open(folder, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	switch {
	case err == nil:
		return os.NewFile(uintptr(fd), folder), nil
	case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.EISDIR), errors.Is(err, unix.EINVAL):
		return unlinked(folder)
	}
	return nil, err
}

// reserve sets the size of a file and reserves the space.
func reserve(file *os.File, size int64) error {
	for {
		switch err := unix.Fallocate(int(file.Fd()), 0, 0, size); {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENOSYS):
			return fill(file, size)
		default:
			return err
		}
	}
}
