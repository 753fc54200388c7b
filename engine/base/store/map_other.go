//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package store

import "errors"

type handle struct{}

// mapNew reports that the system maps no files.
func mapNew(string, int) (mapped, error) { return mapped{}, errors.ErrUnsupported }

func (m mapped) release() error { return nil }

func full(error) bool { return false }
