package fileio

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// If a program is killed at any point of Exchange, the old or the new folder is complete in its place after
// RemoveUnused, and nothing else remains.
func TestExchangeInThreeMoves(t *testing.T) {
	before := swap
	defer func() { swap = before }()
	swap = func(string, string) error { return errors.ErrUnsupported }
	for stop, want := range []string{"", "old", "new", "new"} {
		if stop == 0 {
			continue
		}
		folder := t.TempDir()
		hidden, place := filepath.Join(folder, ".release"+UnreleasedEnd), filepath.Join(folder, "release")
		for path, text := range map[string]string{hidden: "new", place: "old"} {
			if err := os.MkdirAll(filepath.Join(path, ReleaseUsers), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(path, ReleaseUsers, "safe.csv"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		func() {
			defer func() { _ = recover() }()
			moves := 0
			if err := Exchange(hidden, place, func() {
				if moves++; moves == stop {
					panic("killed")
				}
			}); err != nil {
				t.Fatal(err)
			}
		}()
		old := time.Now().Add(-time.Minute)
		for _, path := range []string{hidden, filepath.Join(folder, ".release"+replacedEnd)} {
			_ = os.Chtimes(path, old, old)
		}
		if RemoveUnplaced(folder) == 0 {
			t.Errorf("killed after move %d: nothing was found", stop)
		}
		leftovers(t, folder, "release")
		if text, err := os.ReadFile(filepath.Join(place, ReleaseUsers, "safe.csv")); string(text) != want {
			t.Errorf("killed after move %d: %q, %v", stop, text, err)
		}
	}
}

// An unreleased file in a bundle is found and removed; other files of the bundle remain.
func TestUnreleasedFilesInBundlesAreFound(t *testing.T) {
	folder := t.TempDir()
	outside := filepath.Join(folder, "release", ReleaseUsers)
	if err := os.MkdirAll(outside, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"safe.csv" + UnreleasedEnd, "report.html"} {
		if err := os.WriteFile(filepath.Join(outside, name), []byte("a record"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	skipWithoutLocks(t)
	if removed := RemoveUnplaced(folder); removed != 1 {
		t.Errorf("%d files were removed", removed)
	}
	leftovers(t, outside, "report.html")
}
