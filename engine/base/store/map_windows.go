package store

import (
	"errors"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// numbers makes the file names unique within the process.
var numbers atomic.Int64

// mapNew maps a new file in a folder; creating the mapping reserves the space. The file is deleted when its last
// handle is closed.
func mapNew(folder string, size int) (m mappedArray, err error) {
	name := ".sdcdesk-" + strconv.Itoa(windows.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36) + "-" +
		strconv.FormatInt(numbers.Add(1), 10) + ".scratch"
	path, err := windows.UTF16PtrFromString(filepath.Join(folder, name))
	if err != nil {
		return m, err
	}
	file, err := windows.CreateFile(path, windows.GENERIC_READ|windows.GENERIC_WRITE, windows.FILE_SHARE_DELETE, nil,
		windows.CREATE_NEW, windows.FILE_ATTRIBUTE_TEMPORARY|windows.FILE_FLAG_DELETE_ON_CLOSE, 0)
	if err != nil {
		return m, err
	}
	length := uint64(size)
	mapping, err := windows.CreateFileMapping(file, nil, windows.PAGE_READWRITE, uint32(length>>32),
		uint32(length), nil)
	if err != nil {
		return m, errors.Join(err, windows.CloseHandle(file))
	}
	address, err := windows.MapViewOfFile(mapping, windows.FILE_MAP_READ|windows.FILE_MAP_WRITE, 0, 0, uintptr(size))
	if err != nil {
		return m, errors.Join(err, windows.CloseHandle(mapping), windows.CloseHandle(file))
	}
	m.bytes = unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), size)
	m.release = func() error {
		return errors.Join(windows.UnmapViewOfFile(address), windows.CloseHandle(mapping), windows.CloseHandle(file))
	}
	return m, nil
}

func full(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}
