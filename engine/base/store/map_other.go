//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package store

import "errors"

// mapNew returns errors.ErrUnsupported: memory-mapped files are not supported on this system.
func mapNew(string, int) (mapped, error) { return mapped{}, errors.ErrUnsupported }

func full(error) bool { return false }
