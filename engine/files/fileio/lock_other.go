//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package fileio

import (
	"errors"
	"os"
)

// Lock tells that the system has no locks that end with the program.
func Lock(*os.File) error { return errors.ErrUnsupported }
