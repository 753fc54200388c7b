//go:build freebsd || netbsd || openbsd || dragonfly

package store

import "os"

// nameless returns a new file without a name.
func nameless(folder string) (*os.File, error) { return unlinked(folder) }

// reserve sets the size of a file and reserves the space.
func reserve(file *os.File, size int64) error { return fill(file, size) }
