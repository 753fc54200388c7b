// Package store allocates arrays with one element per record: on the heap if they are small or the user did not
// agree to a scratch folder, else in memory-mapped temporary files in that folder.
//
//	scratch, err := store.New("/scratch")
//	defer scratch.Close()
//	ages := store.Make[uint8](scratch, records)
//
// The files have mode 0600. On Unix they have no name from the start, or are unlinked at once, so that nothing
// remains however the program ends; on Windows they are deleted on close. Their space is reserved before they are
// mapped, so that a full disk is an error from Err and never a signal.
//
// A mapping lasts until its array is freed or the store is closed. The garbage collector does not track it:
// nothing may use the arrays of a store after Close.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"sync"
	"unsafe"
)

// ErrScratch is wrapped by errors of scratch folders: one that does not exist, is not writable or is full.
var ErrScratch = errors.New("no scratch space")

// smallArray is the maximum number of bytes of arrays on the heap.
const smallArray = 1 << 16

// Store allocates the arrays of a session. A nil Store allocates on the heap. It is safe for concurrent use.
type Store struct {
	folder string
	small  int // maximum number of bytes of an array on the heap

	mutex  sync.Mutex
	arrays []mappedArray // sorted by address
	taken  int64
	failed error
	pinned [][]byte // arrays on the heap that files refer to, allocated because the folder was full
}

// mappedArray is an array in a file.
type mappedArray struct {
	bytes   []byte
	release func() error
}

func (m mappedArray) address() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(m.bytes))) }

// New returns a store with its files in a folder, after checking that it can write there. Errors wrap ErrScratch.
func New(folder string) (*Store, error) { return NewFor(folder, smallArray) }

// NewFor is New with another maximum size of arrays on the heap, in bytes.
func NewFor(folder string, small int) (*Store, error) {
	s := &Store{folder: folder, small: small}
	probe, err := s.mapFile(1)
	if err != nil {
		return nil, err
	}
	return s, probe.release()
}

// Folder returns the folder of the files, or "" if all arrays are on the heap.
func (s *Store) Folder() string {
	if s == nil {
		return ""
	}
	return s.folder
}

// Bytes returns the total size of the files.
func (s *Store) Bytes() int64 {
	if s == nil {
		return 0
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.taken
}

// Err returns and clears the error of the first array since the last call that did not fit into the folder and was
// allocated on the heap instead. Errors wrap ErrScratch.
func (s *Store) Err() error {
	if s == nil {
		return nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	err := s.failed
	s.failed = nil
	return err
}

// Close releases all arrays. They must not be used afterwards.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var failed []error
	for _, array := range s.arrays {
		failed = append(failed, array.release())
	}
	s.arrays, s.taken, s.pinned = nil, 0, nil
	return errors.Join(failed...)
}

// Make returns a slice of n zero elements, which must not contain pointers to the heap. If the scratch folder is
// full, it is on the heap and Err returns the reason.
func Make[T any](s *Store, n int) []T {
	var zero T
	size := n * int(unsafe.Sizeof(zero))
	if s == nil || size <= s.small {
		return make([]T, n)
	}
	bytes := s.place(size)
	if bytes == nil {
		return make([]T, n)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(bytes))), n)
}

// Keep returns the elements in the store. It returns the slice itself if it is small or already in the store. If
// the scratch folder is full, the elements are on the heap and Err returns the reason.
func Keep[T any](s *Store, elements []T) []T {
	if s == nil || len(elements) == 0 || len(elements)*int(unsafe.Sizeof(elements[0])) <= s.small || Holds(s, elements) {
		return elements
	}
	kept := Make[T](s, len(elements))
	copy(kept, elements)
	return kept
}

// Longer moves elements in the store to a slice with more capacity. The old slice must not be used afterwards.
func Longer[T any](s *Store, elements []T, room int) []T {
	longer := Make[T](s, room)[:len(elements)]
	copy(longer, elements)
	Free(s, elements)
	return longer
}

// Holds reports whether the elements are in a file of the store.
func Holds[T any](s *Store, elements []T) bool {
	if s == nil || cap(elements) == 0 {
		return false
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	address := uintptr(unsafe.Pointer(unsafe.SliceData(elements)))
	at, found := s.find(address)
	return found || at > 0 && address-s.arrays[at-1].address() < uintptr(len(s.arrays[at-1].bytes))
}

// Free releases an array allocated by Make, which must not be used afterwards. It does nothing for other slices,
// including those on the heap.
func Free[T any](s *Store, elements []T) {
	if s == nil || cap(elements) == 0 {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	at, found := s.find(uintptr(unsafe.Pointer(unsafe.SliceData(elements))))
	if !found {
		return
	}
	s.taken -= int64(len(s.arrays[at].bytes))
	_ = s.arrays[at].release() // an array that cannot be released remains until the program ends
	s.arrays = slices.Delete(s.arrays, at, at+1)
}

// pin keeps heap memory alive as long as the store.
func (s *Store) pin(bytes []byte) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.pinned = append(s.pinned, bytes)
}

// find returns the index of the array that begins at an address, or where it would be inserted.
func (s *Store) find(address uintptr) (at int, found bool) {
	return slices.BinarySearchFunc(s.arrays, address, func(m mappedArray, address uintptr) int {
		switch start := m.address(); {
		case start < address:
			return -1
		case start > address:
			return 1
		}
		return 0
	})
}

// place allocates a file, or returns nil and sets the error of Err.
func (s *Store) place(size int) []byte {
	array, err := s.mapFile(size)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err != nil {
		if s.failed == nil {
			s.failed = err
		}
		return nil
	}
	at, _ := s.find(array.address())
	s.arrays = slices.Insert(s.arrays, at, array)
	s.taken += int64(size)
	return array.bytes
}

// mapFile maps a new file of the given size.
func (s *Store) mapFile(size int) (mappedArray, error) {
	array, err := mapNew(s.folder, size)
	if err != nil {
		return mappedArray{}, s.failure(size, err)
	}
	return array, nil
}

// failure describes an error of the system in plain words, without the file name.
func (s *Store) failure(size int, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: the folder %s does not exist; choose another one (--scratch)", ErrScratch, s.folder)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: no permission to write to %s; choose another folder (--scratch)", ErrScratch, s.folder)
	case full(err):
		return fmt.Errorf("%w: %s has no space for another %s; free some space, or choose another folder (--scratch)", ErrScratch,
			s.folder, megabytes(size))
	}
	if named := new(fs.PathError); errors.As(err, &named) {
		err = named.Err
	}
	return fmt.Errorf("%w: %s: %w", ErrScratch, s.folder, err)
}

func megabytes(bytes int) string { return strconv.Itoa(bytes>>20+1) + " MB" }
