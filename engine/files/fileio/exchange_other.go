//go:build !linux && !darwin

package fileio

import "errors"

// swap is a variable so that tests can replace it with an unsupported one.
var swap = func(string, string) error { return errors.ErrUnsupported }
