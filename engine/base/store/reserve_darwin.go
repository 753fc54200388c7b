package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// nameless returns a new file without a name.
func nameless(folder string) (*os.File, error) { return unlinked(folder) }

// reserve sets the size of a file and reserves the space.
func reserve(file *os.File, size int64) error {
	wanted := unix.Fstore_t{Flags: unix.F_ALLOCATEALL, Posmode: unix.F_PEOFPOSMODE, Length: size}
	err := unix.FcntlFstore(file.Fd(), unix.F_PREALLOCATE, &wanted)
	if full(err) {
		return err
	}
	if err != nil { // file systems without support
		return fill(file, size)
	}
	return file.Truncate(size)
}
