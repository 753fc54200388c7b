package fileio

import "golang.org/x/sys/unix"

// systemMemory returns the memory of the machine, because the system has no single number for free memory.
func systemMemory() int64 {
	bytes, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(bytes)
}
