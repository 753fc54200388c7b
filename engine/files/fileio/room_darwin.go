package fileio

import "golang.org/x/sys/unix"

// systemMemory returns the memory of the machine: what of it is free the system
// does not tell in one number.
func systemMemory() int64 {
	bytes, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(bytes)
}
