package fileio

import "golang.org/x/sys/unix"

// swap is a variable for tests of systems without it.
var swap = func(one, two string) error { return unix.RenamexNp(one, two, unix.RENAME_SWAP) }
