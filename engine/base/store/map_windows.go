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

// handle keeps a file open: it is deleted when its last handle is closed.
type handle struct{ file, mapping windows.Handle }

// numbers tell files of this program apart.
var numbers atomic.Int64

// mapNew maps a new file of a folder, whose space is reserved: a mapping gives its file the size.
func mapNew(folder string, size int) (m mapped, err error) {
	name := ".sdcdesk-" + strconv.Itoa(windows.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36) + "-" +
		strconv.FormatInt(numbers.Add(1), 10) + ".scratch"
	path, err := windows.UTF16PtrFromString(filepath.Join(folder, name))
	if err != nil {
		return m, err
	}
	m.file.file, err = windows.CreateFile(path, windows.GENERIC_READ|windows.GENERIC_WRITE, windows.FILE_SHARE_DELETE, nil,
		windows.CREATE_NEW, windows.FILE_ATTRIBUTE_TEMPORARY|windows.FILE_FLAG_DELETE_ON_CLOSE, 0)
	if err != nil {
		return m, err
	}
	length := uint64(size)
	m.file.mapping, err = windows.CreateFileMapping(m.file.file, nil, windows.PAGE_READWRITE, uint32(length>>32),
		uint32(length), nil)
	if err != nil {
		return m, errors.Join(err, windows.CloseHandle(m.file.file))
	}
	address, err := windows.MapViewOfFile(m.file.mapping, windows.FILE_MAP_READ|windows.FILE_MAP_WRITE, 0, 0, uintptr(size))
	if err != nil {
		return m, errors.Join(err, windows.CloseHandle(m.file.mapping), windows.CloseHandle(m.file.file))
	}
	m.bytes = unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), size)
	return m, nil
}

func (m mapped) release() error {
	return errors.Join(windows.UnmapViewOfFile(m.address()), windows.CloseHandle(m.file.mapping),
		windows.CloseHandle(m.file.file))
}

func full(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}
