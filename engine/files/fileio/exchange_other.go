//go:build !linux && !darwin

package fileio

import "errors"

// swap is a variable for tests of systems without it.
var swap = func(string, string) error { return errors.ErrUnsupported }
