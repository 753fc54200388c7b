//go:build !linux && !darwin && !windows

package fileio

// systemMemory returns 0: the free memory is unknown on this system.
func systemMemory() int64 { return 0 }
