package fileio

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// memoryStatus is the result of GlobalMemoryStatusEx.
type memoryStatus struct {
	length, load                                            uint32
	total, free, totalPage, freePage, space, freeSpace, ext uint64
}

// systemMemory returns the free memory.
func systemMemory() int64 {
	var status memoryStatus
	status.length = uint32(unsafe.Sizeof(status))
	call := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if ok, _, _ := call.Call(uintptr(unsafe.Pointer(&status))); ok == 0 {
		return 0
	}
	return int64(status.free)
}
