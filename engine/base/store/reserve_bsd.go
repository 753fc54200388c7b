//go:build freebsd || netbsd || openbsd || dragonfly

package store

import "os"

// nameless returns a new file that has lost its name.
func nameless(folder string) (*os.File, error) { return unlinked(folder) }

// reserve gives a file its size and takes the space.
func reserve(file *os.File, size int64) error { return fill(file, size) }
