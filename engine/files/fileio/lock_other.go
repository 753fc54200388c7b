//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package fileio

import (
	"errors"
	"os"
)

// Lock returns errors.ErrUnsupported: the system has no locks that are released when a program ends.
func Lock(*os.File) error { return errors.ErrUnsupported }
