package fileio

import "golang.org/x/sys/unix"

// swap is a variable so that tests can replace it with an unsupported one.
var swap = func(one, two string) error {
	return unix.Renameat2(unix.AT_FDCWD, one, unix.AT_FDCWD, two, unix.RENAME_EXCHANGE)
}
