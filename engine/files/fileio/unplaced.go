package fileio

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
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
		switch {
		case entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && strings.HasSuffix(entry.Name(), UnreleasedEnd):
			if info, err := os.Lstat(lockedBy(path)); err == nil && (!info.IsDir() || onlyParts(path)) {
				found = append(found, unplaced(path, info))
			}
		case entry.IsDir():
			found = append(found, unreleasedIn(filepath.Join(path, ReleaseOutside))...)
		case isStaged(entry):
			if info, err := entry.Info(); err == nil {
				found = append(found, unplaced(path, info))
			}
		}
	}
	return found
}

// unplaced describes a file or a release, with what is known of the file that is locked while it is written.
func unplaced(path string, locked os.FileInfo) Unplaced {
	return Unplaced{path, sizeOf(path), locked.ModTime(), mayBePlaced(lockedBy(path), locked)}
}

// unreleasedIn returns the files in a part of a bundle that earlier versions left when they were killed before the
// last move.
func unreleasedIn(part string) (found []Unplaced) {
	entries, _ := os.ReadDir(part)
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && strings.HasSuffix(entry.Name(), UnreleasedEnd) {
			found = append(found, unplaced(filepath.Join(part, entry.Name()), info))
		}
	}
	return found
}

// onlyParts reports whether a folder has nothing but the parts of a release.
func onlyParts(folder string) bool {
	entries, err := os.ReadDir(folder)
	return err == nil && !slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return !e.IsDir() || e.Name() != ReleaseInside && e.Name() != ReleaseOutside
	})
}

// isStaged reports whether an entry of a folder is a file that is not yet placed.
func isStaged(entry os.DirEntry) bool {
	digits, ours := strings.CutPrefix(entry.Name(), stagedStart)
	digits, ends := strings.CutSuffix(digits, stagedEnd)
	return ours && ends && digits != "" && allDigits([]byte(digits)) && entry.Type().IsRegular()
}

// lockedBy returns the file that is locked while something is written; a folder itself where it has none, because its
// release was about to be placed or was replaced.
func lockedBy(path string) string {
	marker := filepath.Join(path, ReleaseMarker)
	if info, err := os.Lstat(marker); err == nil && info.Mode().IsRegular() {
		return marker
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
	if info.IsDir() {
		return age <= lockedAfter
	}
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

// RemoveUnused removes a file, or the folder of a release, that no program has locked; else the error is ErrLocked. A
// bundle that was moved aside for another one, which never took its place, has its name again.
func RemoveUnused(path string) error {
	locked := lockedBy(path)
	info, err := os.Lstat(locked)
	if err != nil {
		return err
	}
	if info.IsDir() {
		if mayBePlaced(locked, info) || !onlyParts(path) {
			return ErrLocked
		}
		if ok, err := restored(path); ok {
			return err
		}
		return removeParts(path)
	}
	file, err := os.OpenFile(locked, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = Lock(file)
	file.Close() // before it is removed, which not every system lets one do with an open file
	if errors.Is(err, ErrLocked) {
		return err
	}
	if locked == path {
		return os.Remove(path)
	}
	return removeParts(path)
}

// removeParts removes what a release puts into its folder, and the folder. Files of others stay.
func removeParts(folder string) error {
	marker := os.Remove(filepath.Join(folder, ReleaseMarker))
	if errors.Is(marker, os.ErrNotExist) {
		marker = nil
	}
	err := errors.Join(os.RemoveAll(filepath.Join(folder, ReleaseInside)),
		os.RemoveAll(filepath.Join(folder, ReleaseOutside)), marker)
	if err != nil {
		return err
	}
	return os.Remove(folder)
}
