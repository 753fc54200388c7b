//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package store

import "errors"

// mapNew reports that the system maps no files.
func mapNew(string, int) (mapped, error) { return mapped{}, errors.ErrUnsupported }

func full(error) bool { return false }
