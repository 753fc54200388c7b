package store_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// entries returns the names in a folder.
func entries(t *testing.T, folder string) []os.DirEntry {
	t.Helper()
	all, err := os.ReadDir(folder)
	must(t, err)
	return all
}

func TestArrays(t *testing.T) {
	folder := t.TempDir()
	s, err := store.New(folder)
	must(t, err)
	const n = 1 << 17
	numbers, codes, few := store.Make[float64](s, n), store.Make[uint8](s, n), store.Make[uint8](s, 10)
	if !store.Holds(s, numbers) || !store.Holds(s, codes[5:]) || store.Holds(s, few) || s.Bytes() != 9*n {
		t.Errorf("large and small arrays: %d bytes in files", s.Bytes())
	}
	for i := range numbers {
		if numbers[i] != 0 || codes[i] != 0 {
			t.Fatal("an array does not begin with zeros")
		}
		numbers[i], codes[i] = float64(i), uint8(i)
	}
	numbers[7] = math.NaN()
	kept := store.Keep(s, codes)
	if &kept[0] != &codes[0] {
		t.Error("an array was kept twice")
	}
	heap := append([]float64(nil), numbers...)
	copied := store.Keep(s, heap)
	if !store.Holds(s, copied) || copied[n-1] != n-1 || !math.IsNaN(copied[7]) {
		t.Error("an array of the heap was not kept")
	}
	before := s.Bytes()
	if store.Free(s, copied); s.Bytes() != before-8*n || store.Holds(s, copied) {
		t.Error("an array was not freed")
	}
	store.Free(s, heap)
	store.Free(s, codes[5:]) // not the beginning of an array
	if s.Bytes() != 9*n || codes[n-1] != math.MaxUint8 {
		t.Error("more was freed than one array")
	}
	must(t, s.Err())
	must(t, s.Close())
	if s.Bytes() != 0 || len(entries(t, folder)) > 0 {
		t.Error("a closed store has left something")
	}
}

// Without a store, everything is on the heap.
func TestNoStore(t *testing.T) {
	var s *store.Store
	numbers := store.Make[uint32](s, 1<<20)
	if kept := store.Keep(s, numbers); len(numbers) != 1<<20 || &kept[0] != &numbers[0] || store.Holds(s, numbers) {
		t.Error("an array of no store")
	}
	store.Free(s, numbers)
	if s.Folder() != "" || s.Bytes() != 0 || s.Err() != nil || s.Close() != nil {
		t.Error("no store says something")
	}
}

func TestFoldersThatCannotBeUsed(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	must(t, os.WriteFile(file, nil, 0o600))
	for _, path := range []string{filepath.Join(folder, "none"), file} {
		if _, err := store.New(path); !errors.Is(err, store.ErrScratch) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// If the folder of a store is removed, allocation returns an error, and existing mappings remain.
func TestRemovedFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "scratch")
	must(t, os.Mkdir(folder, 0o700))
	s, err := store.New(folder)
	must(t, err)
	before := store.Make[uint8](s, 1<<20)
	before[1<<19] = 7
	if err := os.RemoveAll(folder); err != nil {
		t.Skip("the system keeps a folder in use")
	}
	after := store.Make[uint8](s, 1<<20)
	if err := s.Err(); !errors.Is(err, store.ErrScratch) || !strings.Contains(err.Error(), "does not exist") {
		t.Error(err)
	}
	if s.Err() != nil || store.Holds(s, after) || len(after) != 1<<20 || before[1<<19] != 7 {
		t.Error("after the error")
	}
	must(t, s.Close())
}

// Two programs, or sessions, can share a folder.
func TestSeveralStoresOfOneFolder(t *testing.T) {
	folder := t.TempDir()
	one, err := store.NewFor(folder, 0)
	must(t, err)
	other, err := store.NewFor(folder, 0)
	must(t, err)
	a, b := store.Make[uint32](one, 1000), store.Make[uint32](other, 1000)
	for i := range a {
		a[i], b[i] = 1, 2
	}
	if store.Holds(one, b) || store.Holds(other, a) {
		t.Error("a store holds what is of another")
	}
	must(t, one.Close())
	if b[999] != 2 {
		t.Error("a store closed what is of another")
	}
	must(t, other.Close())
}

func TestArena(t *testing.T) {
	s, err := store.New(t.TempDir())
	must(t, err)
	for _, referring := range [][]string{store.Make[string](s, 10), store.Make[string](s, 1<<16)} {
		before := s.Bytes()
		arena, buffer := store.NewArena(s, referring), []byte("first")
		first := arena.Put(buffer)
		copy(buffer, "other")
		long := arena.Put([]byte(strings.Repeat("x", 3<<20)))
		if next := arena.Put(buffer); first != "first" || next != "other" || arena.Put(nil) != "" || len(long) != 3<<20 {
			t.Errorf("texts %q, %q", first, next)
		}
		if mapped := s.Bytes() > before; mapped != store.Holds(s, referring) {
			t.Errorf("texts of %d elements are in files: %v", len(referring), mapped)
		}
	}
	must(t, s.Close())
}
