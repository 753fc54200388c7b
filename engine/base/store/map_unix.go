//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package store

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// mapNew maps a new file in a folder after reserving its space.
func mapNew(folder string, size int) (mappedArray, error) {
	file, err := nameless(folder)
	if err != nil {
		return mappedArray{}, err
	}
	defer file.Close()
	if err := reserve(file, int64(size)); err != nil {
		return mappedArray{}, err
	}
	bytes, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	return mappedArray{bytes, func() error { return unix.Munmap(bytes) }}, err
}

// unlinked returns a new file, already unlinked.
func unlinked(folder string) (*os.File, error) {
	file, err := os.CreateTemp(folder, ".sdcdesk-*.scratch")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// fill reserves space by writing zeros, if the system has no call for it.
func fill(file *os.File, size int64) error {
	zeros := make([]byte, min(size, 1<<20))
	for at := int64(0); at < size; at += int64(len(zeros)) {
		if _, err := file.WriteAt(zeros[:min(int64(len(zeros)), size-at)], at); err != nil {
			return err
		}
	}
	return nil
}

func full(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) || errors.Is(err, unix.EFBIG)
}
