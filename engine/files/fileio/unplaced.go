package fileio

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The name of a file that is not yet placed is one of these with digits
// between.
const (
	stagedStart = ".sdcdesk-"
	stagedEnd   = ".tmp"
)

// A release is written into a hidden folder beside its place, which has the first of these
// at the end of its name and a file of the second name in it, locked while it is written.
const (
	UnreleasedEnd = ".unreleased"
	ReleaseMarker = "being-written"

	// the two parts of a release
	ReleaseInside  = "inside"
	ReleaseOutside = "outside"
)

// staleAfter is the age of a file that no program can be about to place, on file systems without locks.
const staleAfter = 24 * time.Hour

// lockedAfter is the age by which a program has locked an empty file that it made.
const lockedAfter = 10 * time.Second

// Unplaced is a file, or the folder of a release, that stands under a hidden name beside the
// place it was to have: records, maybe. A program is about to place it, or was killed before it could.
type Unplaced struct {
	Path     string
	Size     int64
	Modified time.Time
	InUse    bool // a program may be about to place it
}

// FindUnplaced returns the files and releases in a folder that are not placed. A folder that
// cannot be read has none.
func FindUnplaced(folder string) (found []Unplaced) {
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		release := entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && strings.HasSuffix(entry.Name(), UnreleasedEnd)
		if !release && !isStaged(entry) {
			continue
		}
		if info, err := os.Lstat(lockedBy(path)); err == nil && info.Mode().IsRegular() {
			found = append(found, Unplaced{path, sizeOf(path), info.ModTime(), mayBePlaced(lockedBy(path), info)})
		}
	}
	return found
}

// isStaged reports whether an entry of a folder is a file that is not yet placed.
func isStaged(entry os.DirEntry) bool {
	digits, ours := strings.CutPrefix(entry.Name(), stagedStart)
	digits, ends := strings.CutSuffix(digits, stagedEnd)
	return ours && ends && digits != "" && allDigits([]byte(digits)) && entry.Type().IsRegular()
}

// lockedBy returns the file that is locked while something is written.
func lockedBy(path string) string {
	if strings.HasSuffix(path, UnreleasedEnd) {
		return filepath.Join(path, ReleaseMarker)
	}
	return path
}

// sizeOf returns the bytes of a file, or of all files in a folder.
func sizeOf(path string) (bytes int64) {
	_ = filepath.WalkDir(path, func(_ string, entry os.DirEntry, err error) error {
		if err != nil {
			return nil // it may be gone meanwhile
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}

// mayBePlaced reports whether a program may be about to place a file. A program locks the file before it writes
// the first byte. An empty file that was just made is left alone, because its program could not lock it meanwhile.
func mayBePlaced(path string, info os.FileInfo) bool {
	age := time.Since(info.ModTime())
	if info.Size() == 0 && age <= lockedAfter {
		return true
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return true // not known, and it cannot be removed either
	}
	defer file.Close()
	err = Lock(file)
	return errors.Is(err, ErrLocked) || err != nil && age <= staleAfter
}

// RemoveUnplaced removes the files of a folder that killed programs left, and returns how
// many. What cannot be read or removed stays.
func RemoveUnplaced(folder string) (removed int) {
	for _, file := range FindUnplaced(folder) {
		if !file.InUse && RemoveUnused(file.Path) == nil {
			removed++
		}
	}
	return removed
}

// RemoveUnused removes a file, or the folder of a release, that no program has locked; else
// the error is ErrLocked.
func RemoveUnused(path string) error {
	file, err := os.OpenFile(lockedBy(path), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = Lock(file)
	file.Close() // before it is removed, which not every system lets one do with an open file
	if errors.Is(err, ErrLocked) {
		return err
	}
	if marker := lockedBy(path); marker != path { // others may have put files there: these stay
		err := errors.Join(os.RemoveAll(filepath.Join(path, ReleaseInside)),
			os.RemoveAll(filepath.Join(path, ReleaseOutside)), os.Remove(marker))
		if err != nil {
			return err
		}
	}
	return os.Remove(path)
}
